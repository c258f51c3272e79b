"""A LlamaIndex query engine with the OpenInference instrumentation. Nothing in it is of otel-ragfault.

Retrieval takes the four nearest nodes of a vector index; a similarity cutoff leaves some of them out of the prompt.
"""

from typing import Any

from llama_index.core import Document, PromptTemplate, Settings, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import BaseQueryEngine
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

from examples.common.policy import INSTRUCTIONS, MODEL, complete, embed, read_jsonl

K = 4
CUTOFF = 0.25

Settings.tokenizer = str.split  # words will do: nothing is downloaded


class WordVectors(BaseEmbedding):
    """Vectors of words, for want of an embedding model."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return embed(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return embed(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return embed(query)


class AnchoredStub(CustomLLM):
    """A deterministic model."""

    @property
    def metadata(self) -> LLMMetadata:
        """Return what the model is called."""
        return LLMMetadata(model_name=MODEL)

    def complete(self, prompt: str, **_: Any) -> CompletionResponse:
        """Answer a prompt."""
        return CompletionResponse(text=complete(prompt))

    def stream_complete(self, prompt: str, **_: Any) -> CompletionResponseGen:
        """Answer a prompt in one piece."""
        yield CompletionResponse(text=complete(prompt), delta=complete(prompt))


def instrument(exporter: SpanExporter) -> TracerProvider:
    """Send the spans of LlamaIndex to an exporter."""
    provider = TracerProvider(resource=Resource.create({"service.name": "policy-llamaindex"}))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    LlamaIndexInstrumentor().instrument(tracer_provider=provider)
    return provider


def chunk_id(_: int, document: Document) -> str:
    """Name a node after its document, which is one chunk here; with longer ones the number belongs into the name."""
    return document.id_


def index(*, with_ids: bool) -> VectorStoreIndex:
    """Fill the index; unless the splitter is told how, it gives nodes random ids."""
    splitter = SentenceSplitter(id_func=chunk_id if with_ids else None)
    documents = [Document(id_=chunk["chunk_id"], text=chunk["text"]) for chunk in read_jsonl("corpus.jsonl")]
    return VectorStoreIndex.from_documents(documents, transformations=[splitter], embed_model=WordVectors())


def build(found: VectorStoreIndex) -> BaseQueryEngine:
    """Return the query engine over an index."""
    return found.as_query_engine(
        llm=AnchoredStub(),
        similarity_top_k=K,
        node_postprocessors=[SimilarityPostprocessor(similarity_cutoff=CUTOFF)],
        text_qa_template=PromptTemplate(INSTRUCTIONS + "\n\n{context_str}\n\nQuestion: {query_str}"),
    )

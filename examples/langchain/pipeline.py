"""A LangChain pipeline with the OpenInference instrumentation. Nothing in it is of otel-ragfault.

Retrieval takes the four nearest chunks of an in-memory vector store; packing puts them into the prompt until a word
budget is full.
"""

from collections.abc import Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models.chat_models import SimpleChatModel
from langchain_core.messages import BaseMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

from examples.common.policy import INSTRUCTIONS, MODEL, complete, embed, read_jsonl

K = 4
BUDGET = 50


class WordVectors(Embeddings):
    """Vectors of words, for want of an embedding model."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text."""
        return [embed(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        return embed(text)


class AnchoredStub(SimpleChatModel):
    """A deterministic model."""

    model_name: str = MODEL

    @property
    def _llm_type(self) -> str:
        return MODEL

    def _call(self, messages: list[BaseMessage], *_: Any, **__: Any) -> str:
        return complete("\n\n".join(str(message.content) for message in messages))


def instrument(exporter: SpanExporter) -> TracerProvider:
    """Send the spans of LangChain to an exporter."""
    provider = TracerProvider(resource=Resource.create({"service.name": "policy-langchain"}))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    LangChainInstrumentor().instrument(tracer_provider=provider)
    return provider


def index(*, with_ids: bool) -> InMemoryVectorStore:
    """Fill the vector store; without ids of ours it makes some up, new ones every time."""
    store = InMemoryVectorStore(WordVectors())
    store.add_documents(
        [
            Document(id=chunk["chunk_id"] if with_ids else None, page_content=chunk["text"])
            for chunk in read_jsonl("corpus.jsonl")
        ]
    )
    return store


def pack(documents: Sequence[Document]) -> str:
    """Return numbered chunks up to the first that does not fit the word budget."""
    shown: list[str] = []
    used = 0
    for document in documents:
        used += len(document.page_content.split())
        if used > BUDGET:
            break
        shown.append(f"[{len(shown) + 1}] {document.page_content}")
    return "\n\n".join(shown)


def build(store: InMemoryVectorStore) -> Runnable[str, str]:
    """Return the chain from a question to an answer."""
    retriever = store.as_retriever(search_kwargs={"k": K})
    prompt = ChatPromptTemplate.from_messages(
        [("system", INSTRUCTIONS), ("human", "{context}\n\nQuestion: {question}")]
    )
    return (
        {"context": retriever | pack, "question": RunnablePassthrough()} | prompt | AnchoredStub() | StrOutputParser()
    )

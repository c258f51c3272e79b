"""A Haystack pipeline with Haystack's own tracing. Nothing in it is of otel-ragfault.

Retrieval is BM25 over an in-memory store and returns the best three; the template of the prompt takes two of them.
"""

from haystack import Document, Pipeline, tracing
from haystack.components.builders import AnswerBuilder, ChatPromptBuilder
from haystack.components.generators.chat import MockChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack_integrations.tracing.opentelemetry import OpenTelemetryTracer
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

from examples.common.policy import INSTRUCTIONS, MODEL, complete, read_jsonl

K = 3
TEMPLATE = """\
{% for document in documents[:2] %}
[{{ loop.index }}] {{ document.content }}

{% endfor %}
Question: {{ question }}"""


def instrument(exporter: SpanExporter) -> TracerProvider:
    """Send the spans of Haystack to an exporter."""
    provider = TracerProvider(resource=Resource.create({"service.name": "policy-haystack"}))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    tracing.enable_tracing(OpenTelemetryTracer(provider.get_tracer("policy")))
    return provider


def reply(messages: list[ChatMessage]) -> str:
    """Answer as a deterministic model."""
    return complete("\n\n".join(message.text or "" for message in messages))


def build() -> Pipeline:
    """Return the pipeline from a question to a cited answer."""
    store = InMemoryDocumentStore()
    store.write_documents(
        [Document(id=chunk["chunk_id"], content=chunk["text"]) for chunk in read_jsonl("corpus.jsonl")]
    )
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=K))
    messages = [ChatMessage.from_system(INSTRUCTIONS), ChatMessage.from_user(TEMPLATE)]
    pipeline.add_component("prompt", ChatPromptBuilder(messages, required_variables="*"))
    pipeline.add_component("model", MockChatGenerator(response_fn=reply, model=MODEL))
    pipeline.add_component("answer", AnswerBuilder(reference_pattern=r"\[(\d+)\]"))
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("retriever.documents", "answer.documents")
    pipeline.connect("prompt.prompt", "model.messages")
    pipeline.connect("model.replies", "answer.replies")
    return pipeline


def ask(pipeline: Pipeline, question: str) -> str:
    """Answer a question."""
    given = {"retriever": {"query": question}, "prompt": {"question": question}, "answer": {"query": question}}
    return pipeline.run(given)["answer"]["answers"][0].data

"""OpenLLMetry (Traceloop): spans of models, of LangChain, of LlamaIndex and of vector databases, told apart here."""

from typing import Any, Final

from otel_ragfault import semconv
from otel_ragfault.conventions import otel_genai, traceloop_langchain, traceloop_llamaindex, traceloop_vectors
from otel_ragfault.conventions.parsing import CONTENT_OFF, decode, identity, name_of, stage
from otel_ragfault.conventions.parsing_request import answer_in, question_in
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView

SPAN_KIND: Final = "traceloop.span.kind"
ENTITY_INPUT: Final = "traceloop.entity.input"
ENTITY_OUTPUT: Final = "traceloop.entity.output"
ASSOCIATION: Final = "traceloop.association.properties."

_TRACER = "traceloop.tracer"
_SCOPE = "opentelemetry.instrumentation."
_INSTRUMENTED = frozenset(
    (
        "agno", "alephalpha", "anthropic", "bedrock", "chromadb", "cohere", "crewai", "google_generativeai", "groq",
        "haystack", "lancedb", "langchain", "llamaindex", "marqo", "mcp", "milvus", "mistralai", "ollama", "openai",
        "openai_agents", "pinecone", "qdrant", "replicate", "sagemaker", "together", "transformers", "vertexai",
        "watsonx", "weaviate", "writer",
    )
)  # fmt: skip
_REQUEST_TYPE = "llm.request.type"
_MODEL_OPERATIONS = (semconv.OPERATION_CHAT, semconv.OPERATION_TEXT_COMPLETION, semconv.OPERATION_GENERATE_CONTENT)
_MODEL_CALLS = ("chat", "completion")
_RERANK = "rerank"
_REQUESTS = ("workflow", "agent")
_PROMPT_NAME = "traceloop.prompt.key"
_PROMPT_VERSION = ("traceloop.prompt.version", "traceloop.prompt.version_name", "traceloop.prompt.version_hash")
_PROMPT_TEMPLATE = "traceloop.prompt.template"
_OLD_MODEL_CALLS = frozenset(("gen_ai.prompt.0.content", "gen_ai.completion.0.content", "llm.prompts.0.content"))


def claims(view: SpanView) -> bool:
    """Tell whether the span is OpenLLMetry's, by its scope or by what only its spans carry."""
    scope = view.scope_name
    if scope.startswith(_SCOPE) and scope[len(_SCOPE) :].partition(".")[0] in _INSTRUMENTED:
        return True
    attributes = view.attributes
    return (
        scope == _TRACER
        or SPAN_KIND in attributes
        or _REQUEST_TYPE in attributes
        or not _OLD_MODEL_CALLS.isdisjoint(attributes)
    )


def read(view: SpanView) -> StageRecord | None:
    """Read a span by what wrote it."""
    attributes = view.attributes
    fields = _identity(view)
    problems: list[str] = []
    if traceloop_vectors.is_search(view):
        return stage("retrieval", problems, **fields | traceloop_vectors.ranking(view, problems))
    if _is_model_call(view):
        return stage("generation", problems, **fields | otel_genai.generation(view, problems))
    if attributes.get(_REQUEST_TYPE) == _RERANK:
        return stage("rerank", problems, **fields)  # a ranking that is not recorded with ids, not the absence of one
    if attributes.get(SPAN_KIND) in _REQUESTS or attributes.get(semconv.GEN_AI_OPERATION_NAME) == "invoke_workflow":
        return _request(view, fields)
    if traceloop_llamaindex.wrote(view):
        return traceloop_llamaindex.read(view, fields)
    return traceloop_langchain.read(view, fields)


def _is_model_call(view: SpanView) -> bool:
    attributes = view.attributes
    operation = attributes.get(semconv.GEN_AI_OPERATION_NAME)
    if isinstance(operation, str):
        return operation in _MODEL_OPERATIONS
    kind = attributes.get(_REQUEST_TYPE)
    return kind in _MODEL_CALLS if kind is not None else not _OLD_MODEL_CALLS.isdisjoint(attributes)


def _identity(view: SpanView) -> dict[str, Any]:
    attributes = view.attributes
    fields = identity(attributes)
    for field, value in identity(attributes, prefix=ASSOCIATION).items():
        fields.setdefault(field, value)
    named = name_of(attributes.get(_PROMPT_NAME))
    if named is not None:
        fields["prompt_name"] = named
    for name in _PROMPT_VERSION:
        version = name_of(attributes.get(name))
        if version is not None:
            fields["prompt_version"] = version
            break
    template = attributes.get(_PROMPT_TEMPLATE)
    if isinstance(template, str):
        fields["prompt_template"] = template
    return fields


def _request(view: SpanView, fields: dict[str, Any]) -> StageRecord | None:
    """Read question and answer of a workflow. LangChain wraps both, decorators wrap arguments, LlamaIndex neither."""
    given, returned = view.attributes.get(ENTITY_INPUT), view.attributes.get(ENTITY_OUTPUT)
    taken, cut_input = decode(given)
    made, cut_output = decode(returned)
    problems = ["cut.query"] if cut_input else []
    if cut_output:
        problems.append("cut.answer")
    if given is None and returned is None and not view.failed:
        problems.append("dropped.query" if view.dropped_attributes else CONTENT_OFF)
    query, answer = question_in(taken), answer_in(made)
    # A workflow that fills an index neither asks nor answers.
    told = query is not None or answer is not None or problems or view.failed
    return stage("request" if told else None, problems, **fields, query=query, answer=answer)

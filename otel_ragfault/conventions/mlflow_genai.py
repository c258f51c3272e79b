"""MLflow with ``MLFLOW_ENABLE_OTEL_GENAI_SEMCONV``: documents, queries and most inputs are stripped.

The kind of a span is left in ``gen_ai.operation.name`` in capitals; only chat spans keep texts. A stage that lost its
content says so, so that retrieval is not blamed.
"""

from typing import Any, Final

from otel_ragfault import semconv
from otel_ragfault.conventions import llamaindex
from otel_ragfault.conventions.parsing import count_of, name_of, text_of
from otel_ragfault.conventions.parsing_messages import is_internal
from otel_ragfault.conventions.reading import (
    CUT,
    head,
    lost,
    mapping,
    message_text,
    messages_text,
    parsed,
    record,
    told,
)
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView

_METADATA: Final = "metadata"
_TEMPLATE: Final = "prmopt_template"  # spelled so by MLflow
_ARGUMENTS: Final = "template_arguments"
_GENERATIONS = {semconv.OPERATION_CHAT, semconv.OPERATION_GENERATE_CONTENT, semconv.OPERATION_TEXT_COMPLETION}
_REQUESTS = {"CHAIN", "AGENT", "WORKFLOW", "UNKNOWN", semconv.OPERATION_INVOKE_AGENT}


def read(span: SpanView) -> StageRecord | None:
    """Return what the span tells."""
    operation = text_of(span.attributes.get(semconv.GEN_AI_OPERATION_NAME))
    shared = told(parsed(span.attributes.get(_METADATA)))
    if operation == "RETRIEVER":
        return record({**shared, "kind": "retrieval", "problems": lost(span, "ranking")})
    if operation == "RERANKER":
        return record({**shared, "kind": "rerank", "problems": lost(span, "ranking")})
    if operation in _GENERATIONS:
        return record({**shared, **_generation(span, operation)})
    if operation in _REQUESTS and not span.has_parent:
        return record({**shared, "kind": "request", "problems": lost(span, "answer")})
    return record(shared)


def _generation(span: SpanView, operation: str) -> dict[str, Any]:
    get = span.attributes.get
    given, returned = parsed(get(semconv.GEN_AI_INPUT_MESSAGES)), parsed(get(semconv.GEN_AI_OUTPUT_MESSAGES))
    prompt_text = (
        messages_text(given, parsed(get(semconv.GEN_AI_SYSTEM_INSTRUCTIONS))) if isinstance(given, list) else None
    )
    template = parsed(get(_TEMPLATE))
    if prompt_text is None and isinstance(template, str):
        prompt_text = llamaindex.filled({"template": template}, parsed(get(_ARGUMENTS)))
    answer = message_text(head(returned), answer=True)
    problems = _missing(span, "prompt_text", given) if prompt_text is None else ()
    problems += _missing(span, "answer", returned) if answer is None else ()
    return {
        "kind": "generation",
        "prompt_text": prompt_text,
        "answer": answer,
        "request_model": name_of(get(semconv.GEN_AI_REQUEST_MODEL)),
        "prompt_template": text_of(template),
        "input_tokens": count_of(get(semconv.GEN_AI_USAGE_INPUT_TOKENS)),
        "output_tokens": count_of(get(semconv.GEN_AI_USAGE_OUTPUT_TOKENS)),
        "internal": is_internal(prompt_text or text_of(template)) or llamaindex.chooses({}, answer) or None,
        # LlamaIndex: the template's own span wraps the chat
        "twin": (operation == semconv.OPERATION_GENERATE_CONTENT and template is not None) or None,
        "problems": tuple(dict.fromkeys(problems)),
    }


def _missing(span: SpanView, field: str, value: Any) -> tuple[str, ...]:
    """Messages without parts, as LlamaIndex runs leave them, are content that is off."""
    emptied = isinstance(value, list) and not any(mapping(item).get("parts") for item in value)
    return lost(span, field, None if emptied and value is not CUT else value)

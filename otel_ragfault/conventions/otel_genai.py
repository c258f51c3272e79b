"""The OpenTelemetry conventions for generative AI, current and as of 1.28 to 1.41.

Values are JSON text or structured. Documents carry ids and scores, rarely a text. ``gen_ai.request.top_k`` counts
documents on a retrieval and is a setting of decoding elsewhere. Messages that went into log events are not here: the
span then reads ``content_off``, which those who read the logs as well may take back.
"""

from collections.abc import Mapping
from typing import Any

from otel_ragfault import semconv
from otel_ragfault.conventions import bedrock
from otel_ragfault.conventions.otel_genai_legacy import legacy_input, legacy_output
from otel_ragfault.conventions.parsing import (
    CONTENT_OFF,
    count_of,
    decode,
    first,
    identity,
    name_of,
    names_of,
    stage,
    text_of,
)
from otel_ragfault.conventions.parsing_documents import genai_hits
from otel_ragfault.conventions.parsing_messages import (
    answer_text,
    is_internal,
    is_refused,
    last_user_text,
    messages_text,
    parts_text,
)
from otel_ragfault.conventions.record import Kind, StageRecord
from otel_ragfault.conventions.span import SpanView

_SCOPES = (
    "opentelemetry.instrumentation.genai.",
    "opentelemetry.instrumentation.openai_v2",
    "opentelemetry.util.genai",
)
_SYSTEM = "gen_ai.system"
_KINDS: dict[str, Kind] = {
    semconv.OPERATION_RETRIEVAL: "retrieval",
    semconv.OPERATION_CHAT: "generation",
    semconv.OPERATION_TEXT_COMPLETION: "generation",
    semconv.OPERATION_GENERATE_CONTENT: "generation",
    semconv.OPERATION_INVOKE_WORKFLOW: "request",
    semconv.OPERATION_INVOKE_AGENT: "request",
}
_QUERY = (semconv.GEN_AI_RETRIEVAL_QUERY_TEXT, "gen_ai.retrieval.query")
_TOP_K_OF_OLD = "gen_ai.request.top_k"
_INPUT_TOKENS = (semconv.GEN_AI_USAGE_INPUT_TOKENS, "gen_ai.usage.prompt_tokens", "llm.usage.prompt_tokens")
_OUTPUT_TOKENS = (semconv.GEN_AI_USAGE_OUTPUT_TOKENS, "gen_ai.usage.completion_tokens", "llm.usage.completion_tokens")
_FINISH_REASON = "gen_ai.response.finish_reason"
_UPLOADED = (f"{semconv.GEN_AI_INPUT_MESSAGES}_ref", f"{semconv.GEN_AI_OUTPUT_MESSAGES}_ref")


def claims(view: SpanView) -> bool:
    """Tell whether the span follows the conventions, by its scope or by what it says it does."""
    return (
        view.scope_name.startswith(_SCOPES)
        or semconv.GEN_AI_OPERATION_NAME in view.attributes
        or _SYSTEM in view.attributes
        or semconv.GEN_AI_RETRIEVAL_DOCUMENTS in view.attributes
    )


def read(view: SpanView) -> StageRecord | None:
    """Read a span by its operation."""
    attributes = view.attributes
    operation = attributes.get(semconv.GEN_AI_OPERATION_NAME)
    kind = _KINDS.get(operation) if isinstance(operation, str) else None
    problems: list[str] = []
    fields: dict[str, Any] = identity(attributes)
    if kind == "generation" and bedrock.answers_from_knowledge_base(attributes):
        kind = "generation" if view.has_parent else "request"
        fields |= models(attributes) | question_and_answer(attributes, problems)
    elif kind == "retrieval":
        fields |= ranking(view, problems)
        if bedrock.is_otel(view) and fields.get("hits"):
            fields["hits"] = bedrock.without_ids(fields["hits"])
            problems.append(bedrock.IDS_NOT_CHUNKS)
    elif kind == "generation":
        fields |= generation(view, problems)
    elif kind == "request":
        fields |= question_and_answer(attributes, problems)
    return stage(kind, problems, **fields)


def ranking(view: SpanView, problems: list[str]) -> dict[str, Any]:
    """Read query and documents of a retrieval; also used for our own rerank spans."""
    attributes = view.attributes
    documents, cut = decode(attributes.get(semconv.GEN_AI_RETRIEVAL_DOCUMENTS))
    hits = genai_hits(documents)
    query = text_of(first(attributes, _QUERY))
    if hits is None:
        if cut or documents is not None:
            problems.append("cut.ranking")
        elif view.dropped_attributes:
            problems.append("dropped.ranking")
        elif query is None and not view.failed:
            problems.append(CONTENT_OFF)
    return {"query": query, "hits": hits, "top_k": top_k(attributes, (_TOP_K_OF_OLD,))}


def top_k(attributes: Mapping[str, Any], older: tuple[str, ...] = ()) -> int | None:
    """Return how many documents are passed on."""
    return count_of(first(attributes, (semconv.GEN_AI_RETRIEVAL_TOP_K, *older)))


def question_and_answer(attributes: Mapping[str, Any], problems: list[str]) -> dict[str, Any]:
    """Read what the user asked last and what came back, from the messages of a whole request."""
    asked = _messages(attributes, semconv.GEN_AI_INPUT_MESSAGES, "cut.query", problems)
    said = _messages(attributes, semconv.GEN_AI_OUTPUT_MESSAGES, "cut.answer", problems)
    return {
        "query": last_user_text(asked) if asked is not None else None,
        "answer": answer_text(said) if said is not None else None,
    }


def models(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Read models, usage and how the answer ended."""
    reasons = names_of(attributes.get(semconv.GEN_AI_RESPONSE_FINISH_REASONS))
    alone = attributes.get(_FINISH_REASON)
    if reasons is None and isinstance(alone, str):
        reasons = tuple(reason.strip() for reason in alone.split(",") if reason.strip()) or None
    return {
        "finish_reasons": reasons,
        "request_model": name_of(attributes.get(semconv.GEN_AI_REQUEST_MODEL)),
        "response_model": name_of(attributes.get(semconv.GEN_AI_RESPONSE_MODEL)),
        "response_id": name_of(attributes.get(semconv.GEN_AI_RESPONSE_ID)),
        "input_tokens": count_of(first(attributes, _INPUT_TOKENS)),
        "output_tokens": count_of(first(attributes, _OUTPUT_TOKENS)),
    }


def generation(view: SpanView, problems: list[str]) -> dict[str, Any]:
    """Read a call of a model: messages structured, as JSON, flattened or as events of the span."""
    attributes = view.attributes
    fields = models(attributes)
    before = len(problems)
    sent = _messages(attributes, semconv.GEN_AI_INPUT_MESSAGES, "cut.prompt_text", problems)
    system, cut = decode(attributes.get(semconv.GEN_AI_SYSTEM_INSTRUCTIONS))
    if cut:  # a text is allowed in place of parts
        system = text_of(attributes.get(semconv.GEN_AI_SYSTEM_INSTRUCTIONS))
        if system is not None and system.lstrip()[:1] in {"[", "{"}:
            system = None
            problems.append("cut.prompt_text")
    prompt = messages_text(sent, system) if sent is not None else parts_text(system)
    said = _messages(attributes, semconv.GEN_AI_OUTPUT_MESSAGES, "cut.answer", problems)
    answer = answer_text(said) if said is not None else None
    if sent is None and "cut.prompt_text" not in problems:
        older = legacy_input(view, problems)
        prompt = prompt if older is None else older
    if said is None and "cut.answer" not in problems:
        answer = legacy_output(view, problems)
    elif said is not None and fields["finish_reasons"] is None:
        fields["finish_reasons"] = _finish_reasons(said)
    if said is not None and is_refused(said):
        fields["finish_reasons"] = ("refusal",)  # a model that refuses itself reports an ordinary stop
    if "cut.prompt_text" in problems:
        prompt = None
    if prompt is None and answer is None and len(problems) == before:
        problems.extend(_absence(view))
    return fields | {"prompt_text": prompt, "answer": answer, "internal": is_internal(prompt)}


def _absence(view: SpanView) -> list[str]:
    if view.dropped_attributes and not any(name in view.attributes for name in _UPLOADED):
        return ["dropped.prompt_text", "dropped.answer"]
    return [] if view.failed else [CONTENT_OFF]


def _messages(attributes: Mapping[str, Any], name: str, problem: str, problems: list[str]) -> list[Any] | None:
    messages, cut = decode(attributes.get(name))
    if isinstance(messages, list):
        return messages
    if cut or messages is not None:
        problems.append(problem)
    return None


def _finish_reasons(messages: list[Any]) -> tuple[str, ...] | None:
    reasons = (message.get("finish_reason") for message in messages if isinstance(message, dict))
    return tuple(reason for reason in reasons if isinstance(reason, str) and reason) or None

"""Pydantic AI: agent runs, model calls with GenAI messages, and tools.

What a search tool returns is the application's own shape: a mapping in the configuration says which tool is the
retriever (:mod:`otel_ragfault.conventions.mapping`); without one, tools are no stage.
"""

from typing import Any, Final

from otel_ragfault import semconv
from otel_ragfault.conventions.parsing import count_of, name_of, names_of, text_of
from otel_ragfault.conventions.parsing_messages import last_user_text
from otel_ragfault.conventions.reading import (
    CUT,
    calls_tool,
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

_SCOPE: Final = "pydantic-ai"
_MESSAGES: Final = "pydantic_ai.all_messages"
_OLD_MESSAGES: Final = "all_messages_events"
_NEW_FROM: Final = "pydantic_ai.new_message_index"
_RESULT: Final = "final_result"
_METADATA: Final = "metadata"
_SESSION: Final = "gen_ai.conversation.id"


def claims(span: SpanView) -> bool:
    """Return whether Pydantic AI wrote the span."""
    return span.scope_name == _SCOPE


def read(span: SpanView) -> StageRecord | None:
    """Return what the span tells."""
    operation = text_of(span.attributes.get(semconv.GEN_AI_OPERATION_NAME))
    if operation == semconv.OPERATION_CHAT:
        return record({**_shared(span), **_generation(span)})
    if operation == semconv.OPERATION_INVOKE_AGENT or _RESULT in span.attributes:
        return record({**_shared(span), **_request(span)})
    return None


def _shared(span: SpanView) -> dict[str, Any]:
    session = name_of(span.attributes.get(_SESSION))
    return {"session_id": session, **told(parsed(span.attributes.get(_METADATA)))}


def _generation(span: SpanView) -> dict[str, Any]:
    get = span.attributes.get
    given, returned = parsed(get(semconv.GEN_AI_INPUT_MESSAGES)), parsed(get(semconv.GEN_AI_OUTPUT_MESSAGES))
    system = parsed(get(semconv.GEN_AI_SYSTEM_INSTRUCTIONS))
    prompt_text = messages_text(given, system) if isinstance(given, list) else None
    reply = head(returned)
    answer = message_text(reply, answer=True)
    asks = answer is None and calls_tool(reply)
    problems = lost(span, "prompt_text", given) if prompt_text is None else ()
    problems += lost(span, "answer", returned) if answer is None and not asks else ()
    return {
        "kind": "generation",
        "prompt_text": prompt_text,
        "answer": answer,
        "internal": asks or None,
        "finish_reasons": names_of(parsed(get(semconv.GEN_AI_RESPONSE_FINISH_REASONS))),
        "request_model": name_of(get(semconv.GEN_AI_REQUEST_MODEL)),
        "response_model": name_of(get(semconv.GEN_AI_RESPONSE_MODEL)),
        "response_id": name_of(get(semconv.GEN_AI_RESPONSE_ID)),
        "input_tokens": count_of(get(semconv.GEN_AI_USAGE_INPUT_TOKENS)),
        "output_tokens": count_of(get(semconv.GEN_AI_USAGE_OUTPUT_TOKENS)),
        "problems": tuple(dict.fromkeys(problems)),
    }


def _request(span: SpanView) -> dict[str, Any]:
    get = span.attributes.get
    messages = parsed(get(_MESSAGES) or get(_OLD_MESSAGES))
    answer = text_of(get(_RESULT))
    query = _question(messages, count_of(get(_NEW_FROM)) or 0)
    return {
        "kind": "request",
        "query": query,
        "answer": answer,
        "problems": (lost(span, "answer") if answer is None else ())
        + (("cut.query",) if messages is CUT and query is None else ()),
    }


def _question(messages: Any, start: int) -> str | None:
    """Return the last text of the user: earlier ones are the history of a conversation.

    What a tool returned is a message of the user, too, and not a question.
    """
    if not isinstance(messages, list):
        return None
    return last_user_text([message for message in messages[start:] if not _answers_tool(message)])


def _answers_tool(message: Any) -> bool:
    parts = mapping(message).get("parts")
    return isinstance(parts, list) and any(mapping(part).get("type") == "tool_call_response" for part in parts)

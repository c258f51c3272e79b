"""LangSmith's OTel export: kinds in ``langsmith.span.kind``, texts as JSON in ``gen_ai.prompt`` and ``.completion``.

``gen_ai.operation.name`` is not asked: it says ``embeddings`` for a retriever. The model that answered, the response id
and the finish reason lie inside the completion.
"""

from collections.abc import Mapping
from typing import Any, Final

from otel_ragfault import semconv
from otel_ragfault.conventions.parsing import count_of, name_of, text_of
from otel_ragfault.conventions.parsing_messages import is_internal
from otel_ragfault.conventions.reading import (
    CUT,
    calls_tool,
    formatted,
    head,
    hits,
    lost,
    mapping,
    message_text,
    messages_text,
    parsed,
    record,
    told,
    under,
)
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView

_SCOPE: Final = "langsmith"
_KIND: Final = "langsmith.span.kind"
_METADATA: Final = "langsmith.metadata."
_GIVEN: Final = "gen_ai.prompt"
_RETURNED: Final = "gen_ai.completion"
_HUB_NAME: Final = "lc_hub_repo"
_HUB_VERSION: Final = "lc_hub_commit_hash"

_REQUESTS = {"chain", "tool", "agent"}
_QUESTIONS = ("query", "question", "input", "text", "message")
_ANSWERS = ("output", "answer", "result", "response", "generation")
_RANKINGS = ("documents", "output")


def claims(span: SpanView) -> bool:
    """Return whether LangSmith wrote the span."""
    return span.scope_name == _SCOPE or _KIND in span.attributes


def read(span: SpanView) -> StageRecord | None:
    """Return what the span tells."""
    metadata = under(_METADATA, span.attributes)
    shared = told(metadata)
    for field, name in (("prompt_name", _HUB_NAME), ("prompt_version", _HUB_VERSION)):
        if found := name_of(metadata.get(name)):
            shared[field] = found
    kind = text_of(span.attributes.get(_KIND))
    given, returned = _content(span.attributes.get(_GIVEN)), _content(span.attributes.get(_RETURNED))
    if kind == "retriever":
        return record({**shared, **_retrieval(span, given, returned)})
    if kind == "llm":
        return record({**shared, **_generation(span, given, returned)})
    if kind in _REQUESTS and not span.has_parent:
        return record({**shared, **_request(span, given, returned)})
    return record({**shared, **formatted(mapping(given).get("input"), mapping(returned).get("output"))})


def _content(value: Any) -> Any:
    """Return inputs or outputs; hidden ones (``LANGSMITH_HIDE_INPUTS``) are an empty object."""
    return parsed(value) if value != "{}" else None


def _retrieval(span: SpanView, given: Any, returned: Any) -> dict[str, Any]:
    outputs = mapping(returned)
    ranked = next((found for name in _RANKINGS if (found := hits(outputs.get(name))) is not None), None)
    return {
        "kind": "retrieval",
        "query": question(given),
        "hits": ranked,
        "problems": (lost(span, "ranking", returned) if ranked is None else ())
        + (("cut.query",) if given is CUT else ()),
    }


def _generation(span: SpanView, given: Any, returned: Any) -> dict[str, Any]:
    get = span.attributes.get
    prompt_text = _prompt(mapping(given))
    reply = _reply(mapping(returned))
    problems = lost(span, "prompt_text", given) if prompt_text is None else ()
    if reply.get("answer") is None and "internal" not in reply:
        problems += lost(span, "answer", returned)
    told_model = name_of(get(semconv.GEN_AI_RESPONSE_MODEL))
    return {
        "kind": "generation",
        "prompt_text": prompt_text,
        **({"response_model": told_model} if told_model else {}),
        **reply,
        "internal": reply.get("internal") or is_internal(prompt_text) or None,
        "request_model": name_of(get(semconv.GEN_AI_REQUEST_MODEL)),
        "input_tokens": count_of(get(semconv.GEN_AI_USAGE_INPUT_TOKENS)),
        "output_tokens": count_of(get(semconv.GEN_AI_USAGE_OUTPUT_TOKENS)),
        "problems": tuple(dict.fromkeys(problems)),
    }


def _prompt(inputs: Mapping[str, Any]) -> str | None:
    for name in ("messages", "prompts", "prompt", "input"):
        if found := messages_text(inputs.get(name)):
            return found
    return None


def _reply(outputs: Mapping[str, Any]) -> dict[str, Any]:
    """What a model gave back: LangChain's generations, a completion of OpenAI's shape, or a message."""
    first = _innermost(outputs.get("generations"))
    choice = mapping(head(outputs.get("choices")))
    message = first.get("message") or choice.get("message") or outputs.get("message") or outputs.get("output")
    inner = mapping(mapping(message).get("kwargs")) or mapping(message)
    meta = mapping(inner.get("response_metadata"))
    overall = mapping(outputs.get("llm_output"))
    finish = (
        name_of(meta.get("finish_reason"))
        or name_of(mapping(first.get("generation_info")).get("finish_reason"))
        or name_of(choice.get("finish_reason"))
    )
    answer = message_text(message, answer=True)
    if answer is None:
        answer = text_of(first.get("text"))
    fields: dict[str, Any] = {
        "answer": answer,
        "finish_reasons": (finish,) if finish else None,
        "response_model": name_of(meta.get("model_name"))
        or name_of(overall.get("model_name"))
        or name_of(outputs.get("model")),
        "response_id": name_of(meta.get("id"))
        or name_of(overall.get("id"))
        or (name_of(outputs.get("id")) if choice else None),
        "internal": True if not answer and calls_tool(message) else None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _innermost(generations: Any) -> Mapping[str, Any]:
    """A list of prompts, each a list of generations."""
    outer = head(generations)
    return mapping(head(outer) if isinstance(outer, list) else outer)


def _request(span: SpanView, given: Any, returned: Any) -> dict[str, Any]:
    outputs = mapping(returned)
    answer = next(
        (found for name in _ANSWERS if (found := message_text(outputs.get(name), answer=True)) is not None), None
    )
    return {
        "kind": "request",
        "query": question(given),
        "answer": answer,
        "problems": (lost(span, "answer", returned) if answer is None else ())
        + (("cut.query",) if given is CUT else ()),
    }


def question(given: Any) -> str | None:
    """Return the question among the inputs: what is named like one, or the only text."""
    inputs = mapping(given)
    for name in _QUESTIONS:
        if found := text_of(inputs.get(name)):
            return found
    only = [value for value in inputs.values() if isinstance(value, str)]
    return text_of(only[0]) if len(only) == 1 else None

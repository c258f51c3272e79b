"""Langfuse: ``langfuse.observation.{type,input,output}`` as JSON, except that a bare text stays as it is.

Metadata is JSON even for a word (``'"case-01"'``) and stands under ``langfuse.trace.metadata.`` and
``langfuse.observation.metadata.``; the item of an experiment is the case.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from otel_ragfault.conventions.parsing import count_of, name_of, text_of
from otel_ragfault.conventions.parsing_messages import is_internal
from otel_ragfault.conventions.reading import (
    CUT,
    calls_tool,
    formatted,
    hits,
    lost,
    mapping,
    message_text,
    messages_text,
    one_name,
    parsed,
    parsed_or_text,
    record,
    told,
    under,
)
from otel_ragfault.conventions.record import Hit, StageRecord
from otel_ragfault.conventions.span import SpanView

_SCOPE: Final = "langfuse-sdk"
_TYPE: Final = "langfuse.observation.type"
_INPUT: Final = "langfuse.observation.input"
_OUTPUT: Final = "langfuse.observation.output"
_MODEL: Final = "langfuse.observation.model.name"
_USAGE: Final = "langfuse.observation.usage_details"
_PROMPT_NAME: Final = "langfuse.observation.prompt.name"
_PROMPT_VERSION: Final = "langfuse.observation.prompt.version"
_TRACE_METADATA: Final = "langfuse.trace.metadata."
_METADATA: Final = "langfuse.observation.metadata."
_TRACE_INPUT: Final = "langfuse.trace.input"
_TRACE_OUTPUT: Final = "langfuse.trace.output"
_CASE: Final = "langfuse.experiment.item.id"
_RUN: Final = "langfuse.experiment.name"
_ROOT: Final = "langfuse.internal.is_app_root"
_SESSION: Final = "session.id"

_REQUESTS = {None, "span", "chain", "agent", "tool"}
_QUESTIONS = ("query", "question", "input", "text", "message")
_ANSWERS = ("output", "answer", "result", "response", "content")
_MASK = re.compile(r"\W*(?:redacted|masked|hidden|fully masked.*)\W*|[*\s]+", re.IGNORECASE)


def claims(span: SpanView) -> bool:
    """Return whether Langfuse wrote the span."""
    return span.scope_name == _SCOPE or _TYPE in span.attributes


def read(span: SpanView) -> StageRecord | None:
    """Return what the span tells."""
    get = span.attributes.get
    metadata = _metadata(span.attributes)
    shared = {**told(metadata), **_identity(span.attributes)}
    given, returned = parsed_or_text(get(_INPUT)), parsed_or_text(get(_OUTPUT))
    kind = text_of(get(_TYPE))
    if kind == "retriever":
        return record({**shared, **_retrieval(span, given, returned)})
    if kind == "generation":
        return record({**shared, **_generation(span, given, returned, metadata)})
    if kind in _REQUESTS and (get(_ROOT) is True or not span.has_parent):
        return record({**shared, **_request(span, given, returned, shared)})
    return record({**shared, **_message(given), **formatted(given, returned)})


def _metadata(attributes: Mapping[str, Any]) -> dict[str, Any]:
    found = {**under(_TRACE_METADATA, attributes), **under(_METADATA, attributes)}
    return {name: _word(value) for name, value in found.items()}


def _word(value: Any) -> Any:
    decoded = parsed(value)
    return value if decoded is CUT else decoded  # a bare word of an older version


def _identity(attributes: Mapping[str, Any]) -> dict[str, str]:
    fields = {
        "case_id": name_of(attributes.get(_CASE)),
        "run_id": name_of(attributes.get(_RUN)),
        "session_id": name_of(attributes.get(_SESSION)),
        "prompt_name": name_of(attributes.get(_PROMPT_NAME)),
        "prompt_version": name_of(attributes.get(_PROMPT_VERSION)),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _missing(span: SpanView, field: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) and _MASK.fullmatch(value):
        return ("redacted",)
    return lost(span, field, value)


def _retrieval(span: SpanView, given: Any, returned: Any) -> dict[str, Any]:
    outputs = mapping(returned)
    ranked = hits(returned)
    for name in ("documents", "nodes", "results"):
        ranked = hits(outputs.get(name)) if ranked is None else ranked
    return {
        "kind": "retrieval",
        "query": question(given, {}),
        "hits": ranked,
        "problems": (_missing(span, "ranking", returned) if ranked is None else ())
        + (("cut.query",) if given is CUT else ()),
    }


def _generation(span: SpanView, given: Any, returned: Any, metadata: Mapping[str, Any]) -> dict[str, Any]:
    get = span.attributes.get
    arguments = _arguments(given)
    prompt_text = None if arguments is not None else messages_text(mapping(given).get("messages") or given)
    answer = message_text(returned, answer=True)
    usage = mapping(parsed(get(_USAGE)))
    asked, named = name_of(metadata.get("ls_model_name")), name_of(get(_MODEL))
    problems = _missing(span, "prompt_text", given) if prompt_text is None and arguments is None else ()
    asks = not answer and calls_tool(returned)
    problems += _missing(span, "answer", returned) if answer is None and not asks else ()
    return {
        "kind": "generation",
        "prompt_text": prompt_text,
        "prompt_hits": _documents(arguments),
        "answer": answer,
        "internal": asks or is_internal(prompt_text) or None,
        "request_model": asked or named,
        "response_model": named if asked and named != asked else None,
        "input_tokens": _tokens(usage, "input", "input_tokens", "prompt_tokens"),
        "output_tokens": _tokens(usage, "output", "output_tokens", "completion_tokens"),
        "problems": tuple(dict.fromkeys(problems)),
    }


def _tokens(usage: Mapping[str, Any], *names: str) -> int | None:
    return next((found for name in names if (found := count_of(usage.get(name))) is not None), None)


def _arguments(given: Any) -> list[Any] | None:
    """Return what a decorated function was called with; ``None`` if the input is something else."""
    call = mapping(given)
    if call.keys() != {"args", "kwargs"} or not isinstance(call["args"], list):
        return None
    return [*call["args"], *mapping(call["kwargs"]).values()]


def _documents(arguments: list[Any] | None) -> tuple[Hit, ...] | None:
    """Return the chunks that a function was given to answer from."""
    for value in arguments or ():
        found = hits(value)
        if found and all(one.text is not None and one.id is not None for one in found):
            return found
    return None


def _request(span: SpanView, given: Any, returned: Any, shared: Mapping[str, Any]) -> dict[str, Any]:
    get = span.attributes.get
    query = question(given, shared) or question(parsed_or_text(get(_TRACE_INPUT)), shared)
    answer = _answer(returned)
    if answer is None:
        answer = _answer(parsed_or_text(get(_TRACE_OUTPUT)))
    return {
        "kind": "request",
        "query": query,
        "answer": answer,
        "problems": (_missing(span, "answer", returned) if answer is None else ())
        + (("cut.query",) if given is CUT else ()),
    }


def _answer(returned: Any) -> str | None:
    outputs = mapping(returned)
    if isinstance(returned, str):
        return returned
    return next(
        (found for name in _ANSWERS if (found := message_text(outputs.get(name), answer=True)) is not None), None
    )


def question(given: Any, shared: Mapping[str, Any]) -> str | None:
    """Return the question: a bare text, what is named like one, or the only text that is not an id of the request."""
    if isinstance(given, str):
        return given
    arguments = _arguments(given)
    inputs = mapping(given) if arguments is None else mapping(mapping(given).get("kwargs"))
    for name in _QUESTIONS:
        if found := text_of(inputs.get(name)):
            return found
    known = {value for value in shared.values() if isinstance(value, str)}
    values = list(mapping(given).values()) if arguments is None else arguments
    only = [value for value in values if isinstance(value, str) and value not in known]
    return text_of(only[0]) if len(only) == 1 else None


def _message(given: Any) -> dict[str, Any]:
    """What an output parser of LangChain was given: response id and finish reason, which the model's span lacks."""
    meta = mapping(mapping(given).get("response_metadata"))
    fields = {"response_id": name_of(meta.get("id")), "finish_reasons": one_name(meta.get("finish_reason"))}
    return {name: value for name, value in fields.items() if value is not None}

"""Fill what spans do not say of a model call from log records: the messages that went in and what came back.

Conventions 1.28 to 1.36 sent every message as an event of its own (``gen_ai.user.message``, ``gen_ai.choice``); later
ones send all of them as ``gen_ai.client.inference.operation.details``. An event belongs to the span in whose context it
was sent. This runs on the table ``stage``, between the conventions that read spans and the assembly of requests.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import orjson
import pyarrow as pa

from otel_ragfault import semconv
from otel_ragfault.conventions.parsing import decode, first, maybe_json, names_of, text_of
from otel_ragfault.conventions.parsing_messages import answer_text, is_internal, messages_text
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_DETAILS: Final = "gen_ai.client.inference.operation.details"
_CHOICE: Final = "gen_ai.choice"
_ROLES: Final = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
MESSAGE_EVENTS: Final = (*_ROLES, _CHOICE, _DETAILS)
"""Names of the events that hold messages."""

_INSTRUCTING = ("system", "developer")
_BODIES = ("gen_ai.event.content", "content", "message")  # where the body was lost on the way, or put beside it
_ROWS = 10_000
_SCHEMA = pa.schema(
    [
        ("trace_id", pa.uuid()),
        ("span_id", pa.uint64()),
        ("internal", pa.bool_()),
        ("input_text", pa.string()),
        ("output_text", pa.string()),
        ("finish_reasons", pa.list_(pa.string())),
    ]
)
_Event = tuple[str, Any, Mapping[str, Any]]


def read_log_messages(con: "DuckDBPyConnection") -> int:
    """Fill generations of the table ``stage``; return how many log records had something to say."""
    if not con.execute("SELECT 1 FROM log_record LIMIT 1").fetchall():
        return 0
    con.execute(read_query("records/read", "message_event").body, {"events": list(MESSAGE_EVENTS)})
    told = [
        found
        for (trace_id, span_id), events in groupby(_rows(con), key=lambda row: (row[0], row[1]))
        if (found := _told(trace_id.bytes, span_id, [_event(*row[2:]) for row in events])) is not None
    ]
    if not told:
        return 0
    con.register("read_message", _table(told))
    try:
        con.execute(read_query("records/read", "fill_messages").body)
    finally:
        con.unregister("read_message")
    return len(told)


def _rows(con: "DuckDBPyConnection") -> Iterator[Sequence[Any]]:
    while rows := con.fetchmany(_ROWS):
        yield from rows


def _event(name: str, body: str | None, attributes: str) -> _Event:
    return name, None if body is None else orjson.loads(body), orjson.loads(attributes)


def _told(trace_id: bytes, span_id: int, events: Sequence[_Event]) -> dict[str, Any] | None:
    prompt, answer, reasons = messages_of(events)
    if prompt is None and answer is None and reasons is None:
        return None
    return {
        "trace_id": trace_id,
        "span_id": span_id,
        "internal": is_internal(prompt),
        "input_text": prompt,
        "output_text": answer,
        "finish_reasons": reasons,
    }


def messages_of(events: Sequence[_Event]) -> tuple[str | None, str | None, tuple[str, ...] | None]:
    """Return prompt, answer and finish reasons from the events of one call in order: name, body and attributes."""
    details = [{**attributes, **_object(body)} for name, body, attributes in events if name == _DETAILS]
    prompt, answer, reasons = _details(details[-1]) if details else (None, None, None)  # the last is the whole
    sent, said, ended = _single(events)
    return (
        messages_text(sent) if prompt is None else prompt,
        answer_text(said) if answer is None else answer,
        ended if reasons is None else reasons,
    )


def _details(told: Mapping[str, Any]) -> tuple[str | None, str | None, tuple[str, ...] | None]:
    system = decode(told.get(semconv.GEN_AI_SYSTEM_INSTRUCTIONS))[0]
    sent = decode(told.get(semconv.GEN_AI_INPUT_MESSAGES))[0]
    said = decode(told.get(semconv.GEN_AI_OUTPUT_MESSAGES))[0]
    reasons = names_of(told.get(semconv.GEN_AI_RESPONSE_FINISH_REASONS))
    if isinstance(said, list):
        reasons = reasons or _reasons(said)
    return (
        messages_text(sent, system) if isinstance(sent, list) else None,
        answer_text(said) if isinstance(said, list) else None,
        reasons,
    )


def _single(events: Sequence[_Event]) -> tuple[list[object], list[object], tuple[str, ...] | None]:
    """Return the messages that went in, instructions first, those that came back by their index, and how they ended."""
    sent: list[dict[str, Any]] = []
    choices: list[dict[str, Any]] = []
    for name, body, attributes in events:
        told = _body(body, attributes)
        if name in _ROLES:
            sent.append({"role": _ROLES[name]} | _tool_result(name, told))
        elif name == _CHOICE:
            choices.append(told)
    sent.sort(key=lambda message: message["role"] not in _INSTRUCTING)
    choices.sort(key=_index)
    return list(sent), [_reply(choice) for choice in choices], _reasons(choices)


def _body(body: Any, attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of an event as an object: structured, as JSON text, as a bare text, or beside the body."""
    for value in (body, first(attributes, _BODIES)):
        found = maybe_json(value)
        if isinstance(found, dict):
            return found
        if found is not None:
            return {"content": found}
        if isinstance(value, str):
            return {"content": text_of(value)}
    return {}


def _tool_result(name: str, told: dict[str, Any]) -> dict[str, Any]:
    result = told.get("content")
    if name == "gen_ai.tool.message" and isinstance(result, dict | list):
        return told | {"content": [{"type": "tool_call_response", "response": result}]}
    return told


def _reply(choice: Mapping[str, Any]) -> object:
    message = choice.get("message")
    found = maybe_json(message)
    if isinstance(found, dict):
        return found
    return choice if message is None else {"content": message if found is None else found}


def _index(choice: Mapping[str, Any]) -> int:
    index = choice.get("index")
    return index if isinstance(index, int) else 0


def _reasons(told: Sequence[object]) -> tuple[str, ...] | None:
    reasons = (one.get("finish_reason") for one in told if isinstance(one, dict))
    return tuple(reason for reason in reasons if isinstance(reason, str) and reason) or None


def _object(value: Any) -> dict[str, Any]:
    found = maybe_json(value)
    return found if isinstance(found, dict) else {}


def _table(told: list[dict[str, Any]]) -> pa.Table:
    columns = []
    for field in _SCHEMA:
        values = [row[field.name] for row in told]
        if field.name == "trace_id":
            columns.append(pa.ExtensionArray.from_storage(field.type, pa.array(values, pa.binary(16))))
        else:
            columns.append(pa.array(values, field.type))
    return pa.table(columns, schema=_SCHEMA)

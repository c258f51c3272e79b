"""Read spans of other conventions into the table ``stage``, between the SQL that reads our own and the rest."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa

from otel_ragfault.conventions import Hit, SpanView, StageRecord
from otel_ragfault.conventions.mapping import convention
from otel_ragfault.conventions.registry import Convention, has_others, read_span
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model.mapping import ConventionMapping

_ROWS = 10_000
_TEXTS, _NUMBERS = pa.list_(pa.string()), pa.list_(pa.float64())

READ_SCHEMA = pa.schema(
    [
        ("row", pa.int64()),
        ("kind", pa.string()),
        ("twin", pa.bool_()),
        ("convention", pa.string()),
        ("case_id", pa.string()),
        ("run_id", pa.string()),
        ("snapshot_id", pa.string()),
        ("session_id", pa.string()),
        ("prompt_name", pa.string()),
        ("prompt_version", pa.string()),
        ("search_text", pa.string()),
        ("question", pa.string()),
        ("ids", _TEXTS),
        ("scores", _NUMBERS),
        ("texts", _TEXTS),
        ("input_ids", _TEXTS),
        ("input_scores", _NUMBERS),
        ("input_texts", _TEXTS),
        ("top_k", pa.int64()),
        ("complete", pa.bool_()),
        ("score_kind", pa.string()),
        ("chunk_ids", _TEXTS),
        ("prompt_hit_ids", _TEXTS),
        ("prompt_hit_texts", _TEXTS),
        ("citations", _TEXTS),
        ("decision", pa.string()),
        ("finish_reasons", _TEXTS),
        ("request_model", pa.string()),
        ("response_model", pa.string()),
        ("response_id", pa.string()),
        ("input_tokens", pa.int64()),
        ("output_tokens", pa.int64()),
        ("input_text", pa.string()),
        ("output_text", pa.string()),
        ("problems", _TEXTS),
    ]
)
"""What the conventions tell of a span, in columns of the table ``stage``."""


def read_conventions(con: "DuckDBPyConnection", mapping: "Sequence[ConventionMapping]" = ()) -> int:
    """Ask the conventions about the spans of ``dirty_trace``; return how many told something.

    The table ``stage`` has to exist. Those of the configuration's ``mapping`` are asked first.
    """
    mapped = tuple(map(convention, mapping))
    others = bool(mapped or has_others())
    con.execute(read_query("records/read", "span_to_read").body, {"every": others, "mapped": bool(mapped)})
    told = list(_batches(con, mapped))
    if not told:
        return 0
    rows = pa.Table.from_batches(told)
    con.register("read_stage", rows)
    try:
        for name in ("insert_stage", "delete_stage"):
            con.execute(read_query("records/read", name).body)
    finally:
        con.unregister("read_stage")
    return int(rows.num_rows)


def _batches(con: "DuckDBPyConnection", mapped: Sequence[Convention]) -> Iterator[pa.RecordBatch]:
    while rows := con.fetchmany(_ROWS):
        told = [found for row in rows if (found := _told(row, mapped)) is not None]
        if told:
            yield _batch(told)


def _told(row: Sequence[Any], mapped: Sequence[Convention]) -> dict[str, Any] | None:
    number, read_already, *seen = row
    view = span_view(seen)
    claiming = next((one for one in mapped if one.claims(view)), None)
    if claiming is None and read_already:
        return None
    name, record = read_span(view) if claiming is None else (claiming.name, claiming.read(view))
    if record is None:
        return None
    return {"row": number, "convention": name, **stage_columns(record)}


def span_view(seen: Sequence[Any]) -> SpanView:
    """Return a span as the conventions see it, from the last columns of ``queries/records/read/span_to_read.sql``."""
    scope_name, scope_version, name, attributes, events, failed, dropped, dropped_events, has_parent, resource = seen
    return SpanView(
        scope_name=scope_name,
        scope_version=scope_version,
        name=name,
        attributes=orjson.loads(attributes),
        events=orjson.loads(events) if events is not None else (),
        failed=failed,
        dropped_attributes=dropped,
        dropped_events=dropped_events,
        has_parent=has_parent,
        resource=_resource(resource) if resource is not None else {},
    )


@lru_cache(maxsize=256)
def _resource(text: str) -> Mapping[str, Any]:
    """Return the attributes of a resource; the spans of a process have one and the same."""
    attributes: dict[str, Any] = orjson.loads(text).get("attributes") or {}
    return attributes


def stage_columns(record: StageRecord) -> dict[str, Any]:
    """Return a record in the columns of the table ``stage``. A call of the model that is not the answer is no stage."""
    kind = None if record.internal else record.kind
    is_request = record.kind == "request"
    return {
        "kind": kind,
        "twin": record.twin,
        "case_id": record.case_id,
        "run_id": record.run_id,
        "snapshot_id": record.snapshot_id,
        "session_id": record.session_id,
        "prompt_name": record.prompt_name,
        "prompt_version": record.prompt_version,
        "search_text": None if is_request else record.query,
        "question": record.query if is_request else None,
        **_ranking("", record.prompt_hits if record.kind == "assembly" else record.hits),
        **_ranking("input_", record.input_hits),
        "top_k": record.top_k,
        "complete": record.complete,
        "score_kind": record.score_kind,
        "chunk_ids": record.prompt_ids,
        "prompt_hit_ids": None if record.prompt_hits is None else [hit.id for hit in record.prompt_hits],
        "prompt_hit_texts": None if record.prompt_hits is None else [hit.text for hit in record.prompt_hits],
        "citations": record.cited,
        "decision": record.decision,
        "finish_reasons": record.finish_reasons,
        "request_model": record.request_model,
        "response_model": record.response_model,
        "response_id": record.response_id,
        "input_tokens": record.input_tokens,
        "output_tokens": record.output_tokens,
        "input_text": record.prompt_text,
        "output_text": record.answer,
        "problems": record.problems,
    }


def _ranking(prefix: str, hits: tuple[Hit, ...] | None) -> dict[str, Any]:
    return {
        f"{prefix}ids": None if hits is None else [hit.id for hit in hits],
        f"{prefix}scores": None if hits is None else [hit.score for hit in hits],
        f"{prefix}texts": None if hits is None else [hit.text for hit in hits],
    }


def _batch(told: list[dict[str, Any]]) -> pa.RecordBatch:
    columns = [pa.array([row[field.name] for row in told], field.type) for field in READ_SCHEMA]
    return pa.RecordBatch.from_arrays(columns, schema=READ_SCHEMA)

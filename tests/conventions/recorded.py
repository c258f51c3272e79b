"""Recordings of real instrumentations as the database holds them, and what they were recorded from."""

from functools import cache
from typing import NamedTuple

import orjson

from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.registry import read_span
from otel_ragfault.conventions.span import SpanView
from otel_ragfault.landing.decoding.json import decode_json
from paths import REPOSITORY

FOLDER = REPOSITORY / "tests" / "conventions" / "recordings"


class Told(NamedTuple):
    """What one span of a recording tells, with the span."""

    name: str
    convention: str | None
    record: StageRecord | None
    view: SpanView


def lines(name):
    """Return the parsed lines of a file of recordings."""
    return [orjson.loads(line) for line in (FOLDER / f"{name}.jsonl").read_bytes().splitlines()]


@cache
def corpus():
    """Return the text of every chunk that was indexed."""
    return {chunk["chunk_id"]: chunk["text"] for chunk in lines("corpus")}


@cache
def cases():
    """Return the gold cases by id."""
    return {case["case_id"]: case for case in lines("cases")}


def view_of(row):
    """Return a landed row as the conventions see it, from the JSON text of its columns."""
    return SpanView(
        scope_name=row.scope_name or "",
        scope_version=row.scope_version or "",
        name=row.name,
        attributes=orjson.loads(row.attributes),
        events=orjson.loads(row.events) if row.events else (),
        failed=row.status_code == 2,
        dropped_attributes=row.dropped_attributes_count,
        dropped_events=row.dropped_events_count,
        has_parent=row.parent_span_id is not None,
        resource=orjson.loads(row.resource)["attributes"] if row.resource else {},
    )


@cache
def questions(name):
    """Return what the spans of a recording tell, a list a recorded line, in the order in which they started."""
    asked = []
    for request in lines(name):
        rows = sorted(decode_json(request).rows, key=lambda row: row.start_time)
        views = [view_of(row) for row in rows]
        asked.append([Told(view.name, *read_span(view), view) for view in views])
    return asked


def stages(told, kind, *, twins=False, internal=False):
    """Return the records of a kind, without twins and without the calls of rerankers unless wanted."""
    return [
        one.record
        for one in told
        if one.record is not None
        and one.record.kind == kind
        and (twins or not one.record.twin)
        and (internal or not one.record.internal)
    ]


def ids(hits):
    """Return the ids of hits; ``None`` for no hits."""
    return None if hits is None else [hit.id for hit in hits]


def chunks_in(text):
    """Return the ids of the chunks whose text is in a prompt, in the order of the prompt."""
    found = {chunk_id: text.find(chunk) for chunk_id, chunk in corpus().items() if chunk in text}
    return sorted(found, key=found.get)

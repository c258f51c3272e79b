"""Spans as they land, written short: one call a span."""

import json

from otel_ragfault import semconv as s
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.landing import SpanRow, land, to_table


def span(
    number, parent=None, *, stage=None, operation=None, trace=1, at=None, failed=False, dropped=0, attributes=None
):
    """A row of table span; ``at`` is its start in seconds, it lasts half a second for each level it is above a leaf."""
    start = 1_790_000_000 + (number if at is None else at)
    said = {
        **({s.RAGFAULT_STAGE: stage} if stage else {}),
        **({s.GEN_AI_OPERATION_NAME: operation} if operation else {}),
    }
    return SpanRow(
        trace_id=trace.to_bytes(16),
        span_id=number,
        parent_span_id=parent,
        name=stage or operation or "other",
        kind=1,
        start_time=start * 10**9,
        end_time=start * 10**9 + 5 * 10**8,
        status_code=2 if failed else 0,
        status_message="it broke" if failed else None,
        service="shop",
        scope_name="app",
        scope_version="1",
        operation=operation,
        stage=stage,
        attributes=json.dumps({**said, **(attributes or {})}),
        events=None,
        links=None,
        resource=None,
        scope=None,
        trace_state=None,
        flags=1,
        dropped_attributes_count=dropped,
        dropped_events_count=0,
        dropped_links_count=0,
        repairs=None,
    )


def ranking(*hits, k=None, **more):
    """Attributes of a ranking: ids, or (id, score) pairs."""
    documents = [
        {"id": hit[0], "score": hit[1]} if isinstance(hit, tuple) else {"id": hit, "score": None} for hit in hits
    ]
    found = {s.GEN_AI_RETRIEVAL_DOCUMENTS: json.dumps(documents)}
    return found | ({} if k is None else {s.GEN_AI_RETRIEVAL_TOP_K: k}) | more


def chunks(*ids):
    return {s.RAGFAULT_ASSEMBLY_CHUNK_IDS: json.dumps(ids)}


def messages(role, text):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def asked(text):
    return {s.GEN_AI_INPUT_MESSAGES: messages("user", text)}


def answered(text):
    return {s.GEN_AI_OUTPUT_MESSAGES: messages("assistant", text)}


def pipeline(first=1, *, trace=1, parent=None, case="case-1", hits=("a", "b"), shown=("a",), answer="yes"):
    """The four spans of a plain request, numbered from ``first``."""
    return [
        span(first, parent, stage="request", trace=trace, attributes=asked("why?") | {s.RAGFAULT_CASE_ID: case}),
        span(first + 1, first, stage="retrieval", trace=trace, attributes=ranking(*hits, k=2)),
        span(first + 2, first, stage="assembly", trace=trace, attributes=chunks(*shown)),
        span(first + 3, first, stage="generation", trace=trace, attributes=answered(answer)),
    ]


def store(con, *rows):
    land(con, to_table(rows), source="test")


def requests(con, columns="*"):
    """The request table as objects, in the order of their anchors."""
    result = con.execute(f"SELECT {columns} FROM request ORDER BY trace_id, anchor_span_id NULLS FIRST")
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def built(con, *rows):
    """Land some spans and return the requests."""
    store(con, *rows)
    build_requests(con)
    return requests(con)

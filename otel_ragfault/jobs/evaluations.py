"""Evaluations that senders attached to traces become verdicts, in two steps.

While requests are built, the results in newly landed spans and log records are found and stored as they are. When
requests are labelled, those whose name has a subject are linked to their requests and become verdicts, each once, so
that order of arrival does not matter and another meaning of a name is applied to what is there already.
"""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import orjson
import pyarrow as pa

from otel_ragfault import semconv
from otel_ragfault.conventions.evaluations import Evaluation, from_event, from_span
from otel_ragfault.judging.verdicts import EVENT_NAMES, VerdictRow, insert_verdicts, meaning_of, source_of, value_of
from otel_ragfault.model.judging import SUBJECTS, evaluation_key
from otel_ragfault.sql import read_query
from otel_ragfault.store import named_rows, registered

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model.judging import EvaluationMapping, JudgingConfig

_ROWS: Final = 10_000
_VERSION: Final = 1
"""Raised whenever the same evaluation would be read otherwise than before."""

_OWN: Final = "ragfault:"
"""Before a subject it is the key of events that we sent, whose names need no meaning."""

_EVENT: Final = {"event": semconv.GEN_AI_EVALUATION_EVENT}
_FOUND: Final = pa.schema(
    {
        "evaluation_id": pa.string(),
        "name": pa.string(),
        "score": pa.float64(),
        "label": pa.string(),
        "explanation": pa.string(),
        "error_type": pa.string(),
        "annotator_kind": pa.string(),
        "judge": pa.string(),
        "scope": pa.string(),
        "trace_id": pa.string(),
        "span_id": pa.uint64(),
        "response_id": pa.string(),
        "evaluated_at": pa.timestamp("us"),
        "origin": pa.string(),
        "segment_id": pa.string(),
        "event_id": pa.string(),
        "subject": pa.string(),
        "source": pa.string(),
        "target": pa.string(),
        "claim_id": pa.string(),
        "claim": pa.string(),
        "repeat_no": pa.uint32(),
    }
)
_Row = Sequence[Any]


def find_evaluations(con: "DuckDBPyConnection") -> int:
    """Store the evaluation results of the segments in the table ``building``; return how many were found.

    Runs in the transaction of the building.
    """
    con.execute(read_query("judging/evaluations", "forget").body)
    found = 0
    for name, read in (("logged", _logged), ("carried", _carried)):
        rows = con.execute(read_query("judging/evaluations", name).body, _EVENT).fetchall()
        for start in range(0, len(rows), _ROWS):
            told = [(evaluation, row) for row in rows[start : start + _ROWS] for evaluation in read(row)]
            found += len(told)
            _store(con, [_stored(evaluation, row) for evaluation, row in told])
    return found


def link_evaluations(con: "DuckDBPyConnection", config: "JudgingConfig") -> int:
    """Make verdicts of the stored results whose request is known; return how many were added."""
    meanings = config.evaluation_mapping
    mapping = {key: meant for key, meant in meanings.items() if meant.subject != "ignore"}
    if not con.execute("SELECT 1 FROM evaluation LIMIT 1").fetchall():
        return 0
    with registered(con, "evaluation_meaning", _meanings(mapping, set(meanings) - set(mapping))):
        linked = named_rows(con.execute(read_query("judging/evaluations", "linked").body))
    return insert_verdicts(
        con, (_own_verdict(row) if row["subject"] else _verdict(row, mapping[row["name_key"]]) for row in linked)
    )


def _logged(row: _Row) -> Iterator[Evaluation]:
    trace_id, span_id, _, attributes, judge, _ = row
    where = "log record" if trace_id is None else f"log record of {_place(trace_id, span_id)}"
    found = from_event(orjson.loads(attributes), trace_id=trace_id, span_id=span_id, judge=judge, origin=where)
    if found is not None:
        yield found


def _carried(row: _Row) -> Iterator[Evaluation]:
    trace_id, span_id, _, attributes, events, links, judge, _ = row
    place = _place(trace_id, span_id)
    yield from from_span(
        orjson.loads(attributes),
        orjson.loads(links or "[]"),
        trace_id=trace_id,
        span_id=span_id,
        judge=judge,
        origin=f"attributes of {place}",
    )
    for number, event in enumerate(orjson.loads(events or "[]")):
        if event.get("name") == semconv.GEN_AI_EVALUATION_EVENT:
            found = from_event(
                event.get("attributes") or {},
                trace_id=trace_id,
                span_id=span_id,
                judge=judge,
                origin=f"event {number} of {place}",
            )
            if found is not None:
                yield found


def _place(trace_id: UUID, span_id: int | None) -> str:
    return f"trace {trace_id.hex}" if span_id is None else f"span {trace_id.hex}/{span_id:016x}"


def _stored(evaluation: Evaluation, row: _Row) -> dict[str, object]:
    when = row[2]
    places = (evaluation, evaluation.own)
    values = {name: getattr(place, name) for place in places for name in _FOUND.names if hasattr(place, name)}
    return values | {
        "evaluation_id": evaluation.identity(when),
        "trace_id": None if evaluation.trace_id is None else str(evaluation.trace_id),
        "evaluated_at": datetime.now(UTC).replace(tzinfo=None) if when is None else when,
        "segment_id": str(row[-1]),
    }


def _store(con: "DuckDBPyConnection", found: list[dict[str, object]]) -> None:
    if not found:
        return
    with registered(con, "found_evaluation", pa.Table.from_pylist(found, schema=_FOUND)):
        con.execute(read_query("judging/evaluations", "insert_found").body)


def _meanings(mapping: "dict[str, EvaluationMapping]", ignored: set[str]) -> pa.Table:
    """Return the key of each name that means something, with a digest of what; of our own events those not ignored."""
    told: dict[str, object] = {key: meant.model_dump(mode="json") for key, meant in mapping.items()}
    own = {_OWN + subject: subject for subject in SUBJECTS if evaluation_key(EVENT_NAMES[subject]) not in ignored}
    meant = told | own
    digests = [hashlib.sha256(orjson.dumps([_VERSION, one])).hexdigest()[:16] for one in meant.values()]
    return pa.table({"name_key": list(meant), "digest": digests})


def _verdict(row: dict[str, Any], mapping: "EvaluationMapping") -> VerdictRow:
    meaning = meaning_of(row["label"], row["score"], mapping)
    failed = row["error_type"] is not None
    said = row["explanation"] or ("the evaluator failed" if failed else meaning.reason)
    return VerdictRow(
        request_id=row["request_id"],
        subject=mapping.subject,
        value=None if failed else meaning.value,
        score=row["score"],
        reason=f"{row['name']}: {said}" if meaning.value is not None or failed else f"{row['name']}: {meaning.reason}",
        failure=row["error_type"],
        source=source_of(row["annotator_kind"], mapping),
        judge=row["judge"] or "unnamed",
        config=row["config"],
        judged_at=row["evaluated_at"],
        origin=row["origin"],
    )


def _own_verdict(row: dict[str, Any]) -> VerdictRow:
    """Return the verdict that another database of ours sent, as it is there."""
    failed = row["error_type"] is not None
    return VerdictRow(
        request_id=row["request_id"],
        subject=row["subject"],
        target=row["target"],
        claim_id=row["claim_id"],
        claim=row["claim"],
        value=None if failed else value_of(row["subject"], row["label"]),
        score=row["score"],
        reason=row["explanation"],
        failure=row["error_type"],
        source=row["source"],
        judge=row["judge"],
        config=row["config"],
        repeat_no=row["repeat_no"],
        judged_at=row["evaluated_at"],
        origin=row["origin"],
    )

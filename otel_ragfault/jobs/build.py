"""Build request records from the spans that landed since the last time.

The work is the SQL of ``queries/records/``, run over a bounded number of traces at a time. A trace is built anew as a
whole whenever one of its spans, or a log record with its messages, arrives, so that order and batches of arrival do not
matter.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from otel_ragfault.jobs.evaluations import find_evaluations
from otel_ragfault.jobs.ids import hold_ids
from otel_ragfault.jobs.log_messages import MESSAGE_EVENTS
from otel_ragfault.jobs.records import assemble, take_in_joined
from otel_ragfault.jobs.recover import recover
from otel_ragfault.sql import ordered_queries, read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model.mapping import ConventionMapping

TRACES_AT_A_TIME = 100_000
_EVENTS = {"events": list(MESSAGE_EVENTS)}


@dataclass(frozen=True, slots=True)
class Built:
    """How many ``traces`` were looked at, and how many ``requests`` they hold."""

    traces: int
    requests: int


def needs_build(con: "DuckDBPyConnection") -> bool:
    """Tell whether spans or log records have landed whose requests are not built yet."""
    return bool(_count(con, "SELECT count(*) FROM segment WHERE NOT built"))


def build_requests(
    con: "DuckDBPyConnection",
    *,
    mapping: "Sequence[ConventionMapping]" = (),
    default_snapshot: str | None = None,
    anew: bool = False,
    traces_at_a_time: int = TRACES_AT_A_TIME,
    on_progress: Callable[[int, int], None] | None = None,
) -> Built:
    """Build, or build anew, the requests of every trace with newly landed spans.

    The records and the mark on the ledger are stored in one transaction.

    Args:
        con: a database open for writing.
        mapping: conventions of the configuration, asked before the built-in ones.
        default_snapshot: the corpus snapshot of requests that name none; ``None`` is the newest.
        anew: build the requests of every trace from its spans, whatever was built before.
        traces_at_a_time: how many traces a batch has.
        on_progress: called after each batch with the batches done and the batches in all.
    """
    if not anew and not needs_build(con):
        return Built(0, 0)
    with transaction(con):
        con.execute(
            "CREATE OR REPLACE TEMP TABLE building AS SELECT segment_id FROM segment WHERE $anew OR NOT built",
            {"anew": anew},
        )
        con.execute(read_query("records/jobs", "waiting_trace").text, {"batch": traces_at_a_time} | _EVENTS)
        built = _build_waiting(con, mapping, default_snapshot, on_progress)
        find_evaluations(con)
        con.execute("UPDATE segment SET built = TRUE WHERE segment_id IN (FROM building)")
    _clear(con)
    return built


def hold_against_corpus(
    con: "DuckDBPyConnection", *, mapping: "Sequence[ConventionMapping]" = (), default_snapshot: str | None = None
) -> int:
    """Hold the ids of rankings against a corpus that was loaded since, as a new build of all traces would.

    Requests whose ids may be told by the texts of their hits, or were told by those of another corpus, are built anew.

    Args:
        con: a database open for writing.
        mapping: conventions of the configuration.
        default_snapshot: the corpus snapshot of requests that name none; ``None`` is the newest.

    Returns:
        The number of requests that were held against another snapshot than before.
    """
    with transaction(con):
        held = hold_ids(con, "request", default_snapshot)
        if held:
            con.execute(read_query("recovery", "trace_to_retell").text, {"batch": TRACES_AT_A_TIME})
            _build_waiting(con, mapping, default_snapshot, None)
    if held:
        _clear(con)
    return held


def _build_waiting(
    con: "DuckDBPyConnection",
    mapping: "Sequence[ConventionMapping]",
    default_snapshot: str | None,
    on_progress: Callable[[int, int], None] | None,
) -> Built:
    traces = _count(con, "SELECT count(*) FROM waiting_trace")
    batches = _count(con, "SELECT count(DISTINCT batch) FROM waiting_trace")
    requests = 0
    for batch in range(batches):
        requests += _build_batch(con, batch, mapping, default_snapshot)
        if on_progress is not None:
            on_progress(batch + 1, batches)
    return Built(traces, requests)


def _clear(con: "DuckDBPyConnection") -> None:
    for name in (
        "building",
        "waiting_trace",
        "dirty_trace",
        "moved_request",
        "held_ids",
        "probe_trace",
        "told_text",
        "known_text",
        *(query.name for query in ordered_queries("records")),
    ):
        con.execute(f"DROP TABLE IF EXISTS temp.{name}")


def _build_batch(
    con: "DuckDBPyConnection", batch: int, mapping: "Sequence[ConventionMapping]", default_snapshot: str | None
) -> int:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE dirty_trace AS SELECT trace_id FROM waiting_trace WHERE batch = $batch",
        {"batch": batch},
    )
    _take_probes(con)
    take_in_joined(con)
    before = assemble(con, mapping)
    recover(con, "record", default_snapshot=default_snapshot)
    if before.again:
        _move_history(con)
        con.execute("DELETE FROM request WHERE trace_id IN (FROM dirty_trace)")
    con.execute("INSERT INTO request BY NAME FROM record")
    return _count(con, "SELECT count(*) FROM record")


def _take_probes(con: "DuckDBPyConnection") -> None:
    """Make rows of the probes among ``dirty_trace``, and take them out: they are no requests of the pipeline."""
    con.execute(read_query("probing", "probe_trace").text)
    if _count(con, "SELECT count(*) FROM probe_trace"):
        con.execute(read_query("probing", "insert_landed").body)
        con.execute("DELETE FROM request WHERE trace_id IN (FROM probe_trace)")
        con.execute("DELETE FROM dirty_trace WHERE trace_id IN (FROM probe_trace)")


def _move_history(con: "DuckDBPyConnection") -> None:
    """Let verdicts, labels and what was sent follow the requests that get another id; people cannot be asked again.

    The label of a part says nothing of the whole.
    """
    con.execute(read_query("records/jobs", "moved_request").text)
    for table in ("verdict", "label", "emitted") if _count(con, "SELECT count(*) FROM moved_request") else ():
        con.execute(
            f"UPDATE {table} SET request_id = moved_request.new_id FROM moved_request "
            f"WHERE {table}.request_id = moved_request.old_id AND ($parts OR NOT moved_request.joined)",
            {"parts": table == "verdict"},
        )


def _count(con: "DuckDBPyConnection", sql: str) -> int:
    row = con.execute(sql).fetchone()
    return 0 if row is None else int(row[0])

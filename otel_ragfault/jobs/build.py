"""Build request records from the spans that landed since the last time.

The work is the SQL of ``queries/records/``, run over a bounded number of traces at a time. A trace is built anew as a
whole whenever one of its spans arrives, so that order and batches of arrival do not matter.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from otel_ragfault.sql import ordered_queries, read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TRACES_AT_A_TIME = 100_000


@dataclass(frozen=True, slots=True)
class Built:
    """How many ``traces`` were looked at, and how many ``requests`` they hold."""

    traces: int
    requests: int


def needs_build(con: "DuckDBPyConnection") -> bool:
    """Tell whether spans have landed whose requests are not built yet."""
    return bool(_count(con, "SELECT count(*) FROM segment WHERE NOT built"))


def build_requests(con: "DuckDBPyConnection", *, traces_at_a_time: int = TRACES_AT_A_TIME) -> Built:
    """Build, or build anew, the requests of every trace with newly landed spans.

    The records and the mark on the ledger are stored in one transaction.
    """
    if not needs_build(con):
        return Built(0, 0)
    with transaction(con):
        con.execute("CREATE OR REPLACE TEMP TABLE building AS SELECT segment_id FROM segment WHERE NOT built")
        con.execute(read_query("records/jobs", "waiting_trace").text, {"batch": traces_at_a_time})
        traces = _count(con, "SELECT count(*) FROM waiting_trace")
        batches = _count(con, "SELECT count(DISTINCT batch) FROM waiting_trace")
        requests = sum(_build_batch(con, batch) for batch in range(batches))
        con.execute("UPDATE segment SET built = TRUE WHERE segment_id IN (FROM building)")
    for name in ("building", "waiting_trace", "dirty_trace", *(query.name for query in ordered_queries("records"))):
        con.execute(f"DROP TABLE IF EXISTS temp.{name}")
    return Built(traces, requests)


def _build_batch(con: "DuckDBPyConnection", batch: int) -> int:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE dirty_trace AS SELECT trace_id FROM waiting_trace WHERE batch = $batch",
        {"batch": batch},
    )
    for query in ordered_queries("records"):
        con.execute(query.text)
    con.execute("DELETE FROM request WHERE trace_id IN (FROM dirty_trace)")
    con.execute("INSERT INTO request BY NAME FROM record")
    return _count(con, "SELECT count(*) FROM record")


def _count(con: "DuckDBPyConnection", sql: str) -> int:
    row = con.execute(sql).fetchone()
    return 0 if row is None else int(row[0])

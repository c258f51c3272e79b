"""Which log records of a file are stored already.

OTLP gives a log record no identity. Here it is all of its fields, times to the nanosecond included: a record of a file
that is equal to a stored one in every field is taken to be that one, so that a file may be imported twice. Receivers do
not ask: what a sender sends twice is stored twice.
"""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from otel_ragfault.errors import DatabaseBusyError, DatabaseError
from otel_ragfault.sql import read_query
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_VIEW = "arriving_log"
_NEVER = (1, 0)


def logs_not_stored(path: Path, logs: pa.Table, *, wait: float) -> pa.Table:
    """Return the log records of a batch that the database does not hold; of several equal ones the first.

    Args:
        path: the database; there may be none.
        logs: a batch with the schema ``LOG_SCHEMA``.
        wait: seconds to wait for who holds the database.

    Raises:
        DatabaseError: it cannot be opened or stays in use.
    """
    if not logs.num_rows:
        return logs
    with closing(_opened(path, wait) if path.exists() else _empty()) as con:
        con.register(_VIEW, logs.append_column("position", pa.array(range(logs.num_rows), pa.uint32())))
        rows = con.execute(read_query("landing", "log_fresh").body, _windows(logs)).fetchall()
    return logs.take(pa.array([row[0] for row in rows], pa.uint32()))


def _opened(path: Path, wait: float) -> "DuckDBPyConnection":
    try:
        return connect(path, read_only=True, wait=wait)
    except DatabaseBusyError:
        raise
    except DatabaseError:  # perhaps an empty one that somebody left; all else is an error again
        connect(path, create=True, wait=wait).close()
        return connect(path, read_only=True, wait=wait)


def _empty() -> "DuckDBPyConnection":
    con = duckdb.connect()
    con.execute(read_query("schema", "log_record").text)
    return con


def _windows(logs: pa.Table) -> dict[str, Any]:
    """Return the times between which the stored records have to be looked at."""
    dated = pc.is_valid(logs["time"])
    observed = logs["observed_time"].filter(pc.invert(dated))
    earliest, latest = _window(logs["time"])
    first_seen, last_seen = _window(observed)
    return {
        "earliest": earliest,
        "latest": latest,
        "first_seen": first_seen,
        "last_seen": last_seen,
        "timeless": observed.null_count > 0,
    }


def _window(times: pa.ChunkedArray) -> tuple[int, int]:
    found = pc.min_max(times.cast(pa.int64())).as_py()
    return _NEVER if found["min"] is None else (found["min"], found["max"])

"""The seam between those who bring spans (exporter, importer) and the place where they are kept."""

import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import duckdb

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.create import create_whole
from otel_ragfault.landing.land import Landed, land
from otel_ragfault.store import connect

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

_FIRST_PAUSE = 0.01
_LONGEST_PAUSE = 0.25

# Held while a database is open here. A child that is forked meanwhile would share the open file and DuckDB's locks, so
# a fork waits for the milliseconds that a batch takes.
_OPEN = threading.RLock()
os.register_at_fork(before=_OPEN.acquire, after_in_parent=_OPEN.release, after_in_child=_OPEN.release)


class SpanSink(Protocol):
    """A place that keeps spans. When ``write`` returns, they are kept; when it raises, they may be written again."""

    def write(self, batch: "pa.Table", *, source: str, wait: float | None = None) -> Landed:
        """Keep a batch with the schema :data:`~otel_ragfault.landing.SPAN_SCHEMA`.

        Args:
            batch: the spans.
            source: where they come from, for the ledger.
            wait: seconds to wait for a place that is in use; ``None`` is the sink's own.
        """
        ...


class DatabaseSink:
    """The database itself. It is opened for each batch and closed at once, so that its lock is held for milliseconds.

    Args:
        path: the database; created where there is none.
        wait: seconds to wait for another process that holds it.
    """

    def __init__(self, path: str | Path, *, wait: float = 10.0) -> None:
        self.path = Path(path)
        self.wait = wait

    def write(self, batch: "pa.Table", *, source: str, wait: float | None = None) -> Landed:
        """Store a batch; spans that DuckDB refuses are left out and counted as unusable.

        Raises:
            DatabaseError: the database cannot be opened, or stays in use.
            duckdb.Error: it cannot be written.
        """
        if not batch.num_rows:
            return Landed()
        deadline = time.monotonic() + (self.wait if wait is None else wait)
        pause = _FIRST_PAUSE
        while True:
            try:
                return self._write_once(batch, source)
            except DatabaseError as error:
                if not is_busy(error) or time.monotonic() + pause > deadline:
                    raise
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _write_once(self, batch: "pa.Table", source: str) -> Landed:
        with _OPEN:
            create_whole(self.path)
            con = connect(self.path, create=True, wait=0)  # somebody may have left an empty one
            try:
                return _land_around_refused(con, batch, source)
            finally:
                con.close()


def is_busy(error: BaseException) -> bool:
    """Return whether a failure only means that somebody else holds the database."""
    return isinstance(error, DatabaseError) and "another process has held the database" in str(error)


def _land_around_refused(con: "DuckDBPyConnection", batch: "pa.Table", source: str) -> Landed:
    try:
        return land(con, batch, source=source)
    except duckdb.DataError:  # a value that no column takes: find the span, keep the others
        half = batch.num_rows // 2
        if not half:
            return Landed(unusable=1)
    return _land_around_refused(con, batch.slice(0, half), source) + _land_around_refused(
        con, batch.slice(half), source
    )

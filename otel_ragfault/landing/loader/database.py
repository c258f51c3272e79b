"""Hold the database for as short as possible, and nobody's fork meanwhile."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from otel_ragfault.errors import DatabaseBusyError, DatabaseError
from otel_ragfault.landing.create import create_whole
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FIRST_PAUSE = 0.01
_LONGEST_PAUSE = 0.25

# Held while a database is open here. A child that is forked meanwhile would share the open file and DuckDB's locks, so
# a fork waits for the milliseconds that a load takes.
_open = threading.RLock()
os.register_at_fork(before=_open.acquire, after_in_parent=_open.release, after_in_child=_open.release)


@contextmanager
def hold(path: Path, deadline: float, on_wait: Callable[[], bool]) -> "Iterator[DuckDBPyConnection]":
    """Open the database for writing, created where there is none, when nobody else holds it.

    Args:
        path: the database.
        deadline: until when to wait, on the monotonic clock.
        on_wait: called each time that it is in use; waiting ends when it returns false.

    Raises:
        DatabaseError: it cannot be opened or stays in use.
    """
    pause = _FIRST_PAUSE
    while True:
        with _open:
            try:
                con = _opened(path)
            except DatabaseError as error:
                if not is_busy(error) or not on_wait() or time.monotonic() + pause > deadline:
                    raise
            else:
                try:
                    yield con
                finally:
                    con.close()
                return
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _opened(path: Path) -> "DuckDBPyConnection":
    try:
        create_whole(path)
    except OSError as error:
        raise DatabaseError(
            f"{path}: cannot be created ({error.strerror or error}); a place for the database was wanted; "
            "make room, or give write permission"
        ) from error
    return connect(path, create=True, wait=0)  # somebody may have left an empty one


def is_busy(error: BaseException) -> bool:
    """Return whether a failure only means that somebody else, in this process or another, is at it."""
    return isinstance(error, DatabaseBusyError)


def checkpoint(con: "DuckDBPyConnection", path: Path) -> bool:
    """Write what is committed into the database file; return whether all of it is there.

    Until then it is in the write-ahead log alone, which a full disk can cut short without anybody being told.
    """
    try:
        con.execute("CHECKPOINT")
    except duckdb.Error:
        return False
    try:
        return not path.with_name(f"{path.name}.wal").stat().st_size
    except FileNotFoundError:
        return True

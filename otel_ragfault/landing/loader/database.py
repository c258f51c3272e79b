"""Hold the database for as short as possible, and nobody's fork meanwhile."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from otel_ragfault.errors import DatabaseBusyError, DatabaseError
from otel_ragfault.landing.create import create_whole
from otel_ragfault.store import attach, connect, detach, start_instance

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FIRST_PAUSE = 0.01
_LONGEST_PAUSE = 0.25
_ROWS_OF_A_GROUP = 1_000

# Held while a database is open here. A child that is forked meanwhile would share the open file and DuckDB's locks, so
# a fork waits for the milliseconds that a load takes.
_open = threading.RLock()
os.register_at_fork(before=_open.acquire, after_in_parent=_open.release, after_in_child=_open.release)


@contextmanager
def hold(
    path: Path, deadline: float, on_wait: Callable[[], bool], instance: "Instance | None" = None
) -> "Iterator[DuckDBPyConnection]":
    """Open the database for writing, created where there is none, when nobody else holds it.

    Args:
        path: the database.
        deadline: until when to wait, on the monotonic clock.
        on_wait: called each time that it is in use; waiting ends when it returns false.
        instance: what to open it in; by default, an instance of DuckDB is started for it.

    Raises:
        DatabaseError: it cannot be opened or stays in use.
    """
    pause = _FIRST_PAUSE
    opener = _opened if instance is None else instance.opened
    while True:
        with _open, ExitStack() as stack:
            try:
                _create(path)
                con = stack.enter_context(opener(path))
            except DatabaseError as error:
                if not is_busy(error) or not on_wait() or time.monotonic() + pause > deadline:
                    raise
            else:
                yield con
                return
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _create(path: Path) -> None:
    try:
        create_whole(path)
    except OSError as error:
        raise DatabaseError(
            f"{path}: cannot be created ({error.strerror or error}); a place for the database was wanted; "
            "make room, or give write permission"
        ) from error


@contextmanager
def _opened(path: Path) -> "Iterator[DuckDBPyConnection]":
    con = connect(path, create=True, wait=0)  # somebody may have left an empty one
    try:
        yield con
    finally:
        con.close()


class Instance:
    """An instance of DuckDB that stays while the database is opened in it and closed again, many times a minute.

    For a process that does nothing else: other connections of the same process find the database in use meanwhile.
    """

    def __init__(self) -> None:
        self._con: DuckDBPyConnection | None = None

    @contextmanager
    def opened(self, path: Path) -> "Iterator[DuckDBPyConnection]":
        """Open the database until the block ends.

        Raises:
            DatabaseError: it cannot be opened, or is in use.
        """
        con = self._con = self._con or start_instance()
        attach(con, path)
        try:
            yield con
        except BaseException:
            self.close()  # whatever state it is in
            raise
        try:
            detach(con)
        except duckdb.Error:
            self.close()

    def close(self) -> None:
        """End the instance; the next use starts another."""
        con, self._con = self._con, None
        if con is not None:
            con.close()


def tune(con: "DuckDBPyConnection", rows: int, *, gentle: bool) -> None:
    """Prepare an open database for a load of so many rows.

    A commit writes the rows into the database file at once instead of into the write-ahead log first. A load of many
    rows makes a row group of its own, which is left alone: by default DuckDB merges small neighbours at a checkpoint,
    and writes every row several times over, for up to seconds. Small loads are merged, or each would be a row group.

    Args:
        con: the database.
        rows: how many rows are going to be stored.
        gentle: use one core only.
    """
    con.execute("SET wal_autocheckpoint = '1KB'")
    con.execute(f"SET max_vacuum_tasks = {0 if rows >= _ROWS_OF_A_GROUP else 1}")
    con.execute("SET threads = 1" if gentle else "RESET threads")


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

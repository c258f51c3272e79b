"""Open a database.

DuckDB lets one process write, or several read. So a connection is opened late, kept short, and a file that somebody
else holds is waited for.
"""

import os
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from otel_ragfault import __version__
from otel_ragfault.errors import DatabaseBusyError, DatabaseError, OlderSchemaError, RagfaultError
from otel_ragfault.store.derived import refresh_derived
from otel_ragfault.store.migrate import can_migrate, migrate
from otel_ragfault.store.schema import SCHEMA_VERSION, check_version, create_schema, stored_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

_FIRST_PAUSE = 0.01
_LONGEST_PAUSE = 0.025  # a loader leaves the database free for little longer
_WRITE_SETTINGS = {"wal_autocheckpoint": "256MB"}  # the default of 16 MB stalls commits for up to a second
_SIGNS_OF_USE = (
    "Could not set lock",
    "Conflicting lock",
    "different configuration than existing connections",  # the loader of this very process
    "Unique file handle conflict",  # the same, attached
)
_ATTACHED = "opened"
_MAGIC, _MAGIC_AT = b"DUCK", 8
_READ_SETTINGS = {"enable_external_access": "false", "lock_configuration": "true"}

# One at a time in a process. DuckDB hands an instance that a thread is still starting to another one that opens the
# same file, which then misses the functions that read Arrow; and two that fill an empty file would be in conflict.
_opening = threading.RLock()
os.register_at_fork(before=_opening.acquire, after_in_parent=_opening.release, after_in_child=_opening.release)


def connect(
    path: str | Path, *, read_only: bool = False, create: bool = False, wait: float = 10.0
) -> "DuckDBPyConnection":
    """Open the database at ``path`` and check its schema.

    Args:
        path: the file.
        read_only: open for reading; statements can then neither change the database nor touch other files.
        create: create the file and its schema where there is none.
        wait: seconds to wait for another process that holds the file.

    Raises:
        DatabaseBusyError: it stays in use.
        DatabaseError: there is no such file, or it is not a database of ours.
        SchemaVersionError: another version of the schema wrote it.
    """
    path = Path(path)
    if not path.exists() and (read_only or not create):
        raise DatabaseError(
            f"{path}: no such database; a file written by a DuckDBSpanExporter or `ragfault import` was wanted; "
            "check --db, or import spans first"
        )
    _check_magic(path)
    con = _open(path, read_only=read_only, wait=wait)
    try:
        with _opening:
            _prepare(con, read_only=read_only, create=create)
    except RagfaultError as error:
        con.close()
        raise type(error)(f"{path}: {error}") from None
    except BaseException:
        con.close()
        raise
    return con


def start_instance() -> "DuckDBPyConnection":
    """Start DuckDB without a database, for :func:`attach`. That takes several times as long as opening one."""
    return duckdb.connect(config={**_WRITE_SETTINGS})


def attach(con: "DuckDBPyConnection", path: Path) -> None:
    """Open the database at ``path`` for writing in an instance that has none open, and check its schema.

    Raises:
        DatabaseBusyError: another process, or another connection of this one, has it.
        DatabaseError: it is not a database of ours.
        SchemaVersionError: another version of the schema wrote it.
    """
    _check_magic(path)
    literal = str(path).replace("'", "''")
    try:
        con.execute(f"ATTACH '{literal}' AS {_ATTACHED}")
    except duckdb.Error as error:
        raise _explained(path, error, 0.0) from error
    try:
        con.execute(f"USE {_ATTACHED}")
        _prepare(con, read_only=False, create=True)
    except RagfaultError as error:
        detach(con)
        raise type(error)(f"{path}: {error}") from None
    except BaseException:
        detach(con)
        raise


def detach(con: "DuckDBPyConnection") -> None:
    """Close what :func:`attach` opened.

    Raises:
        duckdb.Error: it cannot be closed; the instance is of no use any more.
    """
    con.execute("USE memory")
    con.execute(f"DETACH {_ATTACHED}")


def _open(path: Path, *, read_only: bool, wait: float) -> "DuckDBPyConnection":
    settings: dict[str, str | bool | int | float | list[str]] = {**(_READ_SETTINGS if read_only else _WRITE_SETTINGS)}
    deadline = time.monotonic() + wait
    pause = _FIRST_PAUSE
    while True:
        try:
            with _opening:
                return duckdb.connect(str(path), read_only=read_only, config=settings)
        except duckdb.Error as error:
            if not _is_lock(error) or time.monotonic() + pause > deadline:
                raise _explained(path, error, wait) from error
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _check_magic(path: Path) -> None:
    """Refuse a file that is no database. DuckDB opens some of other kinds (Parquet) as if they were an empty one.

    Raises:
        DatabaseError: the file has content, which is none of DuckDB.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_MAGIC_AT + len(_MAGIC))
    except OSError:
        return  # DuckDB says why
    if head and head[_MAGIC_AT:] != _MAGIC:
        reason = "it holds something else"
        raise DatabaseError(f"{path}: cannot be opened as a DuckDB database ({reason}); {_remedy(reason)}")


def _is_lock(error: duckdb.Error) -> bool:
    text = str(error)
    return any(sign in text for sign in _SIGNS_OF_USE)


def _explained(path: Path, error: duckdb.Error, wait: float) -> DatabaseError:
    reason = " ".join(str(error).split())[:300]
    if _is_lock(error):
        return DatabaseBusyError(
            f"{path}: another process has held the database for {wait:g} s ({reason}); "
            "close it there, or try again later"
        )
    return DatabaseError(f"{path}: cannot be opened as a DuckDB database ({reason}); {_remedy(reason)}")


def _remedy(reason: str) -> str:
    if "ermission denied" in reason:
        return "give this user permission to read and write the file and its folder"
    return "name another file, or restore it"


def _prepare(con: "DuckDBPyConnection", *, read_only: bool, create: bool) -> None:
    version = stored_version(con)
    if version is None:
        if read_only or not create:
            raise DatabaseError("the database is empty; a ragfault database was wanted; import spans first")
        with transaction(con):
            create_schema(con, f"otel-ragfault {__version__}")
            refresh_derived(con)
        return
    older = can_migrate(version)
    if not older:
        check_version(version)
    if read_only:
        if older:
            raise OlderSchemaError(
                f"schema version {version} was found, this release reads version {SCHEMA_VERSION}; "
                "bring the file up to date (keep a copy for older releases): ragfault build --db DB"
            )
        return
    with transaction(con):
        if older:
            migrate(con, version)
        refresh_derived(con)


@contextmanager
def transaction(con: "DuckDBPyConnection") -> "Iterator[None]":
    """Run the block in one transaction: all of it is stored, or none."""
    con.execute("BEGIN TRANSACTION")
    try:
        yield
    except BaseException:
        con.execute("ROLLBACK")
        raise
    con.execute("COMMIT")

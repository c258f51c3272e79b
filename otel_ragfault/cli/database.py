"""Open the database for a command: to read it, to write it, or to fill one that may not exist yet."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from otel_ragfault.cli.output import note
from otel_ragfault.errors import DatabaseError, OlderSchemaError
from otel_ragfault.jobs.build import build_requests, needs_build
from otel_ragfault.landing.loader import is_busy, load_spool, spool_status
from otel_ragfault.store import connect, derived_is_current

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_Result = TypeVar("_Result")

_BUILD_WAIT: Final = 2.0  # seconds; reading goes on without the newest spans when the file stays in use
_LOAD_WAIT: Final = 10.0  # seconds that a command which needs every span waits for who holds the database


@contextmanager
def reading(db: Path) -> Iterator["DuckDBPyConnection"]:
    """Open for reading. What waits in the spool is loaded and built first, where nobody else is at it.

    So are tables and views of a file that an earlier release wrote brought up to date.

    Raises:
        DatabaseError: it cannot be opened.
    """
    _load(db, 0.0)
    try:
        con = connect(db, read_only=True)
    except OlderSchemaError:
        connect(db).close()
        con = connect(db, read_only=True)
    try:
        if needs_build(con) or not derived_is_current(con):
            con.close()
            _build(db)
            con = connect(db, read_only=True)
        yield con
    finally:
        con.close()


def _load(db: Path, wait: float) -> None:
    """Load what waits in the spool; leave it to a collector or an exporter that is loading already."""
    if not spool_status(db).files:
        return
    try:
        load_spool(db, wait=wait)
    except DatabaseError as error:
        if not is_busy(error):
            note(f"spans wait in the spool and are left out: {error}")


def _build(db: Path) -> None:
    from otel_ragfault.model import load_config

    mapping = load_config().config.mapping
    try:
        with connect(db, wait=_BUILD_WAIT) as con:
            build_requests(con, mapping=mapping)
    except DatabaseError as error:
        note(f"the newest spans are not built into requests yet, and are left out: {error}")


@contextmanager
def writing(db: Path) -> Iterator["DuckDBPyConnection"]:
    """Open a database that exists for writing, with what waits in the spool loaded first.

    Raises:
        DatabaseError: it cannot be opened.
    """
    _load(db, _LOAD_WAIT)
    with connect(db) as con:
        yield con


def interruptible(con: "DuckDBPyConnection", work: Callable[[], None]) -> None:
    """Do work with a connection so that Ctrl-C ends a query that is running on it.

    DuckDB looks at signals between the tasks that it runs on the main thread, and one task may take for ever.
    """
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            future.result()
        except KeyboardInterrupt:
            con.interrupt()
            raise


def fill(db: Path, load: "Callable[[DuckDBPyConnection], _Result]") -> _Result:
    """Load something into the database, which is created where there is none.

    A new file is created only after the loading has succeeded on a database in memory, so that a mistake leaves no
    file behind.
    """
    if not db.exists():
        with connect(":memory:", create=True) as rehearsal:
            load(rehearsal)
    with connect(db, create=True) as con:
        return load(con)

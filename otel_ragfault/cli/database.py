"""Open the database for a command: to read it, to write it, or to fill one that may not exist yet."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from otel_ragfault.cli.output import note
from otel_ragfault.errors import DatabaseError
from otel_ragfault.jobs.build import build_requests, needs_build
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_Result = TypeVar("_Result")

_BUILD_WAIT: Final = 2.0  # seconds; reading goes on without the newest spans when the file stays in use


@contextmanager
def reading(db: Path) -> Iterator["DuckDBPyConnection"]:
    """Open for reading. Requests whose spans have landed are built first, where the file can be written.

    Raises:
        DatabaseError: it cannot be opened.
    """
    con = connect(db, read_only=True)
    try:
        if needs_build(con):
            con.close()
            _build(db)
            con = connect(db, read_only=True)
        yield con
    finally:
        con.close()


def _build(db: Path) -> None:
    try:
        with connect(db, wait=_BUILD_WAIT) as con:
            build_requests(con)
    except DatabaseError as error:
        note(f"the newest spans are not built into requests yet, and are left out: {error}")


@contextmanager
def writing(db: Path) -> Iterator["DuckDBPyConnection"]:
    """Open a database that exists for writing.

    Raises:
        DatabaseError: it cannot be opened.
    """
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

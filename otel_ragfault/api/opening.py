"""Open a database for a notebook: for moments, so that pipelines and nightly jobs can share the file."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.errors import DatabaseError, OlderSchemaError
from otel_ragfault.jobs.build import build_requests, needs_build
from otel_ragfault.landing.loader import load_spool, spool_status
from otel_ragfault.store import connect, derived_is_current

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config


def bring_up_to_date(path: Path, config: "Config") -> None:
    """Load what waits in the spool, and build it into requests; what somebody else is at already is left to them.

    Raises:
        DatabaseError: the file cannot be opened.
    """
    if spool_status(path).files:
        with suppress(DatabaseError):
            load_spool(path, wait=0.0)
    if _is_up_to_date(path):
        return
    with connect(path) as con:
        build_requests(con, mapping=config.mapping, default_snapshot=config.default_snapshot)


def _is_up_to_date(path: Path) -> bool:
    try:
        with connect(path, read_only=True) as con:
            return not needs_build(con) and derived_is_current(con)
    except OlderSchemaError:
        return False


@contextmanager
def reading(database: "DuckDBPyConnection | Path") -> Iterator["DuckDBPyConnection"]:
    """Open a file for reading, or lend a connection that is open already.

    Raises:
        DatabaseError: the file cannot be opened.
    """
    if not isinstance(database, Path):
        with database.cursor() as cursor:
            yield cursor
        return
    with connect(database, read_only=True) as con:
        yield con

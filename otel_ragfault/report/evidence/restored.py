"""A database in memory that holds the rows of a record and nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final

import duckdb

from otel_ragfault import __version__
from otel_ragfault.errors import InputError
from otel_ragfault.report.evidence.rows import Row, parts, write_rows
from otel_ragfault.sql import read_query
from otel_ragfault.store.derived import refresh_derived
from otel_ragfault.store.schema import create_schema

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ONE: Final = ("request", "gold_case", "label", "label_run")


@contextmanager
def restored(rows: Mapping[str, Sequence[Row]]) -> "Iterator[DuckDBPyConnection]":
    """Put the rows of a record into a database, with the relations that the labelling statement reads.

    Raises:
        InputError: rows are missing, or are no rows of our tables.
        duckdb.Error: they do not fit the schema of this release.
    """
    if rows.keys() != set(parts()):
        raise InputError(f"other rows than those of {', '.join(parts())} were found, or fewer")
    for part in _ONE:
        if len(rows.get(part, ())) != 1:
            raise InputError(f"one row of {part} was wanted, {len(rows.get(part, ()))} were found")
    with closing(duckdb.connect()) as con:
        create_schema(con, f"otel-ragfault {__version__}")
        refresh_derived(con)
        for part in parts():
            if rows[part]:
                write_rows(con, part, rows[part])
        con.execute("CREATE TEMP VIEW subject AS FROM request")
        con.execute("CREATE TEMP VIEW judged AS FROM verdict")
        con.execute(read_query("labelling", "joined").text)
        yield con


def settings(rows: Mapping[str, Sequence[Row]]) -> Row:
    """Return the configuration of the labelling.

    Raises:
        InputError: it is none.
    """
    config = rows["label_run"][0]["config"]
    if not isinstance(config, dict):
        raise InputError("label_run: a configuration was wanted; the file was changed")
    return config


def snapshot(rows: Mapping[str, Sequence[Row]]) -> str | None:
    """Return the snapshot that the request is held against."""
    return next((row["snapshot_id"] for row in rows["corpus_snapshot"]), None)

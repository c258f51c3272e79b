"""Rows of a result by the names of their columns, and tables of Arrow that a statement reads by a name."""

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import duckdb

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from duckdb import DuckDBPyConnection


def named_rows(result: "DuckDBPyConnection") -> list[dict[str, Any]]:
    """Return all rows of a statement that was executed, each by the names of its columns."""
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


@contextmanager
def registered(con: "DuckDBPyConnection", name: str, table: "pa.Table") -> "Iterator[None]":
    """Let statements read a table by a name while the block runs; an error of the block is raised as it is."""
    con.register(name, table)
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # an aborted transaction takes no statement; its end takes the name back
            con.unregister(name)
        raise
    con.unregister(name)

"""Create and check the schema. Its objects are the files of ``queries/schema/``, in the order of its manifest."""

import re
from typing import TYPE_CHECKING

import duckdb

from otel_ragfault.errors import DatabaseError, SchemaVersionError
from otel_ragfault.sql import ordered_queries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

    from otel_ragfault.sql import Query

SCHEMA_VERSION = 3
"""Version of the tables. A change of a table raises it and brings a migration."""

_COLUMN = re.compile(r"^    (?P<name>[a-z_]+) [A-Z].*?-- (?P<comment>.+)$", re.MULTILINE)
_TABLE = re.compile(r"^CREATE TABLE (?P<name>[a-z_]+) \(", re.MULTILINE)


def create_schema(con: "DuckDBPyConnection", created_by: str) -> None:
    """Create every object in an empty database, with a comment on each table and column."""
    for query in ordered_queries("schema"):
        con.execute(query.text)
        describe(con, query)
    con.execute(
        "INSERT INTO ragfault_meta VALUES ('schema_version', ?), ('created_by', ?)", [str(SCHEMA_VERSION), created_by]
    )


def describe(con: "DuckDBPyConnection", query: "Query") -> None:
    """Give a table and its columns the comments of the file that creates it."""
    for statement in _comments(query.header, query.text):
        con.execute(statement)


def _comments(header: str, text: str) -> "Iterator[str]":
    table = _TABLE.search(text)
    if table is None:
        return
    name = table["name"]
    yield f"COMMENT ON TABLE {name} IS {_literal(header)}"
    for column in _COLUMN.finditer(text):
        yield f"COMMENT ON COLUMN {name}.{column['name']} IS {_literal(column['comment'])}"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def stored_version(con: "DuckDBPyConnection") -> int | None:
    """Return the schema version of an open database; ``None`` when the database is empty.

    Raises:
        DatabaseError: the database has tables, but not ours.
    """
    try:
        found = con.execute("SELECT value FROM ragfault_meta WHERE key = 'schema_version'").fetchall()
    except duckdb.CatalogException:
        tables = sorted(row[0] for row in con.execute("SELECT table_name FROM duckdb_tables()").fetchall())
        if not tables:
            return None
        raise DatabaseError(
            f"the file holds other tables ({', '.join(tables[:3])}) and none of ragfault; "
            "a ragfault database was wanted; name another file"
        ) from None
    if len(found) != 1 or not str(found[0][0]).isdecimal():
        raise DatabaseError(
            "the table ragfault_meta holds no schema version; the file is damaged; restore a copy of it"
        )
    return int(found[0][0])


def check_version(found: int) -> None:
    """Refuse a database of another schema version.

    Raises:
        SchemaVersionError: the version is older or newer than this package's.
    """
    if found > SCHEMA_VERSION:
        raise SchemaVersionError(
            f"schema version {found} was found, this release reads version {SCHEMA_VERSION}; "
            "install a newer otel-ragfault (nothing was read or changed)"
        )
    if found < SCHEMA_VERSION:
        raise SchemaVersionError(
            f"schema version {found} was found, this release reads {SCHEMA_VERSION} and has no migration from it; "
            "open it with the release that wrote it (nothing was read or changed)"
        )

"""Bring a database of an older schema version up to date, in one transaction and in place.

``queries/migrations/to_<n>.sql`` leads from version n - 1 to n. Spans are lossless and stay as they are; what is
derived from them is kept too, and derived anew with the next ``ragfault build --all``.
"""

import re
from typing import TYPE_CHECKING

import duckdb

from otel_ragfault.errors import DatabaseError
from otel_ragfault.sql import folder_queries, ordered_queries, read_query
from otel_ragfault.store.schema import SCHEMA_VERSION, describe

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_CREATES = re.compile(r"^CREATE TABLE (?P<name>[a-z_]+) \(", re.MULTILINE)


def can_migrate(version: int) -> bool:
    """Tell whether there is a way from an older schema version to this release's."""
    known = {query.name for query in folder_queries("migrations")}
    return version < SCHEMA_VERSION and all(f"to_{step}" in known for step in range(version + 1, SCHEMA_VERSION + 1))


def migrate(con: "DuckDBPyConnection", version: int) -> None:
    """Change the tables of a database from an older version to this release's; to be called in a transaction.

    Raises:
        DatabaseError: its tables are not those of its version.

    Macros and views are another matter: :func:`~otel_ragfault.store.derived.refresh_derived` follows.
    """
    for step in range(version + 1, SCHEMA_VERSION + 1):
        try:
            con.execute(read_query("migrations", f"to_{step}").text)
        except duckdb.Error as error:
            found = " ".join(str(error).split())[:200]
            raise DatabaseError(
                f"tables of schema version {step - 1} were wanted, others were found ({found}); "
                "nothing was changed; restore a copy, or import the spans into a new file"
            ) from error
    there = {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables() WHERE NOT temporary").fetchall()}
    for query in ordered_queries("schema"):
        table = _CREATES.search(query.text)
        if table is None:
            continue
        if table["name"] not in there:
            con.execute(query.text)
        describe(con, query)
    con.execute("UPDATE ragfault_meta SET value = ? WHERE key = 'schema_version'", [str(SCHEMA_VERSION)])

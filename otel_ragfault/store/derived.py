"""What a database holds that follows from the code alone: macros, views and the table of rules.

It is rewritten when the file is opened for writing by a release whose code differs, so that only a change of a table
needs a new schema version.
"""

import hashlib
from typing import TYPE_CHECKING

from otel_ragfault.faults import advice_rows
from otel_ragfault.sql import ordered_queries

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def refresh_derived(con: "DuckDBPyConnection") -> None:
    """Bring macros, views and the table ``rule`` up to date with this release."""
    if derived_is_current(con):
        return
    for statement in _statements():
        con.execute(statement)
    con.execute("DELETE FROM rule")
    con.executemany("INSERT INTO rule VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", advice_rows())
    con.execute("DELETE FROM ragfault_meta WHERE key = 'derived_digest'")
    con.execute("INSERT INTO ragfault_meta VALUES ('derived_digest', ?)", [_digest()])


def derived_is_current(con: "DuckDBPyConnection") -> bool:
    """Tell whether the views and macros of a database are those of this release, so that its queries find them."""
    return con.execute("SELECT value FROM ragfault_meta WHERE key = 'derived_digest'").fetchall() == [(_digest(),)]


def _statements() -> list[str]:
    return [query.text for query in ordered_queries("schema") if "CREATE OR REPLACE" in query.text]


def _digest() -> str:
    return hashlib.sha256(repr((advice_rows(), _statements())).encode()).hexdigest()

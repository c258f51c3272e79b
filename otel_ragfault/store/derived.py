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
    rows = advice_rows()
    statements = [query.text for query in ordered_queries("schema") if "CREATE OR REPLACE" in query.text]
    digest = hashlib.sha256(repr((rows, statements)).encode()).hexdigest()
    if con.execute("SELECT value FROM ragfault_meta WHERE key = 'derived_digest'").fetchall() == [(digest,)]:
        return
    for statement in statements:
        con.execute(statement)
    con.execute("DELETE FROM rule")
    con.executemany("INSERT INTO rule VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    con.execute("DELETE FROM ragfault_meta WHERE key = 'derived_digest'")
    con.execute("INSERT INTO ragfault_meta VALUES ('derived_digest', ?)", [digest])

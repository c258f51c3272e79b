"""The rules in the database: the table ``rule``, rewritten whenever the code's rules differ from the stored ones."""

import hashlib
from typing import TYPE_CHECKING

from otel_ragfault.faults import advice_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def store_rules(con: "DuckDBPyConnection") -> None:
    """Bring the table ``rule`` up to date with the fault tree of this release."""
    rows = advice_rows()
    digest = hashlib.sha256(repr(rows).encode()).hexdigest()
    stored = con.execute("SELECT value FROM ragfault_meta WHERE key = 'rules_digest'").fetchone()
    if stored == (digest,):
        return
    con.execute("DELETE FROM ragfault_meta WHERE key = 'rules_digest'")
    con.execute("DELETE FROM rule")
    con.executemany("INSERT INTO rule VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    con.execute("INSERT INTO ragfault_meta VALUES ('rules_digest', ?)", [digest])

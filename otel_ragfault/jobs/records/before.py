"""What the table ``request`` holds already: most traces are new, and steps for older ones are then left out."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class Before:
    """How many requests were built before.

    Attributes:
        joined: requests that are made of several traces, whichever.
        again: requests of the traces that are being built.
        sessions: those of them that name a session.
    """

    joined: int
    again: int
    sessions: int

    @classmethod
    def of(cls, con: "DuckDBPyConnection") -> "Before":
        """Count them for the traces of ``dirty_trace``."""
        return cls(*con.execute(read_query("records/jobs", "built_before").body).fetchall()[0])


def take_in_joined(con: "DuckDBPyConnection") -> None:
    """Add to ``dirty_trace`` the traces that make one request with one of them: they are built together."""
    if Before.of(con).joined:
        con.execute(read_query("records/jobs", "add_joined").body)

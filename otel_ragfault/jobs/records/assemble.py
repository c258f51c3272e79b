"""Run the steps of ``queries/records/`` in their order, without those that have nothing to do.

To plan a step takes some milliseconds, to run it over traces without an occasion for it some more; and nearly all
traces have one request, no twins, and no other part in the same session.
"""

from typing import TYPE_CHECKING, Final

from otel_ragfault.jobs.log_messages import read_log_messages
from otel_ragfault.jobs.normalise import read_conventions
from otel_ragfault.jobs.records.before import Before
from otel_ragfault.sql import ordered_queries, read_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from otel_ragfault.model.mapping import ConventionMapping

_STANDS_IN: Final = {"anchor": "only_requests", "joined_trace": "no_joined_trace"}
"""What makes the relation of a step that is left out, for the steps that read it."""

_TWINS: Final = frozenset({"twin_text", "twin"})
_NESTED: Final = frozenset({"nested", "promoted"})
_SEVERAL: Final = frozenset({"anchor"})
_JOINED: Final = frozenset({"joined_trace", "adopted"})
_SESSIONS: Final = frozenset({"session_part"}) | _JOINED


def assemble(con: "DuckDBPyConnection", mapping: "Sequence[ConventionMapping]") -> Before:
    """Make the table ``record`` from the spans of ``dirty_trace``; return what was there of its requests.

    Traces that were built before and belong to one of these are taken in.
    """
    before = Before.of(con)
    while not _assembled(con, mapping, before):
        before = Before.of(con)
    return before


def _assembled(con: "DuckDBPyConnection", mapping: "Sequence[ConventionMapping]", before: Before) -> bool:
    """Run the steps; return ``False`` where traces came in that have to be read as well."""
    left_out: frozenset[str] = frozenset()
    for query in ordered_queries("records"):
        if query.name not in left_out:
            con.execute(query.text)
        elif query.name in _STANDS_IN:
            con.execute(read_query("records/jobs", _STANDS_IN[query.name]).text)
        if query.name == "stage":
            read_conventions(con, mapping)
            read_log_messages(con)
            left_out = _without_occasion(con, before)
        elif query.name == "session_part" and query.name not in left_out:
            if _takes_in_parts(con):
                return False
            if not _row(con, "SELECT count(*) FROM session_part")[0]:
                left_out |= _JOINED
    return True


def _without_occasion(con: "DuckDBPyConnection", before: Before) -> frozenset[str]:
    twins, outer_retrievals, several, sessions = _row(con, read_query("records/jobs", "occasion").body)
    nested = outer_retrievals and _row(con, read_query("records/jobs", "inside_retrieval").body)[0]
    occasions = {
        _TWINS: twins,
        _NESTED: nested,
        _SEVERAL: several,
        _SESSIONS: sessions or before.sessions,
    }
    return frozenset().union(*(steps for steps, occasion in occasions.items() if not occasion))


def _takes_in_parts(con: "DuckDBPyConnection") -> bool:
    return bool(_row(con, read_query("records/jobs", "add_parts").body)[0])


def _row(con: "DuckDBPyConnection", sql: str) -> tuple[int, ...]:
    return con.execute(sql).fetchall()[0]

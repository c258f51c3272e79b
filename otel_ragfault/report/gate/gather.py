"""What a report of a gate shows beside the result, read from the database."""

from typing import TYPE_CHECKING, Final

from otel_ragfault.faults import is_pass
from otel_ragfault.jobs.gating import GateResult
from otel_ragfault.report.card import find_cards
from otel_ragfault.report.card_text import card_text
from otel_ragfault.report.gate.extras import Extras, Place, ProbeRow
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MOST_CARDS: Final = 20


def gather_extras(con: "DuckDBPyConnection", result: GateResult, *, cards: bool = True) -> Extras:
    """Return cards, places of gold and probes.

    Args:
        con: the database of the run.
        result: the gate.
        cards: whether cards are wanted, of the first cases that became worse; each takes a moment to read.
    """
    shown = _shown(result) if cards else []
    rows = con.execute(read_query("gating", "gold_places").body).fetchall()
    return Extras(
        cards={case_id: text for case_id in shown if (text := _card(con, result, case_id)) is not None},
        places={case_id: Place(file, line) for case_id, file, line in rows},
        probes=_probes(con, result),
    )


def _probes(con: "DuckDBPyConnection", result: GateResult) -> list[ProbeRow]:
    requests = {"request_ids": [case.state.request_id for case in result.cases]}
    rows = con.execute(read_query("gating", "probes").body, requests).fetchall()
    return [ProbeRow(case_id, results, readings or "") for case_id, _, results, readings in rows]


def _shown(result: GateResult) -> list[str]:
    """Return the cases whose cards are worth reading: those that became worse, or, without a baseline, that fail."""
    if result.comparison is not None:
        return result.worse[:_MOST_CARDS]
    failing = [case.case_id for case in result.cases if not is_pass(case.state.label)]
    return failing[:_MOST_CARDS]


def _card(con: "DuckDBPyConnection", result: GateResult, case_id: str) -> str | None:
    state = next(case.state for case in result.cases if case.case_id == case_id)
    cards = find_cards(con, state.request_id, limit=1)
    return card_text(cards[0]) if cards else None

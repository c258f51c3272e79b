"""The card of a request: everything that its label rests on, read from the database."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import orjson

from otel_ragfault.report.card_probes import CardProbe, find_probes
from otel_ragfault.report.card_verdicts import CardVerdict, find_verdicts
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class Evidence:
    """One member of a required group of a case, and where the request has it.

    Ranks are 1-based; ``None`` is nowhere, or not known. ``chunk_id`` is ``None`` where evidence is named by ``quote``
    and no chunk is known to hold it; ``split`` tells that chunking cut the quote, so that several groups stand for it.
    """

    group_no: int
    member_no: int
    chunk_id: str | None
    rank: int | None
    score: float | None
    candidate_rank: int | None
    in_prompt: bool | None
    cited: bool | None
    indexed: bool | None
    text: str | None
    quote: str | None
    split: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A request with its gold, its newest label, the verdicts that count now and what its probes mean.

    ``fields`` holds the columns of ``queries/card/request.sql``.
    """

    fields: dict[str, Any]
    evidence: tuple[Evidence, ...]
    verdicts: tuple[CardVerdict, ...] = ()
    probes: tuple[CardProbe, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def as_json(self) -> dict[str, Any]:
        """Return the card as plain values: times as ISO 8601 text in UTC, ids as hex."""
        started_at = self["started_at"]
        plain = {**self.fields, "started_at": None if started_at is None else f"{started_at.isoformat()}Z"}
        return {
            **plain,
            "evidence": [asdict(evidence) for evidence in self.evidence],
            "verdicts": [asdict(verdict) for verdict in self.verdicts],
            "probes": [asdict(probe) for probe in self.probes],
        }


def find_cards(con: "DuckDBPyConnection", needle: str, *, limit: int | None = None) -> list[Card]:
    """Return the cards of the requests that belong to a case id, a trace id or a request id, newest first.

    Args:
        con: a database open for reading.
        needle: the id, a trace or request id as hex digits.
        limit: how many cards at the most; ``None`` for all.
    """
    from otel_ragfault.store import named_rows  # help imports this module, and no database

    result = con.execute(read_query("card", "request").text, {"needle": needle, "limit": limit})
    found = named_rows(result)
    return [
        Card(
            _parsed(fields),
            _evidence(con, fields),
            find_verdicts(con, fields["request_id"]),
            find_probes(con, fields["request_id"]),
        )
        for fields in found
    ]


def _parsed(fields: dict[str, Any]) -> dict[str, Any]:
    for name in ("detail", "answer_check"):
        if fields[name] is not None:
            fields[name] = orjson.loads(fields[name])
    return fields


def _evidence(con: "DuckDBPyConnection", fields: dict[str, Any]) -> tuple[Evidence, ...]:
    if fields["case_id"] is None:
        return ()
    parameters = {"request_id": fields["request_id"], "case_id": fields["case_id"]}
    rows = con.execute(read_query("card", "evidence").text, parameters).fetchall()
    return tuple(Evidence(*row) for row in rows)

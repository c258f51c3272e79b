"""The probes of a card: what they mean, on what that rests, what is next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class CardProbe:
    """A reading of the probes of a request; ``refines`` is the label that it makes finer."""

    reading: str
    refines: str | None
    meaning: str
    evidence: str
    next_experiment: str
    generator_id: str


def find_probes(con: "DuckDBPyConnection", request_id: str) -> tuple[CardProbe, ...]:
    """Return the readings of a request, in the order in which they are told."""
    rows = con.execute(read_query("card", "probes").body, {"request_id": request_id}).fetchall()
    return tuple(CardProbe(*row) for row in rows)


def probe_texts(probes: Sequence[CardProbe]) -> list[str]:
    """Return readings as a card tells them: the one that refines the label with what is next, the others in short."""
    return [
        f"{probe.reading}: {probe.meaning} ({probe.evidence})"
        + (f" Next: {probe.next_experiment}" if probe.refines is not None else "")
        for probe in probes
    ]

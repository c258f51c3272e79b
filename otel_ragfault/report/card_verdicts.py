"""The verdicts of a card: what counts, who says so, and whom not to rely on."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SAYS = {True: "yes", False: "no", None: "cannot be told"}


@dataclass(frozen=True, slots=True)
class CardVerdict:
    """A verdict that counts, with the judges of its source.

    Attributes:
        subject: what was judged.
        target: the claim or the cited chunk; ``None`` for the whole answer.
        claim_id: for a citation, the claim that cites.
        claim: text of the claim.
        value: the verdict; ``None`` where it cannot be told.
        source: who decided: human, rule, code or model.
        reason: why.
        disputed: whether another source says the opposite.
        judges: names behind the source.
        below_floor: those of them that agree too little with people.
    """

    subject: str
    target: str | None
    claim_id: str | None
    claim: str | None
    value: bool | None
    source: str
    reason: str | None
    disputed: bool
    judges: list[str]
    below_floor: list[str]

    def __str__(self) -> str:
        what = " of ".join(part for part in (self.target, self.claim_id) if part is not None)
        name = f"{self.subject} {what}".strip()
        who = f"{self.source}: {', '.join(self.judges)}" if self.judges else self.source
        floor = f"; {', '.join(self.below_floor)} below the floor of agreement" if self.below_floor else ""
        return f"{name} {_SAYS[self.value]} ({who}{'; disputed' if self.disputed else ''}{floor})"


def find_verdicts(con: "DuckDBPyConnection", request_id: str) -> tuple[CardVerdict, ...]:
    """Return the verdicts that count for a request."""
    rows = con.execute(read_query("card", "verdicts").body, {"request_id": request_id}).fetchall()
    return tuple(CardVerdict(*row) for row in rows)


def verdicts_text(verdicts: tuple[CardVerdict, ...]) -> str | None:
    """Return the verdicts in a line; ``None`` where only our own rules judged, which the outcome tells already."""
    if all(verdict.source == "rule" and not verdict.disputed for verdict in verdicts):
        return None
    return ", ".join(str(verdict) for verdict in verdicts if verdict.value is not None) or None

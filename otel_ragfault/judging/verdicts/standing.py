"""How far a judge can be trusted, for every report that uses its verdicts."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class JudgeStanding:
    """A judge on one subject: its agreement with people, and with itself over repeats.

    Attributes:
        source: model, code or rule.
        judge: its name; ``None`` for our own rules.
        prompt_version: the version of its prompt; ``None`` without one.
        subject: what it judges.
        judged: how many things it judged.
        compared: how many of them people judged as well.
        agreement: share of those on which both say the same; ``None`` without any.
        kappa: Cohen's kappa; ``None`` where it is not defined.
        true_true: how often both say yes.
        true_false: how often people say yes and the judge no.
        false_true: how often people say no and the judge yes.
        false_false: how often both say no.
        repeat_agreement: share of pairs of repeats that say the same; ``None`` without repeats.
        below_floor: whether it agrees less than the configuration asks for; ``None`` when nobody can tell.
    """

    source: str
    judge: str | None
    prompt_version: str | None
    subject: str
    judged: int
    compared: int
    agreement: float | None
    kappa: float | None
    true_true: int
    true_false: int
    false_true: int
    false_false: int
    repeat_agreement: float | None
    below_floor: bool | None

    @property
    def name(self) -> str:
        """The judge as people call it."""
        return self.judge or "our rules"

    @property
    def warning(self) -> str | None:
        """The line that a report says of a judge below the floor; ``None`` for any other."""
        if not self.below_floor:
            return None
        kappa = "" if self.kappa is None else f", kappa {self.kappa:.2f}"
        return (
            f"judge {self.name!r} on {self.subject}: agrees with people on {self.agreement:.0%} of {self.compared}"
            f"{kappa}, which is below the floor; do not rely on its verdicts (ragfault judge agreement)"
        )


def judge_standings(con: "DuckDBPyConnection", *, rules_too: bool = False) -> list[JudgeStanding]:
    """Return how the judges stand, one entry a judge and subject.

    Args:
        con: a database open for reading.
        rules_too: also rate our own rules, which reads every verdict.
    """
    rows = con.execute(read_query("judging", "standing").body, {"others_only": not rules_too}).fetchall()
    return [JudgeStanding(*row) for row in rows]

"""What a gate found, as values."""

from dataclasses import dataclass, field
from typing import Literal

from otel_ragfault.jobs.comparing import CaseChange, CaseState, Comparison, Side

Kind = Literal["require", "no_regression", "no_new_failures"]
"""What a rule is: a threshold, a figure that must not become worse, or no failure that was none before."""

Answer = Literal["passed", "failed", "not decidable"]
"""What the cases say about a rule."""

Effect = Literal["pass", "warn", "fail"]
"""What a rule does to the gate."""


@dataclass(frozen=True, slots=True)
class RunCase:
    """A case of the run that is looked at."""

    case_id: str
    query: str
    state: CaseState
    tags: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RuleResult:
    """A rule and what became of it.

    ``value`` is the figure of the run, ``before`` that of the baseline over the same ``cases``, ``change`` what it
    became worse by (less than zero: better), ``low`` and ``high`` its interval, of the value where there is no
    baseline. ``case_ids`` are the cases that speak against the rule. ``cases_needed``: so many it would take to see a
    drop of the size that the gate should see.
    """

    kind: Kind
    figure: str
    wanted: str
    answer: Answer
    effect: Effect
    reason: str
    cases: int
    value: float | None = None
    before: float | None = None
    change: float | None = None
    low: float | None = None
    high: float | None = None
    worse: int | None = None
    better: int | None = None
    p_value: float | None = None
    adjusted_p: float | None = None
    cases_needed: int | None = None
    case_ids: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Blame:
    """Where cases became worse: the boundary (``error`` and ``unknown`` beside them), and the labels they have now."""

    boundary: str
    case_ids: list[str]
    labels: dict[str, int]


@dataclass(frozen=True, slots=True)
class GateResult:
    """A gate: its verdict, its rules, and what they rest on.

    ``comparison`` is ``None`` where there is no baseline. ``blames`` are the places where cases became worse, the one
    with the most first. ``interval_confidence`` is that of the intervals of changes: it follows from the rate of false
    alarms and from the number of rules that share it.
    """

    passed: bool
    rules: list[RuleResult]
    run: Side
    cases: list[RunCase]
    comparison: Comparison | None
    blames: list[Blame]
    false_alarm_rate: float
    correction: str
    sharing: int
    interval_confidence: float
    warnings: list[str] = field(default_factory=list)

    @property
    def undecided(self) -> list[RuleResult]:
        """The rules that the cases cannot decide."""
        return [rule for rule in self.rules if rule.answer == "not decidable"]

    @property
    def worse(self) -> list[str]:
        """The cases that became worse."""
        return [case_id for blame in self.blames for case_id in blame.case_ids]

    @property
    def changes(self) -> dict[str, CaseChange]:
        """The cases on both sides, by their id."""
        return {} if self.comparison is None else {change.case_id: change for change in self.comparison.cases}

"""What a comparison of two runs found, as values: no logic beside what follows from the fields."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from otel_ragfault.statistics.resampling import Method

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Kind = Literal["pipeline", "labelling"]
"""What a run is: requests that one run of the pipeline sent (``request.run_id``), or one labelling of requests."""

Change = Literal["improved", "unchanged", "moved", "regressed"]
"""What became of a case. ``moved``: another label, and the answer is as right or as wrong as before."""

Direction = Literal["increases", "decreases", "unchanged"]
"""What a hypothesis says that a figure does."""

Answer = Literal["yes", "no", "not decidable"]
"""What the cases say about a hypothesis."""


class Source(NamedTuple):
    """Where the requests of a side are: a database, or its file, and a run in it; ``None`` is all of its requests.

    ``path`` is the file of a database that is open already, for reports.
    """

    database: "DuckDBPyConnection | Path"
    run: str | None = None
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two sides.

    ``run`` is ``None`` for all requests of a database. ``labellings`` are the labellings that the labels come from.
    ``settings`` are the values that were observed, by the name of the setting, as text; a request without one counts
    as ``not recorded``.
    """

    database: Path | None
    run: str | None
    kind: Kind
    cases: int
    requests: int
    settings: dict[str, list[str]]
    labellings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CaseState:
    """A case on one side.

    ``passed``: the outcome is right; a refusal or a question back counts where gold expects one; ``None`` is not known.
    Where several ``requests`` asked the case, ``passed`` is what more than half of those with a known outcome are
    (a tie is not passed), ``label`` the most frequent label among those that agree, the newest of equals,
    and the other fields are those of the newest request with that label. ``stopped_at`` is the rule where the walk of
    the fault tree ended. ``labels`` counts the labels of all requests.
    ``values`` are the measures of the case, in the mean over its requests; a measure that is not known is left out.
    """

    label: str
    boundary: str | None
    outcome: str
    passed: bool | None
    latent: bool
    request_id: str
    k: int | None
    requests: int
    retrieved: bool | None
    grounded: bool | None
    correct: bool | None
    cited: bool | None
    stopped_at: str | None = None
    labels: dict[str, int] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CaseChange:
    """A case on both sides, and what became of it."""

    case_id: str
    query: str
    before: CaseState
    after: CaseState
    change: Change
    tags: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of a measure on both sides and the mean paired change, over the cases that have a value on both.

    ``left_out`` counts the cases that lack one. ``low`` and ``high`` are ``None`` for fewer than two cases.
    ``p_value`` tests the change of a slice; ``adjusted_p`` is corrected for the number of slices.
    """

    name: str
    cases: int
    before: float | None
    after: float | None
    change: float | None
    low: float | None
    high: float | None
    p_value: float | None = None
    adjusted_p: float | None = None
    slice: str | None = None
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class PassTest:
    """The exact McNemar test over the cases whose outcome is known on both sides."""

    both_pass: int
    both_fail: int
    only_before: int
    only_after: int
    p_value: float
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A hypothesis that was declared beforehand, and its answer.

    ``label`` is the label or the measure that it speaks of; ``by`` the change that it claims at least. ``before`` and
    ``after`` are the share of cases with the label, or the mean. ``cases_needed``: so many it would take to decide,
    were the change as large as the one that was seen (or claimed); ``None`` where it is decided, or nothing was seen.
    """

    text: str
    label: str
    direction: Direction
    answer: Answer
    before: float | None
    after: float | None
    cases: int
    p_value: float | None
    cases_needed: int | None
    by: float = 0.0
    low: float | None = None
    high: float | None = None
    reason: str = ""


class LabelChange(NamedTuple):
    """How many cases went from one label, or outcome, to another, or kept it."""

    before: str
    after: str
    cases: int


class BoundaryChange(NamedTuple):
    """What became of cases at a boundary.

    A case fails there, gets past it, or is lost before it (``not_reached`` on either side: nothing can be said).
    """

    boundary: str
    improved: int
    unchanged: int
    regressed: int
    not_reached: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that a comparison found. ``changed_settings`` are those that differ, with the values of both sides."""

    before: Side
    after: Side
    changed_settings: dict[str, tuple[list[str], list[str]]]
    warnings: list[str]
    cases: list[CaseChange]
    only_before: list[str]
    only_after: list[str]
    labels: list[LabelChange]
    outcomes: list[LabelChange]
    boundaries: list[BoundaryChange]
    differences: list[Difference]
    pass_test: PassTest
    slices: list[Difference]
    hypotheses: list[Hypothesis]
    seed: int
    replicates: int
    confidence: float
    interval: Method = "best"

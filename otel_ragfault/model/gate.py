"""What the configuration says about a gate: what has to hold of a run, and what must not have become worse."""

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, Self, get_args

import orjson
from pydantic import BeforeValidator, Field, model_validator

from otel_ragfault.model.fields import StrictModel, Text, listed
from otel_ragfault.model.problems import at_field

Undecidable = Literal["pass", "warn", "fail"]
"""What becomes of the gate when the cases cannot decide a rule."""

Correction = Literal["tarone", "holm", "bonferroni", "none"]
"""How the rate of false alarms is kept for the gate as a whole when several rules are tested."""

Boundary = Literal["source set", "retrieval", "assembly", "decision", "generation", "citation"]
"""The boundaries, in the order of the walk."""

BOUNDARIES: Final[tuple[Boundary, ...]] = get_args(Boundary)
UNDECIDABLE: Final[tuple[Undecidable, ...]] = get_args(Undecidable)

_NAMES: Final = ("measure", "label", "boundary")


class Figure(StrictModel):
    """A figure of a run: a measure, the share of a label, or the share lost at a boundary.

    Attributes:
        measure: ``passed``, ``correct``, ``grounded``, ``cited``, ``retrieved``, ``latent``, or a retrieval measure at
            a cutoff, such as ``recall_groups@5``; without a cutoff it is that of the whole ranking.
        label: a label, or a family of labels: ``unknown`` stands for every ``unknown.…``.
        boundary: where evidence is lost.
        tag: only cases with this tag.
    """

    measure: Text | None = None
    label: Text | None = None
    boundary: Boundary | None = None
    tag: Text | None = None

    @model_validator(mode="after")
    def _one_figure(self) -> Self:
        given = [name for name in _NAMES if getattr(self, name) is not None]
        if len(given) != 1:
            raise at_field(
                given[1] if given else _NAMES[0],
                f"found {' and '.join(given) or 'none of measure, label and boundary'}, wanted exactly one of them",
            )
        return self

    @property
    def name(self) -> str:
        """The figure in one text: ``passed``, ``label:unknown``, ``boundary:retrieval``, each with ``[tag]``."""
        bare = self.measure or (f"label:{self.label}" if self.label else f"boundary:{self.boundary}")
        return bare if self.tag is None else f"{bare} [{self.tag}]"

    @property
    def lower_is_better(self) -> bool:
        """Whether it counts what went wrong."""
        family = (self.label or "").split(".", 1)[0]
        return self.measure == "latent" or self.boundary is not None or (self.label is not None and family != "pass")

    @property
    def cutoff(self) -> int | None:
        """The k of a retrieval measure."""
        _, at, k = (self.measure or "").partition("@")
        return int(k) if at and k.isdecimal() and k.isascii() else None


class Requirement(Figure):
    """A threshold. One entry of ``[[gate.require]]``.

    Attributes:
        at_least: the lowest value that is accepted.
        at_most: the highest.
        of: whether the threshold is for the share of cases (the mean, of a measure) or for their count.
        use: whether the value is held against the threshold, or the bound of its interval: then the threshold has to
            lie outside the interval, and inside it nothing is decided.
        when_undecidable: what to do when the value is not known, or the interval does not decide.
    """

    at_least: float | None = None
    at_most: float | None = None
    of: Literal["share", "count"] = "share"
    use: Literal["value", "bound"] = "value"
    when_undecidable: Undecidable = "fail"

    @model_validator(mode="after")
    def _some_limit(self) -> Self:
        if self.at_least is None and self.at_most is None:
            raise at_field("at_least", "is missing, and so is at_most; give one of them")
        if self.of == "count" and self.use == "bound":
            raise at_field("use", "found 'bound' for a count, wanted of = 'share': a count has no interval")
        if self.of == "share" and max(self.at_least or 0.0, self.at_most or 0.0) > 1:
            raise at_field("of", "found a share above 1; for a number of cases give of = 'count'")
        return self


class NoRegression(Figure):
    """A figure that must not have become worse than it was before. One entry of ``[[gate.no_regression]]``.

    Attributes:
        tolerance: how much worse it may become, in the unit of the figure: 0.02 is two points of a share.
        when_undecidable: what to do when the cases are too few; without it as the gate says.
    """

    tolerance: Annotated[float, Field(ge=0, lt=1)] = 0.0
    when_undecidable: Undecidable | None = None


DEFAULT_NO_REGRESSION: Final[tuple[NoRegression, ...]] = (
    NoRegression(measure="passed"),
    *(NoRegression(boundary=boundary) for boundary in BOUNDARIES),
    NoRegression(label="unknown"),
    NoRegression(label="error"),
)
"""What must not regress where nothing else is said. What became unknown or ended in an error is lost to all others."""


class GateConfig(StrictModel):
    """The table ``[gate]`` of the configuration.

    Attributes:
        require: thresholds.
        no_regression: figures that must not become worse; where it is not given, ``DEFAULT_NO_REGRESSION``.
        no_new_failures: whether no case at all may fail that passed before: for pipelines that repeat themselves.
        false_alarm_rate: how often the gate may fail although nothing has changed, over all its rules together.
        correction: how that rate is kept over several rules; ``tarone`` leaves out those that could raise no alarm.
        detect: a drop that the gate should see; a sample in which it would be inside the noise decides nothing.
        when_undecidable: what to do then.
    """

    require: Annotated[tuple[Requirement, ...], BeforeValidator(listed)] = ()
    no_regression: Annotated[tuple[NoRegression, ...], BeforeValidator(listed)] = ()
    no_new_failures: bool = False
    false_alarm_rate: Annotated[float, Field(gt=0, le=0.5)] = 0.05
    correction: Correction = "tarone"
    detect: Annotated[float, Field(gt=0, lt=1)] = 0.2
    when_undecidable: Undecidable = "warn"

    @property
    def kept(self) -> tuple[NoRegression, ...]:
        """What must not become worse than a baseline: what is said, an empty list too, or else the default."""
        return self.no_regression if "no_regression" in self.model_fields_set else DEFAULT_NO_REGRESSION

    @property
    def cutoffs(self) -> set[int]:
        """The cutoffs that its rules look down to."""
        return {figure.cutoff for figure in self._figures() if figure.cutoff is not None}

    def _figures(self) -> Iterator[Figure]:
        yield from self.require
        yield from self.no_regression


def gate_object(value: Any) -> Any:
    """Read the table as TOML has it, or as JSON text, as the environment gives it."""
    if not isinstance(value, str):
        return {} if value is None else value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value

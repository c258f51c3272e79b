"""What a comparison can speak of by name: measures, labels, families of labels, boundaries, outcomes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from otel_ragfault.errors import InputError
from otel_ragfault.faults import RULES, stops
from otel_ragfault.jobs.comparing.boundaries import boundaries
from otel_ragfault.jobs.comparing.reading import EVIDENCE_IN_PROMPT
from otel_ragfault.jobs.comparing.result import CaseState
from otel_ragfault.jobs.comparing.states import PROPOSITIONS
from otel_ragfault.jobs.measure_names import MEASURES, measure_called
from otel_ragfault.model.wording import did_you_mean

Value = Callable[[CaseState], float | None]

_OUTCOMES: Final = ("wrong", "refused", "unjudged")
_SHOWN: Final = 14  # names that an error lists


@dataclass(frozen=True, slots=True)
class Figure:
    """Something that each case has a number of, from 0 to 1; ``is_share`` where it is a share of requests."""

    name: str
    value: Value
    is_share: bool = False


def shown_measures(cutoffs: Sequence[int]) -> list[str]:
    """Return the measures that a comparison shows."""
    ranked = [f"{name}@{k}" for name in ("recall_groups", "ndcg") for k in cutoffs]
    return [*PROPOSITIONS, EVIDENCE_IN_PROMPT, *ranked, "mrr"]


def measure_figure(name: str) -> Figure:
    """Return the figure of a measure: its mean over the requests of a case."""
    return Figure(name, lambda state: state.values.get(name))


def figure_of(name: str, cutoffs: Sequence[int]) -> Figure:
    """Return the figure of a name.

    Raises:
        InputError: there is no such figure.
    """
    measure = measure_called(name)
    if measure in _measures(cutoffs):
        return measure_figure(measure)
    if name in boundaries():
        return Figure(name, lambda state: _share(state, lambda label: _boundary_of().get(label) == name), is_share=True)
    if name in _OUTCOMES:
        return Figure(name, lambda state: float(state.outcome == name), is_share=True)
    if name in _labels():
        return Figure(name, lambda state: _share(state, lambda label: label == name), is_share=True)
    if name in _families():
        return Figure(name, lambda state: _share(state, lambda label: label.startswith(f"{name}.")), is_share=True)
    raise InputError(_unknown(name, cutoffs))


def _measures(cutoffs: Sequence[int]) -> list[str]:
    at = [f"{name}@{k}" for name in MEASURES for k in cutoffs]
    return [*PROPOSITIONS, "latent", EVIDENCE_IN_PROMPT, *MEASURES, *at]


def _share(state: CaseState, holds: Callable[[str], bool]) -> float:
    return sum(count for label, count in state.labels.items() if holds(label)) / state.requests


@cache
def _labels() -> frozenset[str]:
    return frozenset(stop.label for stop in stops())


@cache
def _families() -> frozenset[str]:
    return frozenset(label.split(".", 1)[0] for label in _labels() if "." in label)


@cache
def _boundary_of() -> dict[str, str | None]:
    return {rule.key: rule.boundary for rule in RULES}


def _unknown(name: str, cutoffs: Sequence[int]) -> str:
    known = [*_measures(cutoffs), *boundaries(), *_OUTCOMES, *sorted(_labels()), *sorted(_families())]
    meant = did_you_mean(name, known)
    bare, at, _ = measure_called(name).partition("@")
    if at and bare in MEASURES:
        ranks = ", ".join(str(k) for k in cutoffs)
        return f"{name!r}: found a rank that is not measured; one of {ranks} was wanted; add it to measure_cutoffs"
    advice = f"did you mean {meant!r}?" if meant else f"such as {', '.join(known[:_SHOWN])}"
    return f"{name!r} is neither a measure nor a label nor a boundary; one of these was wanted; {advice}"

"""Figures of a case: what a rule of a gate speaks of, as a number between 0 and 1, or not known."""

from typing import TYPE_CHECKING, Final

from otel_ragfault.errors import ConfigError
from otel_ragfault.faults import stops
from otel_ragfault.jobs.comparing import CaseState
from otel_ragfault.jobs.comparing.boundaries import got_past
from otel_ragfault.jobs.comparing.reading import EVIDENCE_IN_PROMPT
from otel_ragfault.jobs.measure_names import MEASURES, OTHER_NAMES, measure_called
from otel_ragfault.model.gate import Figure
from otel_ragfault.model.wording import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

PROPOSITIONS: Final = ("passed", "correct", "grounded", "cited", "retrieved", "latent")
"""What is true, false or not known of a case."""

_NEITHER: Final = ("error", "unknown")
_LISTED: Final = 12  # tags that an error names


def value_of(figure: Figure, state: CaseState) -> float | None:
    """Return the figure of a case, in the mean over its requests; ``None`` where it is not known, or does not apply."""
    if figure.label is not None:
        labels = state.labels or {state.label: 1}
        return sum(count for label, count in labels.items() if is_of(label, figure.label)) / sum(labels.values())
    if figure.boundary is not None:
        past = got_past(state, figure.boundary)
        return None if past is None else float(not past)
    name = measure_called(str(figure.measure))
    if name in state.values or name not in PROPOSITIONS:
        return state.values.get(name)
    known = getattr(state, name)
    return None if known is None else float(known)


def is_of(label: str, name: str) -> bool:
    """Tell whether a label is the named one, or of the named family."""
    return label == name or label.startswith(f"{name}.")


def is_neither(label: str) -> bool:
    """Tell whether a label says neither that a case passed nor where it was lost."""
    return any(is_of(label, family) for family in _NEITHER)


def place_of(state: CaseState) -> str:
    """Return where a case was lost: a boundary, ``error``, ``unknown``, or ``none``."""
    return state.boundary or next((family for family in _NEITHER if is_of(state.label, family)), "none")


def check_figures(figures: "Iterable[Figure]", cutoffs: "Iterable[int]") -> None:
    """Refuse figures that there are not.

    Raises:
        ConfigError: a measure or a label is not known, or a cutoff is not measured.
    """
    labels = {stop.label for stop in stops()}
    families = {label.rsplit(".", 1)[0] for label in labels}
    for figure in figures:
        if figure.label is not None and figure.label not in labels | families:
            raise ConfigError(_unknown("label", figure.label, sorted(labels | families)))
        if figure.measure is not None and figure.measure not in PROPOSITIONS:
            _check_measure(measure_called(figure.measure), set(cutoffs))


def check_tags(figures: "Iterable[Figure]", known: "Iterable[str]") -> None:
    """Refuse tags that no case has: what is said of none of them would never fail.

    Raises:
        ConfigError: there is no case with a tag.
    """
    tags = sorted(set(known))
    for figure in figures:
        if figure.tag is not None and figure.tag not in tags:
            meant = did_you_mean(figure.tag, tags)
            few = ", ".join(tags[:_LISTED]) + (" …" if len(tags) > _LISTED else "")
            advice = f"did you mean {meant!r}?" if meant else f"known are {few}" if tags else "none of them has a tag"
            raise ConfigError(f"gate: {figure.name}: no case has the tag {figure.tag!r}; {advice}")


def _check_measure(name: str, cutoffs: set[int]) -> None:
    bare, at, k = name.partition("@")
    if bare not in MEASURES and name != EVIDENCE_IN_PROMPT:
        raise ConfigError(_unknown_measure(name))
    if at and not (k.isascii() and k.isdecimal() and int(k) in cutoffs):
        raise ConfigError(
            f"gate: measure {name!r}: found the cutoff {k!r}, wanted one of measure_cutoffs "
            f"({', '.join(map(str, sorted(cutoffs)))}); write it as {bare}@5"
        )


def _unknown_measure(name: str) -> str:
    """Say what may have been meant: a measure at the cutoff that was given, or a label."""
    bare, at, k = name.partition("@")
    known = [*PROPOSITIONS, EVIDENCE_IN_PROMPT, *MEASURES]
    labels = [f"label:{label}" for label in sorted({stop.label for stop in stops()})]
    other = did_you_mean(f"label:{name}", labels) if "." in name else None
    meant = other or did_you_mean(bare, [*known, *OTHER_NAMES])
    ranked = at and meant not in {*PROPOSITIONS, EVIDENCE_IN_PROMPT, other}
    full = f"{meant}@{k}" if ranked else meant
    advice = f"did you mean {full!r}?" if meant else f"wanted one of {', '.join(known)}"
    return f"gate: measure {name!r} is not known; {advice}"


def _unknown(kind: str, name: str, known: list[str]) -> str:
    meant = did_you_mean(name, known)
    advice = f"did you mean {meant!r}?" if meant else f"wanted one of {', '.join(known)}"
    return f"gate: {kind} {name!r} is not known; {advice}"

"""What became of cases at each boundary: failed there, got past it, or never came there.

A walk of the fault tree that ended says nothing about the boundaries behind its end. So a case that was lost in
retrieval before, and in assembly after, improved at retrieval; at assembly it was not seen before, and did not regress.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from otel_ragfault.faults import RULES
from otel_ragfault.jobs.comparing.result import BoundaryChange, CaseChange, CaseState

_DECISION: Final = "decision"


@cache
def boundaries() -> tuple[str, ...]:
    """Return the boundaries in the order in which the walk leaves them, for a case that expects an answer."""
    return tuple(_last_rules())


@cache
def _last_rules() -> dict[str, int]:
    """Return where the first run of rules of each boundary ends, behind the rules for cases that expect no answer."""
    ends: dict[str, int] = {}
    start = next(place for place, rule in enumerate(RULES) if rule.boundary == "source set")
    for place, rule in enumerate(RULES[start:], start):
        if rule.boundary is not None and (rule.boundary not in ends or ends[rule.boundary] == place - 1):
            ends[rule.boundary] = place
    return ends


@cache
def _places() -> dict[str, int]:
    """Return the place of each rule in the walk; of one that stands twice the first."""
    return {rule.key: place for place, rule in reversed(list(enumerate(RULES)))}


def got_past(state: CaseState, boundary: str) -> bool | None:
    """Tell whether a case got past a boundary; ``None`` where the walk ended before it, or it does not apply."""
    if state.boundary == boundary:
        return False
    if state.label.startswith("pass."):  # gold expects no answer: nothing but the decision counts
        return True if boundary == _DECISION else None
    stopped = _places().get(state.stopped_at or state.label)
    return True if stopped is not None and stopped > _last_rules()[boundary] else None


def boundary_changes(cases: Sequence[CaseChange]) -> list[BoundaryChange]:
    """Return what became of the cases at each boundary."""
    result = []
    for boundary in boundaries():
        counts = {"improved": 0, "unchanged": 0, "regressed": 0, "not_reached": 0}
        for case in cases:
            counts[_change(got_past(case.before, boundary), got_past(case.after, boundary))] += 1
        result.append(BoundaryChange(boundary, **counts))
    return result


def _change(before: bool | None, after: bool | None) -> str:  # noqa: FBT001 - both sides of a pair
    if before is None or after is None:
        return "not_reached"
    if before is after:
        return "unchanged"
    return "improved" if after else "regressed"

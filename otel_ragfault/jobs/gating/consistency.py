"""What the fields of a case in a baseline file have to agree on; in a file that people edit they may not.

The outcome says whether a case passed, the label where it was lost. A label other than a pass beside an outcome that is
right is no contradiction: that is a latent fault.
"""

from typing import Final

from otel_ragfault.counting import counted
from otel_ragfault.faults import is_pass, stops
from otel_ragfault.model.baseline import BaselineCase
from otel_ragfault.model.wording import did_you_mean, shown

_PASSED: Final = {"correct": True, "wrong": False, "refused": False, "unjudged": None}
"""Whether a case passed, by its outcome."""

_FAILED: Final = ("wrong", "refused")


def contradiction(case: BaselineCase) -> str | None:
    """Return what cannot be said of a case together, or at all; ``None`` where everything agrees."""
    boundaries = {stop.label: stop.boundary for stop in stops()}
    for label in (case.label, *case.labels):
        if label not in boundaries:
            guess = did_you_mean(label, boundaries)
            return f"label {shown(label)} is not known{f'; did you mean {guess!r}?' if guess else ''}"
    if case.boundary != boundaries[case.label]:
        wanted = boundaries[case.label]
        return f"found boundary {shown(case.boundary)} beside label {case.label!r}, which has {shown(wanted)}"
    return _of_outcome(case) or _miscounted(case)


def _of_outcome(case: BaselineCase) -> str | None:
    if case.outcome not in _PASSED:
        return f"found outcome {shown(case.outcome)}, wanted one of {', '.join(_PASSED)}"
    passed = _PASSED[case.outcome]
    if case.passed is not passed:
        return f"found passed {shown(case.passed)} beside outcome {case.outcome!r}"
    if is_pass(case.label) and case.outcome in _FAILED:
        return f"found passed false beside label {case.label!r}"
    if case.latent != (passed is True and not is_pass(case.label)):
        return f"found latent {shown(case.latent)} beside label {case.label!r} and outcome {case.outcome!r}"
    return None


def _miscounted(case: BaselineCase) -> str | None:
    if not case.labels or (sum(case.labels.values()) == case.requests and case.label in case.labels):
        return None
    told = counted(sum(case.labels.values()), "request")
    return f"found labels of {told} beside label {case.label!r} of {case.requests}"

"""Does a label fail a test? A pass never does; anything else does, unless the baseline expects it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from otel_ragfault.faults import RULES

if TYPE_CHECKING:
    from otel_ragfault.pytest_plugin.baseline import Expected
    from otel_ragfault.pytest_plugin.bench import Labelled

Judge = Callable[["Labelled", str | None], "Judged"]
"""Says what becomes of a test, from a label and the error of the pipeline, if it raised one."""


class Verdict(Enum):
    """What becomes of a test."""

    PASSES = "passes"
    KNOWN = "known"
    FAILS = "fails"


class Change(Enum):
    """How a label stands to the baseline."""

    NEW = "new"
    SAME = "same"
    BETTER = "better"
    LATER = "later"
    WORSE = "worse"


@dataclass(frozen=True, slots=True)
class Judged:
    """What becomes of a test, how that stands to the baseline, and the text that says why."""

    kind: Verdict
    change: Change
    text: str


def judged(found: "Labelled", expected: "Expected | None", error: str | None, *, recording: bool) -> Judged:
    """Decide what becomes of a test.

    Args:
        found: what the request got.
        expected: what the baseline has for this test; ``None`` where it has nothing.
        error: what the pipeline raised, in a line.
        recording: whether this run writes the baseline, so that nothing fails.
    """
    change = change_of(found, expected)
    if found.passed and error is None:
        return Judged(Verdict.PASSES, change, "")
    if recording:
        return Judged(Verdict.KNOWN, change, f"{found.label}, recorded in the baseline")
    if expected is not None and change is not Change.WORSE:
        told = {
            Change.SAME: f"{found.label}, as in the baseline",
            Change.LATER: f"{found.label}, which is later than {expected.label} of the baseline",
            Change.BETTER: f"{found.label}, which is better than {expected.label} of the baseline",
        }
        return Judged(Verdict.KNOWN, change, told[change])
    return Judged(Verdict.FAILS, change, _text(found, expected, error))


def change_of(found: "Labelled", expected: "Expected | None") -> Change:
    """Tell how a label stands to the baseline.

    Worse is a pass that is lost, a right answer that is lost, and a stop at an earlier rule of the walk or at one that
    cannot be decided. A stop at a later rule means that something was repaired, and shows the next fault.
    """
    if expected is None:
        return Change.NEW
    if found.label == expected.label:
        if found.outcome == expected.outcome or found.passed:
            return Change.SAME
        return Change.BETTER if found.outcome == "correct" else _lost(expected)
    if found.passed:
        return Change.SAME if expected.passed else Change.BETTER
    if expected.passed or (expected.outcome == "correct" and found.outcome != "correct"):
        return Change.WORSE
    return Change.LATER if _place(found.label) > _place(expected.label) else Change.WORSE


def _lost(expected: "Expected") -> Change:
    return Change.WORSE if expected.outcome == "correct" else Change.SAME


def _place(label: str) -> int:
    """Return the place of a label in the walk; before all of them for one that could not be told."""
    return next((number for number, rule in enumerate(RULES) if rule.key == label), -1)


def _text(found: "Labelled", expected: "Expected | None", error: str | None) -> str:
    boundary = "" if found.boundary is None else f" (boundary: {found.boundary})"
    lines = [f"{found.label}{boundary}"]
    if expected is not None:
        lines.append(f"worse than the baseline, which has {expected.label} and an answer that is {expected.outcome}")
    if error is not None:
        lines.append(f"the pipeline raised {error}")
    return "\n".join([*lines, "", str(found)])

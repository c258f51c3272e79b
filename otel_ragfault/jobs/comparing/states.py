"""What a case is on one side, where one request asked it or several did."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any, Final

from otel_ragfault.jobs.comparing.result import CaseState, Change

PROPOSITIONS: Final = ("passed", "retrieved", "grounded", "correct", "cited")
"""What is true, false or not known of a request; the mean over the requests of a case counts in differences."""


def state_of(rows: Sequence[dict[str, Any]]) -> CaseState:
    """Return the state of a case from its requests, the newest first.

    ``passed`` is what more than half of the requests with a known outcome are. The label is the most frequent one
    among those that agree with it, and the newest of equals; the other fields are those of the newest request with it.
    """
    passed = _majority([row["passed"] for row in rows])
    agreeing = [row for row in rows if row["passed"] is passed]
    counts = Counter(row["label"] for row in agreeing)
    shown = max(agreeing, key=lambda row: counts[row["label"]])  # the first, and newest, of the largest
    return CaseState(
        label=shown["label"],
        boundary=shown["boundary"],
        outcome=shown["outcome"],
        passed=passed,
        latent=shown["latent"],
        request_id=shown["request_id"],
        k=shown["k"],
        requests=len(rows),
        retrieved=shown["retrieved"],
        grounded=shown["grounded"],
        correct=shown["correct"],
        cited=shown["cited"],
        stopped_at=shown["stopped_at"],
        labels=dict(sorted(Counter(row["label"] for row in rows).items())),
        values=_values(rows),
    )


def _majority(known: Sequence[bool | None]) -> bool | None:
    said = [value for value in known if value is not None]
    return 2 * sum(said) > len(said) if said else None


def _values(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the mean of each measure over the requests that have it; what none has is left out."""
    found: dict[str, list[float]] = {}
    for row in rows:
        for name in (*PROPOSITIONS, "latent"):
            if row[name] is not None:
                found.setdefault(name, []).append(float(row[name]))
        for name, value in row["values"].items():
            found.setdefault(name, []).append(value)
    return {name: fmean(values) for name, values in found.items()}


def change_of(before: CaseState, after: CaseState) -> Change:
    """Return what became of a case: its answer counts first, then its label."""
    if before.passed is False and after.passed is True:
        return "improved"
    if before.passed is True and after.passed is False:
        return "regressed"
    return "unchanged" if before.label == after.label and before.passed is after.passed else "moved"

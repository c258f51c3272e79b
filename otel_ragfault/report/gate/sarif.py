"""A gate as SARIF 2.1.0: the cases that do not pass, each at the line of the gold file where it is written.

Cases that became worse are new, and errors where the gate failed; those that fail as they did before are notes and
unchanged. Without a baseline all of them are warnings. Rules of the gate have no place in a file: they are
notifications of the run.
"""

import hashlib
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from otel_ragfault import __version__
from otel_ragfault.faults import advice_for, is_pass
from otel_ragfault.jobs.gating import GateResult, RuleResult, RunCase
from otel_ragfault.report.gate.extras import Extras, Place
from otel_ragfault.report.visible import visible

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_PLAIN: Final = str.maketrans({"[": r"\[", "]": r"\]", "\\": r"\\", "{": "{{", "}": "}}"})
_LEVELS: Final = {"fail": "error", "warn": "warning", "pass": "note"}


def gate_sarif(result: GateResult, extras: Extras | None = None) -> dict[str, Any]:
    """Return the log, as plain values."""
    extras = extras or Extras()
    cases = [case for case in result.cases if not is_pass(case.state.label)]
    labels = list(dict.fromkeys(case.state.label for case in cases))
    driver = {
        "name": "ragfault",
        "version": __version__,
        "rules": [_label(label) for label in labels],
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [_invocation(result)],
                "results": [_result(case, labels, result, extras) for case in cases],
                "columnKind": "unicodeCodePoints",
            }
        ],
    }


def _label(label: str) -> dict[str, Any]:
    try:
        advice = advice_for(label)
    except KeyError:
        return {"id": label}
    help_text = f"Check: {advice.check} Try first: {advice.try_first} Usually wasted: {advice.wasted}"
    return {
        "id": label,
        "shortDescription": {"text": advice.meaning},
        "fullDescription": {"text": f"{advice.meaning} {advice.signature}"},
        "help": {"text": help_text},
    }


def _text(text: str) -> str:
    """Return a plain text message: one line, in which nothing is a link (3.11.6) or a placeholder (3.11.5)."""
    return visible(" ".join(text.split())).translate(_PLAIN)


def _invocation(result: GateResult) -> dict[str, Any]:
    return {
        "executionSuccessful": True,
        "exitCode": 0 if result.passed else 1,
        "toolExecutionNotifications": [_notification(rule) for rule in result.rules],
    }


def _notification(rule: RuleResult) -> dict[str, Any]:
    text = f"{rule.figure} {rule.wanted}: {rule.answer}; {rule.reason}"
    return {"level": _LEVELS[rule.effect], "message": {"text": _text(text)}, "properties": {"cases": rule.case_ids}}


def _result(case: RunCase, labels: Sequence[str], result: GateResult, extras: Extras) -> dict[str, Any]:
    label = case.state.label
    change = result.changes.get(case.case_id)
    was = "" if change is None else f" It was {change.before.label} before."
    lost = f", lost at {case.state.boundary}" if case.state.boundary else ""
    level, state = _standing(case, result)
    found: dict[str, Any] = {
        "ruleId": label,
        "ruleIndex": labels.index(label),
        "level": level,
        "message": {"text": _text(f"Case {case.case_id} is {label}{lost}.{was} Question: {case.query}")},
        "locations": [_location(case.case_id, extras.places.get(case.case_id))],
        "partialFingerprints": {"ragfaultCase/v1": hashlib.sha256(f"{case.case_id}\0{label}".encode()).hexdigest()},
        "properties": {"boundary": case.state.boundary, "outcome": case.state.outcome},
    }
    return found if state is None else {**found, "baselineState": state}


def _standing(case: RunCase, result: GateResult) -> tuple[str, str | None]:
    if result.comparison is None:
        return "warning", None
    if case.case_id in set(result.worse):
        return "warning" if result.passed else "error", "new"
    change = result.changes.get(case.case_id)
    if change is None:
        return "warning", "new"
    return "note", "unchanged" if change.before.label == case.state.label else "updated"


def _location(case_id: str, place: Place | None) -> dict[str, Any]:
    logical = {"logicalLocations": [{"name": case_id, "kind": "member"}]}
    if place is None:
        return logical
    path = PurePath(place.file)
    uri = f"file://{quote(path.as_posix())}" if path.is_absolute() else quote(path.as_posix())
    return {
        "physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": place.line}},
        **logical,
    }

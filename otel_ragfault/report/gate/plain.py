"""A gate as plain values, for scripts."""

from dataclasses import asdict
from typing import Any

from otel_ragfault.jobs.comparing import CaseState, Side
from otel_ragfault.jobs.gating import GateResult
from otel_ragfault.report.gate.extras import Extras


def gate_json(result: GateResult, extras: Extras | None = None) -> dict[str, Any]:
    """Return the verdict, the rules, the settings that changed, and every case before and after."""
    extras = extras or Extras()
    comparison = result.comparison
    return {
        "passed": result.passed,
        "rules": [asdict(rule) for rule in result.rules],
        "blames": [asdict(blame) for blame in result.blames],
        "run": _side(result.run),
        "baseline": None if comparison is None else _side(comparison.before),
        "changed_settings": {}
        if comparison is None
        else {name: {"before": one, "now": two} for name, (one, two) in comparison.changed_settings.items()},
        "boundaries": [] if comparison is None else [one._asdict() for one in comparison.boundaries],
        "cases": [_case(result, extras, number) for number in range(len(result.cases))],
        "only_before": [] if comparison is None else comparison.only_before,
        "only_now": [] if comparison is None else comparison.only_after,
        "probes": [asdict(probe) for probe in extras.probes],
        "false_alarm_rate": result.false_alarm_rate,
        "correction": result.correction,
        "sharing": result.sharing,
        "interval_confidence": result.interval_confidence,
        "warnings": result.warnings,
    }


def _side(side: Side) -> dict[str, Any]:
    plain = asdict(side)
    return {**plain, "database": None if side.database is None else str(side.database)}


def _case(result: GateResult, extras: Extras, number: int) -> dict[str, Any]:
    case = result.cases[number]
    change = result.changes.get(case.case_id)
    place = extras.places.get(case.case_id)
    return {
        "case_id": case.case_id,
        "query": case.query,
        "tags": case.tags,
        "change": None if change is None else change.change,
        "worse": case.case_id in set(result.worse),
        "before": None if change is None else _state(change.before),
        "now": _state(case.state),
        "gold": None if place is None else {"file": place.file, "line": place.line},
    }


def _state(state: CaseState) -> dict[str, Any]:
    return asdict(state)

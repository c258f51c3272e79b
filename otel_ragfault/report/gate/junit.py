"""A gate as JUnit XML: a suite for the rules, and one for each boundary with the cases that are lost there.

Where the gate failed, cases that became worse are failures, with their cards; where it passed, nothing is: whoever
reads the report comes to the verdict of the gate. What fails as it did before is skipped, and so is a rule that cannot
be decided.
"""

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from otel_ragfault.faults import is_pass
from otel_ragfault.jobs.comparing import CaseState
from otel_ragfault.jobs.gating import GateResult, RuleResult, RunCase
from otel_ragfault.jobs.gating.figures import place_of
from otel_ragfault.model.gate import BOUNDARIES
from otel_ragfault.report.escape import xml_text
from otel_ragfault.report.gate.cells import plain_advice
from otel_ragfault.report.gate.extras import Extras

_ORDER: Final = (*BOUNDARIES, "error", "unknown", "none")
_PASSED: Final = "passed"


def gate_junit(result: GateResult, extras: Extras | None = None) -> str:
    """Return the report as a document of XML."""
    extras = extras or Extras()
    root = ET.Element("testsuites", name="ragfault gate")
    _suite(root, "rules", [_rule(rule) for rule in result.rules])
    suites: dict[str, list[ET.Element]] = {}
    for case in result.cases:
        suites.setdefault(_suite_of(case.state), []).append(_case(case, result, extras))
    for name in (*_ORDER, _PASSED):
        if name in suites:
            _suite(root, name, suites[name])
    for count in ("tests", "failures", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    root.set("errors", "0")
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite_of(state: CaseState) -> str:
    return _PASSED if is_pass(state.label) else place_of(state)


def _suite(root: ET.Element, name: str, tests: Sequence[ET.Element]) -> None:
    suite = ET.SubElement(root, "testsuite", name=name, tests=str(len(tests)), errors="0", time="0")
    suite.set("failures", str(sum(test.find("failure") is not None for test in tests)))
    suite.set("skipped", str(sum(test.find("skipped") is not None for test in tests)))
    suite.extend(tests)


def _rule(rule: RuleResult) -> ET.Element:
    test = ET.Element("testcase", classname="ragfault.rules", name=xml_text(f"{rule.figure}: {rule.wanted}"), time="0")
    if rule.effect == "fail":
        failure = ET.SubElement(test, "failure", type=rule.answer, message=xml_text(rule.reason))
        failure.text = xml_text("\n".join([rule.reason, *(f"case {case_id}" for case_id in rule.case_ids)]))
    elif rule.answer == "not decidable":
        ET.SubElement(test, "skipped", message=xml_text(f"not decidable: {rule.reason}"))
    return test


def _case(case: RunCase, result: GateResult, extras: Extras) -> ET.Element:
    suite = _suite_of(case.state)
    test = ET.Element(
        "testcase", classname=f"ragfault.{suite.replace(' ', '_')}", name=xml_text(case.case_id), time="0"
    )
    place = extras.places.get(case.case_id)
    if place is not None:
        test.set("file", xml_text(place.file))
        test.set("line", str(place.line))
    change = result.changes.get(case.case_id)
    worse = case.case_id in set(result.worse) or (result.comparison is None and suite != _PASSED)
    if worse and not result.passed:
        was = "" if change is None else f"{change.before.label} became "
        failure = ET.SubElement(
            test, "failure", type=xml_text(case.state.label), message=xml_text(f"{was}{case.state.label}")
        )
        failure.text = xml_text(extras.cards.get(case.case_id) or _short(case))
    elif suite != _PASSED:
        why = "worse, and inside the noise" if worse and change is not None else "no worse than was to be expected"
        ET.SubElement(test, "skipped", message=xml_text(f"{case.state.label}: {why}"))
    return test


def _short(case: RunCase) -> str:
    return f"{case.query}\nlabel: {case.state.label}\ntry first: {plain_advice(case.state.label) or '-'}"

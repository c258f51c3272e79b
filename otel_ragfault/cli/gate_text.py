"""A gate as text: the settings that changed, the rules, where cases became worse, and the verdict last."""

from typing import Final

from otel_ragfault.cli.output import say
from otel_ragfault.cli.tables import say_table
from otel_ragfault.counting import counted
from otel_ragfault.jobs.gating import GateResult, RuleResult
from otel_ragfault.report.gate.cells import change_text, plain_advice, value_text
from otel_ragfault.report.gate.headline import hint, undecided_text, verdict
from otel_ragfault.report.visible import visible

_WORDS: Final = {"pass": "passed", "warn": "not decidable", "fail": "FAILED"}
_NAMED: Final = 6  # cases of a boundary


def say_gate(result: GateResult) -> None:
    """Print a gate."""
    if result.comparison is not None and result.comparison.changed_settings:
        rows = [
            [name, ", ".join(one), ", ".join(two)] for name, (one, two) in result.comparison.changed_settings.items()
        ]
        say_table(["setting", "before", "now"], rows)
        say()
    say_table(
        ["rule", "wanted", "before", "now", "worse by", "cases", "", "what was found"],
        [
            [
                rule.figure,
                rule.wanted,
                value_text(rule, rule.before),
                value_text(rule, rule.value),
                change_text(rule),
                str(rule.cases),
                _word(rule),
                rule.reason,
            ]
            for rule in result.rules
        ],
        ["left", "left", "right", "right", "right", "right", "left", "left"],
    )
    say()
    _say_blames(result)
    if result.undecided:
        say(f"{undecided_text(result)}{hint('--no-new-failures', result)}")
    say(f"gate: {verdict(result)}")


def _word(rule: RuleResult) -> str:
    if rule.answer == "not decidable":
        return f"{_WORDS['fail']}, not decidable" if rule.effect == "fail" else _WORDS["warn"]
    return _WORDS[rule.effect]


def _say_blames(result: GateResult) -> None:
    for blame in result.blames:
        labels = ", ".join(f"{label} {count}" for label, count in blame.labels.items())
        named = ", ".join(blame.case_ids[:_NAMED]) + (", …" if len(blame.case_ids) > _NAMED else "")
        say(visible(f"{blame.boundary}: {counted(len(blame.case_ids), 'case')} became worse ({labels}): {named}"))
        advice = plain_advice(next(iter(blame.labels)))
        if advice is not None:
            say(f"  try first: {advice}")
    if result.blames:
        say()

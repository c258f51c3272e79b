"""A gate as GitHub-flavoured Markdown, for a comment on a pull request: the verdict first, details folded away."""

from collections.abc import Iterable, Sequence
from typing import Final

from otel_ragfault.counting import counted
from otel_ragfault.faults import is_pass
from otel_ragfault.jobs.comparing import CaseState
from otel_ragfault.jobs.gating import GateResult, RuleResult, RunCase
from otel_ragfault.report.comparison.cells import method
from otel_ragfault.report.escape import code, fenced, inline
from otel_ragfault.report.gate.blocks import Block, document
from otel_ragfault.report.gate.cells import advice_text, change_text, interval_text, state_text, table, value_text
from otel_ragfault.report.gate.extras import Extras
from otel_ragfault.report.gate.headline import headline, summary

MARKER: Final = "<!-- otel-ragfault gate -->"
"""The first line of every comment, by which the next one finds it."""

LIMIT: Final = 65_000
"""What GitHub takes are 65,536 characters."""

_SIGNS: Final = {"pass": "✅", "warn": "⚠️", "fail": "❌"}


def gate_markdown(result: GateResult, extras: Extras | None = None, *, limit: int = LIMIT) -> str:
    """Return the comment.

    Args:
        result: the gate.
        extras: what is shown beside it.
        limit: how long it may be, in bytes of UTF-8.
    """
    extras = extras or Extras()
    blocks = [
        Block(f"{MARKER}\n{headline(result)}", fixed=True),
        Block(summary(result), rank=1, one="summary", many="summaries"),
        *_settings(result),
        _rules(result.rules),
        *_boundaries(result),
        *_changed(result),
        *_failing(result),
        *_probes(extras),
        *_cards(result, extras),
        *_unchanged(result),
        Block(_footer(result), fixed=True),
    ]
    return document(blocks, limit)


def _settings(result: GateResult) -> Iterable[Block]:
    if result.comparison is not None and result.comparison.changed_settings:
        rows = [
            f"| {code(name)} | {_values(before)} | {_values(after)} |"
            for name, (before, after) in result.comparison.changed_settings.items()
        ]
        yield Block(f"### Settings that changed\n\n{table('setting', 'before', 'now')}", rows, rank=2, one="setting")
    if result.warnings:
        lines = [f"> - {inline(warning, most=600)}" for warning in result.warnings]
        yield Block("> [!WARNING]", lines, rank=2, one="warning")


def _values(values: Sequence[str]) -> str:
    return ", ".join(code(value) for value in values[:5]) + (" …" if len(values) > 5 else "") or "-"  # noqa: PLR2004 - enough to see


def _rules(rules: Sequence[RuleResult]) -> Block:
    heading = table(" ", "rule", "before", "now", "worse by", "interval", "cases", "what was found")
    rows = [
        f"| {_SIGNS[rule.effect]} | {code(rule.figure)} {inline(rule.wanted)} | {value_text(rule, rule.before)} | "
        f"{value_text(rule, rule.value)} | {change_text(rule)} | {interval_text(rule)} | {rule.cases} | "
        f"{'**not decidable:** ' if rule.answer == 'not decidable' else ''}{inline(rule.reason, most=400)} |"
        for rule in sorted(rules, key=lambda rule: ("fail", "warn", "pass").index(rule.effect))
    ]
    return Block(f"### Rules\n\n{heading}", rows, rank=3, one="rule")


def _boundaries(result: GateResult) -> Iterable[Block]:
    if result.comparison is None or not result.comparison.boundaries:
        return
    blamed = {blame.boundary for blame in result.blames}
    heading = table("boundary", "improved", "unchanged", "regressed", "not reached")
    rows = [
        f"| {'**' if one.boundary in blamed else ''}{one.boundary}{'**' if one.boundary in blamed else ''} | "
        f"{one.improved} | {one.unchanged} | {one.regressed} | {one.not_reached} |"
        for one in result.comparison.boundaries
    ]
    yield Block(f"### Boundaries\n\n{heading}", rows, rank=4, one="boundary", many="boundaries")


def _changed(result: GateResult) -> Iterable[Block]:
    """The cases that are not as they were: those that became worse first, by where they were lost."""
    if result.comparison is None:
        return
    worse = list(result.worse)
    changed = {change.case_id: change for change in result.comparison.cases if change.change != "unchanged"}
    order = [*worse, *(case_id for case_id in changed if case_id not in set(worse))]
    rows = []
    for case_id in order:
        change = result.changes[case_id]
        mark = "❌" if case_id in set(worse) else "✅" if change.change == "improved" else "↔️"
        rows.append(
            f"| {mark} | {code(case_id)} | {inline(change.query, most=120)} | {state_text(change.before)} | "
            f"{state_text(change.after)} | {_lost(change.after)} | {advice_text(change.after.label)} |"
        )
    if rows:
        heading = table(" ", "case", "question", "before", "now", "lost at", "try first")
        yield Block(f"### Cases that changed\n\n{heading}", rows, rank=5, one="changed case")


def _lost(state: CaseState) -> str:
    return state.boundary or "-"


def _failing(result: GateResult) -> Iterable[Block]:
    """Without a baseline: the cases that do not pass."""
    if result.comparison is not None:
        return
    rows = [_row(case) for case in result.cases if not is_pass(case.state.label)]
    if rows:
        heading = table("case", "question", "label", "lost at", "try first")
        yield Block(f"### Cases that do not pass\n\n{heading}", rows, rank=5, one="case")


def _row(case: RunCase) -> str:
    return (
        f"| {code(case.case_id)} | {inline(case.query, most=120)} | {state_text(case.state)} | {_lost(case.state)} | "
        f"{advice_text(case.state.label)} |"
    )


def _probes(extras: Extras) -> Iterable[Block]:
    rows = [
        f"| {code(probe.case_id)} | {inline(probe.results, most=400)} | {inline(probe.readings or '-', most=600)} |"
        for probe in extras.probes
    ]
    if rows:
        heading = table("case", "probes: passes of runs", "what they mean")
        yield Block(f"### Probes\n\n{heading}", rows, rank=6, one="probed case")


def _cards(result: GateResult, extras: Extras) -> Iterable[Block]:
    wanted = result.worse if result.comparison is not None else list(extras.cards)
    rows = [f"\n{code(case_id)}\n\n{fenced(extras.cards[case_id])}\n" for case_id in wanted if case_id in extras.cards]
    if rows:
        summary_line = f"<summary>Cards of {counted(len(rows), 'case')}</summary>"
        yield Block(f"<details>{summary_line}\n", rows, "\n</details>", rank=8, one="card")


def _unchanged(result: GateResult) -> Iterable[Block]:
    if result.comparison is None:
        return
    worse = set(result.worse)
    same = [one for one in result.comparison.cases if one.change == "unchanged" and one.case_id not in worse]
    rows = [f"| {code(one.case_id)} | {inline(one.query, most=120)} | {state_text(one.after)} |" for one in same]
    if rows:
        head = f"<details><summary>{counted(len(rows), 'case')} as before</summary>\n\n"
        yield Block(
            head + table("case", "question", "before and now"), rows, "\n</details>", rank=7, one="unchanged case"
        )


def _footer(result: GateResult) -> str:
    tested = [rule for rule in result.rules if rule.kind == "no_regression"]
    lines = []
    if tested and result.comparison is not None:
        lines.append(
            f"What must not become worse is tested over paired cases, exactly, at a rate of false alarms of "
            f"{result.false_alarm_rate:g} for all rules together ({result.correction}: shared by {result.sharing} of "
            f"{len(tested)}). Intervals of changes, {result.interval_confidence:.2%}: "
            f"{method('best', replicates=result.comparison.replicates, seed=result.comparison.seed)}."
        )
    lines.append("Made by <code>ragfault gate</code>.")
    return f"<sub>{' '.join(lines)}</sub>"

"""Figures that must not become worse: the change over paired cases, held against the noise.

A rule fails when the drop is beyond its tolerance and beyond the noise: when a drop as large would come up by chance
less often than the declared rate of false alarms, which all rules of a gate share. It passes when the cases are enough
to see the drop that the gate should see, and did not show it; else nothing is decided.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from otel_ragfault.counting import counted
from otel_ragfault.jobs.comparing import CaseChange
from otel_ragfault.jobs.gating.figures import value_of
from otel_ragfault.jobs.gating.result import Answer, Effect, RuleResult
from otel_ragfault.jobs.gating.wording import p_text, points
from otel_ragfault.model.gate import GateConfig, NoRegression
from otel_ragfault.statistics import Resampling, paired_change
from otel_ragfault.statistics.drops import changed_p_value, drop_p_value, smallest_drop
from otel_ragfault.statistics.families import adjusted_p_values, counted_tests

_MOST_CASES: Final = 100_000
_WIDER: Final = 1.1


@dataclass(frozen=True, slots=True)
class Regressions:
    """The results of the rules, by how many the rate is shared, and how sure the intervals of the changes are."""

    rules: list[RuleResult]
    sharing: int
    confidence: float


@dataclass(frozen=True, slots=True)
class _Paired:
    """A figure before and after, over the cases that have it on both sides. A drop is what it became worse by."""

    rule: NoRegression
    case_ids: list[str]
    before: list[float]
    drops: list[float]

    @property
    def is_binary(self) -> bool:
        return all(value in {0, 1} for value in self.before) and all(drop in {-1, 0, 1} for drop in self.drops)

    @property
    def worse(self) -> list[str]:
        return [case_id for case_id, drop in zip(self.case_ids, self.drops, strict=True) if drop > 0]

    @property
    def better(self) -> int:
        return sum(drop < 0 for drop in self.drops)

    def p_value(self, seed: int) -> float:
        return drop_p_value(self.drops, tolerance=self.rule.tolerance, seed=seed)

    def least_p_value(self) -> float:
        """The smallest p-value that there could have been, given how many cases changed, whichever way."""
        if self.rule.tolerance > 0 or not self.drops:
            return 0.0 if self.drops else 1.0
        return changed_p_value(len(self.worse) + self.better, 0, len(self.drops))


def check_regressions(config: GateConfig, cases: Sequence[CaseChange], how: Resampling) -> Regressions:
    """Hold every figure that must not become worse against the noise.

    Args:
        config: the rules, and the rate of false alarms.
        cases: the cases of both sides.
        how: how intervals are made.
    """
    paired = [_paired(rule, cases) for rule in config.no_regression]
    p_values = [pair.p_value(how.seed) for pair in paired]
    least = [pair.least_p_value() for pair in paired]
    rate = config.false_alarm_rate
    adjusted = adjusted_p_values(p_values, config.correction, least=least, rate=rate)
    sharing = _sharing(config, least)
    sure = replace(how, confidence=1 - 2 * rate / sharing)
    rules = [
        _judged(config, replace(_measured(pair, sure), p_value=p_value, adjusted_p=corrected), pair, sharing)
        for pair, p_value, corrected in zip(paired, p_values, adjusted, strict=True)
    ]
    return Regressions(rules, sharing, sure.confidence)


def _sharing(config: GateConfig, least: list[float]) -> int:
    if config.correction == "none" or not least:
        return 1
    return counted_tests(least, config.false_alarm_rate) if config.correction == "tarone" else len(least)


def _paired(rule: NoRegression, cases: Sequence[CaseChange]) -> _Paired:
    pair = _Paired(rule, [], [], [])
    sign = 1.0 if rule.lower_is_better else -1.0
    for case in cases:
        if rule.tag is not None and rule.tag not in case.tags:
            continue
        before, after = value_of(rule, case.before), value_of(rule, case.after)
        if before is not None and after is not None:
            pair.case_ids.append(case.case_id)
            pair.before.append(before)
            pair.drops.append(sign * (after - before))
    return pair


def _measured(pair: _Paired, how: Resampling) -> RuleResult:
    rule = pair.rule
    result = RuleResult(
        kind="no_regression",
        figure=rule.name,
        wanted="no worse" if rule.tolerance == 0 else f"no worse by more than {points(rule.tolerance)}",
        answer="passed",
        effect="pass",
        reason="",
        cases=len(pair.drops),
        worse=len(pair.worse),
        better=pair.better,
        case_ids=pair.worse,
    )
    if not pair.drops:
        return result
    before = sum(pair.before) / len(pair.before)
    change = sum(pair.drops) / len(pair.drops)
    found = paired_change(pair.case_ids, np.zeros(len(pair.drops)), np.asarray(pair.drops), how)
    after = before + change if rule.lower_is_better else before - change
    return replace(result, before=before, value=after, change=change, low=found.low, high=found.high)


def _judged(config: GateConfig, result: RuleResult, pair: _Paired, sharing: int) -> RuleResult:
    """Return the result with its answer, and with what that does to the gate."""
    answer, reason, needed = _answer(config, result, pair, sharing)
    undecidable: Effect = pair.rule.when_undecidable or config.when_undecidable
    effects: dict[Answer, Effect] = {"passed": "pass", "failed": "fail", "not decidable": undecidable}
    return replace(result, answer=answer, effect=effects[answer], reason=reason, cases_needed=needed)


def _answer(config: GateConfig, result: RuleResult, pair: _Paired, sharing: int) -> tuple[Answer, str, int | None]:
    change, adjusted = result.change, result.adjusted_p
    if change is None or adjusted is None:
        return "not decidable", "no case has a value on both sides", None
    seen = _seen(result, change)
    level = config.false_alarm_rate
    if change > pair.rule.tolerance and adjusted <= level:
        return "failed", f"{seen}: beyond the noise ({p_text(adjusted)}, declared rate {level:g})", None
    hypothetical = level / sharing if (result.worse or 0) + (result.better or 0) else level / _next(config, sharing)
    smallest = _smallest(pair, hypothetical)
    if smallest is not None and smallest - pair.rule.tolerance <= config.detect:
        inside = f": inside the noise ({p_text(adjusted)})" if change > 0 else ""
        return "passed", f"{seen}{inside}", None
    needed = _cases_needed(hypothetical, config.detect, pair.rule.tolerance)
    why = f"a drop of {points(config.detect)} cannot be told from noise with {counted(len(pair.drops), 'case')}"
    return "not decidable", f"{seen}; {why}, it takes about {needed}", needed


def _next(config: GateConfig, sharing: int) -> int:
    """Return by how many rules the rate would be shared if one more of them had cases that changed."""
    return min(sharing + 1, len(config.no_regression)) if config.correction == "tarone" else sharing


def _seen(result: RuleResult, change: float) -> str:
    if not result.worse and not result.better:
        return "no case changed"
    way = "no change in the mean" if change == 0 else f"{'worse' if change > 0 else 'better'} by {points(change)}"
    return f"{way}: {counted(result.worse or 0, 'case')} worse, {result.better} better"


def _smallest(pair: _Paired, level: float) -> float | None:
    """Return the smallest drop that would have been beyond the noise in these cases; ``None`` if none could be."""
    cases, tolerance = len(pair.drops), pair.rule.tolerance
    can_fall = sum(_can_fall(pair, value) for value in pair.before)
    if pair.is_binary:
        needed = smallest_drop(pair.better, cases, level, tolerance=tolerance)
        return None if needed is None or needed > can_fall else (needed - pair.better) / cases
    clean = smallest_drop(0, cases, level)
    if clean is None or clean > can_fall:
        return None
    spread = float(np.std(pair.drops, ddof=1)) / math.sqrt(cases) if cases > 1 else math.inf
    height = sum(pair.before) / cases
    return max(clean / cases * (1 - height if pair.rule.lower_is_better else height), 2 * spread) + tolerance


def _can_fall(pair: _Paired, value: float) -> bool:
    return value < 1 if pair.rule.lower_is_better else value > 0


def _cases_needed(level: float, detect: float, tolerance: float) -> int:
    """Return how many cases it takes, roughly, to see a drop of that size beyond the tolerance."""
    cases = 2
    while cases < _MOST_CASES:
        needed = smallest_drop(0, cases, level, tolerance=tolerance)
        if needed is not None and needed <= (detect + tolerance) * cases:
            break
        cases = max(cases + 1, int(cases * _WIDER))
    return cases

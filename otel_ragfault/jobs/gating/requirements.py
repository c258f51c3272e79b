"""Thresholds: a figure of the run against a number."""

from collections.abc import Sequence

import numpy as np

from otel_ragfault.counting import counted
from otel_ragfault.jobs.gating.figures import value_of
from otel_ragfault.jobs.gating.result import Answer, Effect, RuleResult, RunCase
from otel_ragfault.jobs.gating.wording import in_unit, number, percent
from otel_ragfault.model.gate import Requirement
from otel_ragfault.statistics import Resampling, means
from otel_ragfault.statistics.drops import share_interval


def check_requirement(rule: Requirement, cases: Sequence[RunCase], how: Resampling) -> RuleResult:
    """Hold the figure of a run against its threshold.

    Args:
        rule: the threshold.
        cases: the cases of the run, all of them.
        how: how intervals of means are made, and how sure all intervals are.
    """
    chosen = [case for case in cases if rule.tag is None or rule.tag in case.tags]
    values = {case.case_id: value for case in chosen if (value := value_of(rule, case.state)) is not None}
    if not values:
        reason = f"no case{'' if rule.tag is None else f' with the tag {rule.tag}'} has a value"
        return _result(rule, "not decidable", reason, {}, None, (None, None))
    total = sum(values.values())
    value = total if rule.of == "count" else total / len(values)
    interval = (None, None) if rule.of == "count" else _interval(values, how)
    answer, reason = _held(rule, value, interval)
    left_out = len(chosen) - len(values)
    if left_out:
        reason += f"; {counted(left_out, 'case is', 'cases are')} left out, where it is not known"
    return _result(rule, answer, reason, values, value, interval)


def _interval(values: dict[str, float], how: Resampling) -> tuple[float | None, float | None]:
    if all(value in {0, 1} for value in values.values()):
        return share_interval(round(sum(values.values())), len(values), how.confidence)
    (mean,) = means(list(values), np.asarray(list(values.values()))[:, None], how)
    return mean.low, mean.high


def _held(rule: Requirement, value: float, interval: tuple[float | None, float | None]) -> tuple[Answer, str]:
    """Return whether the value, or its interval, keeps within the limits."""
    found = f"is {number(value) if rule.of == 'count' else in_unit(rule.name, value)}"
    low, high = interval
    if rule.use == "value" or low is None or high is None:
        if rule.use == "bound":
            return "not decidable", f"{found}, of too few cases for an interval"
        return ("passed" if _within(rule, value, value) else "failed"), found
    found += f", interval {percent(low)} to {percent(high)}"
    if _within(rule, low, high):
        return "passed", found
    beyond = (rule.at_least is not None and high < rule.at_least) or (rule.at_most is not None and low > rule.at_most)
    return ("failed", found) if beyond else ("not decidable", f"{found}, which holds the limit")


def _within(rule: Requirement, low: float, high: float) -> bool:
    return (rule.at_least is None or low >= rule.at_least) and (rule.at_most is None or high <= rule.at_most)


def _result(
    rule: Requirement,
    answer: Answer,
    reason: str,
    values: dict[str, float],
    value: float | None,
    interval: tuple[float | None, float | None],
) -> RuleResult:
    effects: dict[Answer, Effect] = {"passed": "pass", "failed": "fail", "not decidable": rule.when_undecidable}
    bad = 1.0 if rule.lower_is_better else 0.0
    return RuleResult(
        kind="require",
        figure=rule.name,
        wanted=_wanted(rule),
        answer=answer,
        effect=effects[answer],
        reason=reason,
        cases=len(values),
        value=value,
        low=interval[0],
        high=interval[1],
        case_ids=[] if answer == "passed" else [case_id for case_id, known in values.items() if known == bad],
    )


def _wanted(rule: Requirement) -> str:
    unit = " cases" if rule.of == "count" else ""
    limits = [
        f"{words} {number(limit)}{unit}"
        for words, limit in (("at least", rule.at_least), ("at most", rule.at_most))
        if limit is not None
    ]
    bound = ", by the bound of its interval" if rule.use == "bound" else ""
    return " and ".join(limits) + bound

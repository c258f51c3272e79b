"""Cells of the tables of a gate's Markdown."""

from otel_ragfault.counting import counted
from otel_ragfault.faults import advice_for
from otel_ragfault.jobs.comparing import CaseState
from otel_ragfault.jobs.gating import RuleResult
from otel_ragfault.jobs.gating.wording import in_unit, percent, points
from otel_ragfault.report.escape import inline

_NONE = "-"


def table(*names: str) -> str:
    """Return the first two lines of a table."""
    return f"| {' | '.join(names)} |\n|{'---|' * len(names)}"


def value_text(rule: RuleResult, value: float | None) -> str:
    """Return a value of a rule in its unit."""
    if value is None:
        return _NONE
    if rule.kind == "no_new_failures" or "cases" in rule.wanted:
        return f"{value:.0f}"
    return in_unit(rule.figure, value)


def change_text(rule: RuleResult) -> str:
    """Return what a figure became worse by; a minus says that it became better."""
    if rule.change is None:
        return _NONE
    return f"{'-' if rule.change < 0 else ''}{points(rule.change)}"


def interval_text(rule: RuleResult) -> str:
    """Return the interval of the change, or of the value of a threshold."""
    if rule.low is None or rule.high is None:
        return _NONE
    if rule.kind == "require":
        return f"{percent(rule.low)} to {percent(rule.high)}"
    return f"{_signed(rule.low)} to {_signed(rule.high)}"


def _signed(change: float) -> str:
    return f"{100 * change:.1f}".removesuffix(".0")


def state_text(state: CaseState) -> str:
    """Return the label of a case, and what the user got."""
    several = f", {counted(state.requests, 'request')}" if state.requests > 1 else ""
    return f"`{inline(state.label)}` ({inline(state.outcome)}{several})"


def advice_text(label: str) -> str:
    """Return what to try first, for a cell."""
    return inline(plain_advice(label) or _NONE, most=300)


def plain_advice(label: str) -> str | None:
    """Return what to try first; ``None`` for a label of another release."""
    try:
        return advice_for(label).try_first
    except KeyError:
        return None

"""Decide a gate: every rule on its own, then all of them together, then where the cases that became worse were lost."""

from collections import Counter
from collections.abc import Sequence

from otel_ragfault.counting import counted
from otel_ragfault.errors import NothingJoinedError, RagfaultError
from otel_ragfault.jobs.comparing import CaseChange, CaseState, Comparison, Side
from otel_ragfault.jobs.comparing.boundaries import got_past
from otel_ragfault.jobs.gating.figures import check_figures, check_tags, is_neither, place_of
from otel_ragfault.jobs.gating.regressions import Regressions, check_regressions
from otel_ragfault.jobs.gating.requirements import check_requirement
from otel_ragfault.jobs.gating.result import Answer, Blame, Effect, GateResult, RuleResult, RunCase
from otel_ragfault.model import Config
from otel_ragfault.model.gate import BOUNDARIES, GateConfig
from otel_ragfault.statistics import Resampling


def decide(config: Config, run: Side, cases: Sequence[RunCase], comparison: Comparison | None = None) -> GateResult:
    """Decide a gate.

    Args:
        config: its rules, and how intervals are made. Where it does not say what must not become worse, nothing must.
        run: the run that is looked at.
        cases: its cases.
        comparison: the run against its baseline; without one only thresholds can be checked.

    Raises:
        ConfigError: a rule names a figure that there is not, or a tag that no case has.
        RagfaultError: there is nothing to check, or nothing to compare with.
        NothingJoinedError: there is no case, or none in common.
    """
    gate = config.gate
    if comparison is not None:
        gate = gate.model_copy(update={"no_regression": gate.kept})
    check_figures([*gate.require, *gate.no_regression], config.measure_cutoffs)
    _check_material(gate, run, cases, comparison)
    changes = [] if comparison is None else comparison.cases
    tags = [tag for case in cases for tag in case.tags] + [tag for change in changes for tag in change.tags]
    check_tags([*gate.require, *gate.no_regression], tags)
    how = Resampling(config.bootstrap_seed, config.bootstrap_replicates, config.bootstrap_confidence)
    rules = [check_requirement(rule, cases, how) for rule in gate.require]
    regressions = check_regressions(gate, changes, how) if gate.no_regression else Regressions([], 1, how.confidence)
    rules += regressions.rules
    if gate.no_new_failures:
        rules.append(check_new_failures(gate, changes))
    return GateResult(
        passed=all(rule.effect != "fail" for rule in rules),
        rules=rules,
        run=run,
        cases=list(cases),
        comparison=comparison,
        blames=blames(changes),
        false_alarm_rate=gate.false_alarm_rate,
        correction=gate.correction,
        sharing=regressions.sharing,
        interval_confidence=regressions.confidence,
        warnings=[] if comparison is None else list(comparison.warnings),
    )


def _check_material(gate: GateConfig, run: Side, cases: Sequence[RunCase], comparison: Comparison | None) -> None:
    """Refuse to pass a gate in which nothing was looked at."""
    if not cases:
        raise NothingJoinedError(
            f"the run {run.run or 'of this database'} has no labelled case; labels were wanted; "
            "run ragfault gold load, then ragfault label"
        )
    if not (gate.require or gate.no_regression or gate.no_new_failures):
        raise RagfaultError(
            "there is nothing to check: no rule applies; give --baseline RUN or FILE, "
            "or thresholds such as --require 'passed>=0.9'"
        )
    if comparison is None and (gate.no_regression or gate.no_new_failures):
        raise RagfaultError(
            "the rules say what must not become worse, and there is no baseline; give --baseline RUN or FILE, "
            "or --baseline-db DB"
        )
    if comparison is not None and not comparison.cases:
        raise NothingJoinedError(
            f"the baseline and the run have no case in common ({len(comparison.only_before)} and "
            f"{len(comparison.only_after)} of their own); runs over the same gold were wanted; "
            "check the names of the runs"
        )


def check_new_failures(gate: GateConfig, changes: Sequence[CaseChange]) -> RuleResult:
    """Refuse every case that passed before and fails now. What is not known any more decides nothing."""
    known = [change for change in changes if change.before.passed]
    failing = [change.case_id for change in known if change.after.passed is False]
    unknown = [change.case_id for change in known if change.after.passed is None]
    answer: Answer = "failed" if failing else "not decidable" if unknown else "passed"
    effects: dict[Answer, Effect] = {"passed": "pass", "failed": "fail", "not decidable": gate.when_undecidable}
    reason = f"{len(failing)} of {counted(len(known), 'case')} that passed before now fail"
    if unknown:
        reason += f"; of {counted(len(unknown), 'case')} it is not known any more"
    return RuleResult(
        kind="no_new_failures",
        figure="passed",
        wanted="no new failure",
        answer=answer,
        effect=effects[answer],
        reason=reason,
        cases=len(known),
        value=float(len(failing)),
        worse=len(failing),
        case_ids=failing + unknown,
    )


def blames(changes: Sequence[CaseChange]) -> list[Blame]:
    """Return where cases became worse, the place with the most of them first."""
    found: dict[str, list[CaseChange]] = {}
    for change in changes:
        if became_worse(change.before, change.after):
            found.setdefault(place_of(change.after), []).append(change)
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), _order(item[0])))
    return [
        Blame(place, [change.case_id for change in lost], dict(Counter(c.after.label for c in lost).most_common()))
        for place, lost in ordered
    ]


def _order(place: str) -> int:
    return BOUNDARIES.index(place) if place in BOUNDARIES else len(BOUNDARIES)


def became_worse(before: CaseState, after: CaseState) -> bool:
    """Tell whether a case is worse off: its answer, or its evidence, which is lost where it got past before."""
    if before.passed and not after.passed:
        return True
    if is_neither(after.label):
        return not is_neither(before.label)
    return after.boundary is not None and got_past(before, after.boundary) is True

"""The verdict of a gate, first as one line, then as a short paragraph."""

from collections.abc import Sequence
from typing import Final

from otel_ragfault.counting import counted
from otel_ragfault.jobs.gating import Blame, GateResult
from otel_ragfault.report.escape import code, inline
from otel_ragfault.report.gate.cells import advice_text

_NO_PLACE: Final = {"error": "ended in errors", "unknown": "not known any more", "none": "answers became wrong"}
_SHOWN: Final = 3  # cases of one side only


def headline(result: GateResult) -> str:
    """Return the heading of the comment."""
    return f"## {sign(result)} RAG gate: {verdict(result)}"


def sign(result: GateResult) -> str:
    """Return the sign of the verdict."""
    warned = any(rule.effect == "warn" for rule in result.rules)
    return "❌" if not result.passed else "⚠️" if warned else "✅"


def verdict(result: GateResult) -> str:
    """Return the verdict in a few words: failed at which boundary, or passed."""
    if not result.passed:
        where = _where([blame.boundary for blame in _blamed(result)])
        open_ = sum(rule.effect == "fail" and rule.answer == "not decidable" for rule in result.rules)
        return ", ".join(["failed", *where, *([f"{counted(open_, 'rule')} not decidable"] if open_ else [])])
    undecided = result.undecided
    return f"passed, {counted(len(undecided), 'rule')} not decidable" if undecided else "passed"


def _where(places: Sequence[str]) -> list[str]:
    lost = ", ".join(place for place in places if place not in _NO_PLACE)
    return [*([f"lost at {lost}"] if lost else []), *(_NO_PLACE[place] for place in places if place in _NO_PLACE)]


def _blamed(result: GateResult) -> Sequence[Blame]:
    """Return the boundaries that a failed rule speaks of, or where its cases were lost; the one with the most first."""
    named = {rule.figure.split(" [")[0] for rule in result.rules if rule.effect == "fail"}
    bare = {name.removeprefix("boundary:").removeprefix("label:") for name in named}
    certain = [blame for blame in result.blames if blame.boundary in bare]
    return certain or result.blames[:1]


def summary(result: GateResult) -> str:
    """Return the paragraphs below the heading."""
    parts = [_runs(result)]
    failed = sum(rule.effect == "fail" for rule in result.rules)
    if failed:
        parts.append(f"{failed} of {counted(len(result.rules), 'rule')} failed.")
    if result.comparison is not None:
        parts.append(_worse(result))
    if result.undecided:
        parts.append(f"{undecided_text(result)}{hint('`no_new_failures`', result)}")
    return "\n\n".join(parts)


def undecided_text(result: GateResult) -> str:
    """Return what it means that rules were not decided."""
    kinds = {rule.kind for rule in result.undecided}
    what = "that nothing became worse" if kinds & {"no_regression", "no_new_failures"} else "that they hold"
    undecided, rules = len(result.undecided), len(result.rules)
    if undecided == rules:
        return f"Nothing could be decided with these cases ({counted(rules, 'rule')}): that is no proof {what}."
    return f"{counted(undecided, 'rule')} could not be decided with these cases: that is no proof {what}."


def hint(name: str, result: GateResult) -> str:
    """Return what helps where cases are too few to tell a change from noise; nothing where that was done."""
    kinds = {rule.kind for rule in result.rules}
    if "no_new_failures" in kinds or all(rule.kind != "no_regression" for rule in result.undecided):
        return ""
    return f" For a pipeline that repeats itself, {name} needs no statistics."


def _runs(result: GateResult) -> str:
    run = f"Run {code(result.run.run)}" if result.run.run is not None else "All runs of the database"
    if result.comparison is None:
        return f"{run}, {counted(len(result.cases), 'case')}."
    before = result.comparison.before
    name = code(before.run) if before.run is not None else "all runs of its database"
    text = f"{run} against {name}, {counted(len(result.comparison.cases), 'case')}."
    for what, ids in (("baseline", result.comparison.only_before), ("run", result.comparison.only_after)):
        if ids:
            shown = ", ".join(code(case_id) for case_id in ids[:_SHOWN]) + (" …" if len(ids) > _SHOWN else "")
            text += f" {counted(len(ids), 'case is', 'cases are')} in the {what} only ({shown})."
    return text


def _worse(result: GateResult) -> str:
    if not result.blames:
        return "No case became worse."
    lines = [f"**{counted(len(result.worse), 'case')} became worse:**\n"]
    for blame in result.blames:
        labels = ", ".join(f"`{inline(label)}` {count}" for label, count in blame.labels.items())
        first = advice_text(next(iter(blame.labels)))
        lines.append(f"- **{blame.boundary}**: {counted(len(blame.case_ids), 'case')} ({labels}). Try first: {first}")
    return "\n".join(lines)

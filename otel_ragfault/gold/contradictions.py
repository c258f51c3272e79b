"""Cases that ask the same and say something else: at most one of them can be right."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from otel_ragfault.gold.normalised import normalised_query
from otel_ragfault.gold.resolved import Placed
from otel_ragfault.model import AnswerCheck, GoldCase, Problem
from otel_ragfault.model.conditions import impossible
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ADVICE = "correct one of them, tell them apart by their question or as_of, or pass --allow-contradictions"


def contradictions_within(cases: Iterable[Placed]) -> Iterator[Problem]:
    """Yield a problem for each case that contradicts an earlier one of the same file."""
    earlier: dict[str, list[Placed]] = defaultdict(list)
    for placed in cases:
        same = earlier[normalised_query(placed.case.query)]
        for other in same:
            problem = _contradiction(placed, other, f"line {other.line}")
            if problem:
                yield problem
                break
        same.append(placed)


def contradictions_with_stored(con: "DuckDBPyConnection", cases: Iterable[Placed]) -> Iterator[Problem]:
    """Yield a problem for each case that contradicts one that is loaded under another case id."""
    asking: dict[str, list[Placed]] = defaultdict(list)
    for placed in cases:
        asking[normalised_query(placed.case.query)].append(placed)
    ids = [placed.case.case_id for same in asking.values() for placed in same]
    rows = con.execute(read_query("gold", "same_question").body, {"questions": list(asking), "cases": ids}).fetchall()
    for question, _, content, file, line in rows:
        other = Placed(GoldCase.model_validate_json(content), file or "", line or 0)
        for placed in asking[question]:
            problem = _contradiction(placed, other, f"the loaded case of {file} line {line}")
            if problem:
                yield problem


def _contradiction(placed: Placed, other: Placed, where: str) -> Problem | None:
    said = _difference(placed.case, other.case)
    if said is None:
        return None
    field, reason = said
    return Problem(
        placed.file,
        placed.line,
        field,
        f"contradicts {where} (case {other.case.case_id!r}), which asks the same: {reason}; {ADVICE}",
    )


def _difference(case: GoldCase, other: GoldCase) -> tuple[str, str] | None:
    if case.as_of != other.as_of:
        return None  # the same question at another time may have another answer
    if case.expect != other.expect:
        return "expect", f"this case expects {case.expect!r}, that one {other.expect!r}"
    number, others = case.answer.number, other.answer.number
    if number and others and abs(number.value - others.value) > number.tolerance + others.tolerance:
        return "answer.number", f"this case wants {number.value:g}, that one {others.value:g}"
    forbidden = _forbidden(case.answer, other.answer) or _forbidden(other.answer, case.answer)
    if forbidden:
        return "answer", forbidden
    if _comparable(case, other) and _required(case) != _required(other):
        return "evidence", "it requires other evidence"
    return None


def _forbidden(check: AnswerCheck, other: AnswerCheck) -> str | None:
    """Say what the one forbids and the other requires."""
    both = AnswerCheck(must_contain=other.must_contain, equals=other.equals, must_not_contain=check.must_not_contain)
    return next((reason for field, reason in impossible(both) if field.startswith("must_not_contain")), None)


def _required(case: GoldCase) -> frozenset[frozenset[object]]:
    return frozenset(frozenset(group) for group in case.evidence)


def _comparable(case: GoldCase, other: GoldCase) -> bool:
    """Say whether both name their evidence in the same way: an id and a quote may mean the same chunk."""
    kinds = [{type(member) for group in one.evidence for member in group} for one in (case, other)]
    return kinds[0] == kinds[1]

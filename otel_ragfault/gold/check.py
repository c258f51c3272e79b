"""Check a gold file without loading it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.gold.contradictions import contradictions_with_stored, contradictions_within
from otel_ragfault.gold.normalised import normalised_query
from otel_ragfault.gold.resolved import Placed
from otel_ragfault.model import GoldCase, Problem, RecordReader
from otel_ragfault.model.conditions import impossible

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class GoldFile:
    """What a gold file holds.

    Attributes:
        path: the file.
        cases: ``(line, case)`` of each valid line.
        problems: every fault, in the order of lines.
        warnings: what a person should look at; a warning makes no line invalid.
        invalid_lines: how many lines are not valid.
    """

    path: Path
    cases: tuple[tuple[int, GoldCase], ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    invalid_lines: int

    @property
    def placed(self) -> list[Placed]:
        """The valid cases, each with the place where it is written."""
        return [Placed(case, str(self.path), line) for line, case in self.cases]


def check_gold(
    path: Path | str, *, con: "DuckDBPyConnection | None" = None, allow_contradictions: bool = False
) -> GoldFile:
    """Read a gold file and report everything that is wrong with it, in one pass.

    Args:
        path: the file.
        con: a database whose gold the file must not contradict.
        allow_contradictions: let cases ask the same and say something else.

    Raises:
        InputError: the file cannot be read.
    """
    reader = RecordReader(Path(path), GoldCase, "case_id")
    line_of_query: dict[str, int] = {}
    cases = []
    for line, case in reader:
        _warn(reader, line, case, line_of_query)
        for field, reason in impossible(case.answer):
            reader.reject(line, f"answer.{field}", reason)
        cases.append((line, case))
    if not allow_contradictions:
        placed = [Placed(case, str(reader.path), line) for line, case in cases]
        found = [*contradictions_within(placed), *(contradictions_with_stored(con, placed) if con else ())]
        for problem in found:
            reader.reject(problem.line, problem.field, problem.reason)
    valid = tuple((line, case) for line, case in cases if line not in reader.invalid_lines)
    return GoldFile(
        reader.path, valid, tuple(sorted(reader.problems)), tuple(reader.warnings), len(reader.invalid_lines)
    )


def _warn(reader: RecordReader[GoldCase], line: int, case: GoldCase, line_of_query: dict[str, int]) -> None:
    before = line_of_query.setdefault(normalised_query(case.query), line)
    if before != line:
        reader.warn(
            line, "query", f"is the query of line {before} too; requests without a case_id cannot be joined to either"
        )
    for number, group in enumerate(case.evidence):
        first = case.evidence.index(group)
        if first != number:
            reader.warn(line, f"evidence[{number}]", f"is the same group as evidence[{first}]; recall counts it twice")

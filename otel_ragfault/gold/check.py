"""Check a gold file without loading it."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from otel_ragfault.model import GoldCase, Problem, RecordReader
from otel_ragfault.model.evidence import quotes

_WHITE_SPACE = re.compile("[\t\n\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


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


def normalised_query(query: str) -> str:
    """Return the query as the SQL macro ``normalise_text`` does: NFC, white space (NUL too) collapsed, trimmed."""
    return _WHITE_SPACE.sub(" ", unicodedata.normalize("NFC", query.replace("\0", " "))).strip(" ")


def check_gold(path: Path | str) -> GoldFile:
    """Read a gold file and report everything that is wrong with it, in one pass.

    Raises:
        InputError: the file cannot be read.
    """
    reader = RecordReader(Path(path), GoldCase, "case_id")
    line_of_query: dict[str, int] = {}
    cases = []
    for line, case in reader:
        _warn(reader, line, case, line_of_query)
        cases.append((line, case))
    return GoldFile(
        reader.path, tuple(cases), tuple(reader.problems), tuple(reader.warnings), len(reader.invalid_lines)
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
    for group_no, member_no, _ in quotes(case.evidence):
        reader.warn(
            line, f"evidence[{group_no}][{member_no}]", "a quote is valid, but this version loads chunk ids only"
        )

"""A case as another tool has it, on its way to a line of a gold file."""

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otel_ragfault.model import Problem

_DIGEST = 12


@dataclass(slots=True)
class Draft:
    """A case that is not checked yet, and the line or row that it is from."""

    line: int
    case: dict[str, Any]


@dataclass(slots=True)
class Drafts:
    """What a reader of a format made of a file.

    Attributes:
        path: the file.
        drafts: the cases.
        problems: rows from which no case can be made, and why.
        passed_over: how many rows have a value in a column that gold has no place for.
    """

    path: Path
    drafts: list[Draft] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    passed_over: Counter[str] = field(default_factory=Counter)

    def add(self, line: int, case: dict[str, Any]) -> None:
        """Add a case."""
        self.drafts.append(Draft(line, case))

    def refuse(self, line: int, name: str, reason: str) -> None:
        """Record that a row makes no case."""
        self.problems.append(Problem(str(self.path), line, name, reason))

    def pass_over(self, row: dict[str, Any], known: frozenset[str]) -> None:
        """Count the columns of a row that are filled and not known."""
        self.passed_over.update(
            name for name, value in row.items() if name not in known and value not in (None, "", [])
        )


def case_id_of(question: str, prefix: str) -> str:
    """Return a case id for a question that comes without one; the same question gets the same id."""
    return f"{prefix}-{hashlib.sha256(question.encode()).hexdigest()[:_DIGEST]}"

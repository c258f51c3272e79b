"""What an import did."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from pathlib import Path

    from otel_ragfault.landing.loader import Landed

_PROBLEMS_KEPT = 1_000


@dataclass(frozen=True, slots=True)
class Problem:
    """A part of a file that is not OTLP: the line of a text file, or the record of a binary one, counted from 1."""

    file: "Path"
    line: int | None
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}" if self.line is None else f"{self.file}:{self.line}: {self.reason}"


@dataclass(slots=True)
class ImportReport:
    """Counts of an import.

    Attributes:
        files: files that were read.
        spans: spans that were stored.
        duplicates: spans that were in the database before, or twice in the files.
        logs: log records that were stored.
        log_duplicates: log records that were in the database before, or twice in the files.
        unusable: spans and log records that were set aside, by reason.
        passed_over: files that hold nothing to import, and what ``ragfault export`` wrote to them.
        skipped: requests of signals that are not kept (``metrics``, ``profiles``).
        problems: parts that are not OTLP, in order; the first thousand.
        problem_count: how many there were.
    """

    files: int = 0
    spans: int = 0
    duplicates: int = 0
    logs: int = 0
    log_duplicates: int = 0
    unusable: Counter[str] = field(default_factory=Counter)
    passed_over: "dict[Path, str]" = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    problem_count: int = 0

    @property
    def complete(self) -> bool:
        """Whether everything in the files could be read and stored."""
        return not self.problem_count and not self.unusable

    @property
    def stored(self) -> str:
        """What was stored, in words; log records only where there were some."""
        logs = f" and {counted(self.logs, 'log record')}" if self.logs or self.log_duplicates else ""
        return f"{counted(self.spans, 'span')}{logs}"

    @property
    def known(self) -> int:
        """How many spans and log records were not stored again."""
        return self.duplicates + self.log_duplicates

    @property
    def notes(self) -> list[str]:
        """Which files were passed over, in words."""
        return [
            f"{path}: {what} of `ragfault export`, passed over: they are built again from the spans"
            for path, what in self.passed_over.items()
        ]

    def add_problem(self, problem: Problem) -> None:
        """Count a problem, and keep it while there are few."""
        self.problem_count += 1
        if len(self.problems) < _PROBLEMS_KEPT:
            self.problems.append(problem)

    def add_landed(self, landed: "Landed") -> None:
        """Count what became of a batch."""
        self.spans += landed.spans
        self.duplicates += landed.duplicates
        self.logs += landed.logs
        self.log_duplicates += landed.log_duplicates
        if landed.unusable:
            self.unusable["refused by the database"] += landed.unusable

    def lines(self) -> list[str]:
        """Return the report as lines of text."""
        known = counted(self.known, "more was", "more were")
        lines = [f"{self.stored} from {counted(self.files, 'file')}, {known} there already"]
        lines += [f"{count} set aside: {reason}" for reason, count in self.unusable.most_common()]
        lines += [f"{counted(count, 'request')} of {signal} skipped" for signal, count in sorted(self.skipped.items())]
        lines += self.notes
        lines += [str(problem) for problem in self.problems]
        if self.problem_count > len(self.problems):
            lines.append(f"and {counted(self.problem_count - len(self.problems), 'more problem')}")
        return lines

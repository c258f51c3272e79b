"""Read a file of JSON lines as records of a pydantic model, and collect all that is wrong with it in one pass."""

import unicodedata
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from otel_ragfault.model.fields import as_id
from otel_ragfault.model.jsonlines import Line, read_lines
from otel_ragfault.model.problems import Problem, faults

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Record = TypeVar("Record", bound=BaseModel)


class RecordReader(Generic[Record]):
    """An iterator over ``(line number, record)`` of the valid lines of a file.

    While it runs it fills ``problems`` (each makes its line invalid), ``warnings`` and ``invalid_lines``. A line
    whose id an earlier line has is a problem that names both.

    Args:
        path: the file.
        model: what a line has to be.
        key: the field of the model that is its identity.

    Raises:
        InputError: while iterating, when the file cannot be read.
    """

    def __init__(self, path: "Path", model: type[Record], key: str) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.invalid_lines: set[int] = set()
        self._model = model
        self._key = key
        self._line_of: dict[str, int] = {}
        self._lookalike: dict[str, str] = {}

    def __iter__(self) -> "Iterator[tuple[int, Record]]":
        for line in read_lines(self.path):
            if isinstance(line, Problem):
                self.problems.append(line)
                self.invalid_lines.add(line.line)
                continue
            is_first = self._is_first(line)
            record = self._validated(line)
            if record is not None and is_first:
                yield line.number, record

    def reject(self, line: int, field: str, reason: str) -> None:
        """Record that a line is invalid for a reason that the model does not know."""
        self.problems.append(Problem(str(self.path), line, field, reason))
        self.invalid_lines.add(line)

    def warn(self, line: int, field: str, reason: str) -> None:
        """Record something that a person should look at, without making the line invalid."""
        self.warnings.append(Problem(str(self.path), line, field, reason))

    def _validated(self, line: Line) -> Record | None:
        try:
            return self._model.model_validate(line.value)
        except ValidationError as error:
            for field, reason in faults(error, self._model):
                self.reject(line.number, field, reason)
            return None

    def _is_first(self, line: Line) -> bool:
        try:
            identity = as_id(line.value.get(self._key))
        except ValueError:
            return True  # validation reports it
        before = self._line_of.setdefault(identity, line.number)
        if before != line.number:
            self.reject(line.number, self._key, f"{identity!r} is already on line {before}")
            return False
        if not identity.isascii():
            self._check_lookalike(line.number, identity)
        return True

    def _check_lookalike(self, line: int, identity: str) -> None:
        other = self._lookalike.setdefault(unicodedata.normalize("NFC", identity), identity)
        if other != identity:
            self.warn(
                line,
                self._key,
                f"{identity!r} looks like the one on line {self._line_of[other]} but is composed of other characters "
                "(Unicode NFC and NFD); they count as two",
            )

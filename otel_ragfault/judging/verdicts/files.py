"""Read files of verdicts: JSON lines, or a CSV sheet as ``ragfault verdict template`` writes it."""

import codecs
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from pydantic import ValidationError

from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError
from otel_ragfault.judging.verdicts.line import VerdictLine
from otel_ragfault.model.jsonlines import Line, read_lines
from otel_ragfault.model.problems import Problem, faults
from otel_ragfault.model.wording import did_you_mean

SHOWN_COLUMNS: Final = ("query", "expected", "answer", "context")
"""Columns of a sheet that are there to be read by people."""

_KNOWN: Final = (*VerdictLine.model_fields, *SHOWN_COLUMNS)
_LONGEST_CELL = 10_000_000
_HEAD: Final = 65_536
_BLANK: Final = 0x20  # control characters are below


def read_verdicts(path: Path) -> Iterator[tuple[int, VerdictLine] | Problem]:
    """Yield each verdict of a file with its line, and a problem for each line that is none.

    A line of a sheet whose ``value`` is empty has not been filled in, and is passed over.

    Raises:
        InputError: the file cannot be read, or is no text.
    """
    if _is_binary(path):
        raise InputError(
            f"{path}: this is not text; a CSV sheet or JSON lines were wanted; "
            "save a spreadsheet as CSV in UTF-8 and load that"
        )
    lines = _sheet(path) if path.suffix.lower() in {".csv", ".tsv"} else read_lines(path)
    for line in lines:
        if isinstance(line, Problem):
            yield line
            continue
        told = {key: value for key, value in line.value.items() if key not in SHOWN_COLUMNS}
        try:
            yield line.number, VerdictLine.model_validate(told)
        except ValidationError as error:
            yield from (Problem(str(path), line.number, field, reason) for field, reason in faults(error, VerdictLine))


def _is_binary(path: Path) -> bool:
    """Tell from the head of a file whether it is no text at all; one that cannot be opened is told elsewhere."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False  # text, in another encoding: that is told where it is read
    if b"\0" in head:
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return any(byte < _BLANK and byte not in b"\t\n\r\f" for byte in head)
    return False


def _sheet(path: Path) -> Iterator[Line | Problem]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from _rows(file, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{path}: cannot be read ({reason}); a CSV sheet was wanted; check the name") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8; save the sheet as CSV in UTF-8") from error


def _rows(file: IO[str], path: Path) -> Iterator[Line | Problem]:
    csv.field_size_limit(_LONGEST_CELL)
    delimiter = "\t" if path.suffix.lower() == ".tsv" else _delimiter(file)
    rows = csv.reader(file, delimiter=delimiter, strict=True)
    heading: list[str] | None = None
    line = 1
    try:
        for cells in rows:
            here, line = line, rows.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if heading is None:
                heading = [cell.strip() for cell in cells]
                if problem := _heading_problem(heading, str(path), here):
                    yield problem
                    return
            elif len(cells) != len(heading):
                reason = f"has {counted(len(cells), 'cell')}, wanted {len(heading)} as the heading has"
                yield Problem(str(path), here, "", reason)
            elif told := _told(dict(zip(heading, cells, strict=True))):
                yield Line(here, told)
    except csv.Error as error:
        yield Problem(str(path), line, "", f"is not CSV: {error}")


def _delimiter(file: IO[str]) -> str:
    """Return the mark between cells: spreadsheets of some languages write a semicolon."""
    first = file.readline()
    file.seek(0)
    return ";" if first.count(";") > first.count(",") else ","


def _heading_problem(heading: list[str], path: str, line: int) -> Problem | None:
    for name in heading:
        if name not in _KNOWN:
            guess = did_you_mean(name, _KNOWN)
            hint = f"did you mean {guess!r}?" if guess else f"wanted some of {', '.join(_KNOWN)}"
            return Problem(path, line, name, f"is not a known column; {hint}")
        if heading.count(name) > 1:
            return Problem(path, line, name, "this column is there twice")
    missing = next((name for name in ("subject", "value") if name not in heading), None)
    return None if missing is None else Problem(path, line, missing, "this column is missing")


def _told(row: dict[str, str]) -> dict[str, str] | None:
    if not row["value"].strip():
        return None
    return {name: cell.strip() for name, cell in row.items() if cell.strip()}

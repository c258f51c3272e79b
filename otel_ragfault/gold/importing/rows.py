"""Rows of a file of another tool: CSV, JSON lines, or one JSON document."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from otel_ragfault.errors import InputError
from otel_ragfault.model import Problem
from otel_ragfault.model.jsonlines import read_lines
from otel_ragfault.model.wording import shown

_LONGEST_FIELD = 2**31 - 1


def read_rows(path: Path, *, inside: tuple[str, ...] = ()) -> Iterator[tuple[int, dict[str, Any]] | Problem]:
    """Yield ``(line, row)``, and a problem for what is no row.

    A file named ``.csv`` or ``.tsv`` is a table. A JSON document is a list of rows, or an object that holds it under
    one of the names ``inside``; there the line is the number of the row. All else is JSON lines.

    Raises:
        InputError: the file cannot be read.
    """
    if path.suffix.lower() in {".csv", ".tsv"}:
        yield from read_table(path)
        return
    content = _content(path)
    document = _document(content)
    if document is None:
        for line in read_lines(path):
            yield line if isinstance(line, Problem) else (line.number, line.value)
        return
    rows = _unwrapped(document, inside)
    if not isinstance(rows, list):
        raise InputError(f"{path}: found {shown(document)}, wanted a list of rows, or it under {' or '.join(inside)}")
    for number, row in enumerate(rows, start=1):
        yield (
            (number, row)
            if isinstance(row, dict)
            else Problem(str(path), number, "", f"found {shown(row)}, wanted an object")
        )


def read_table(path: Path) -> Iterator[tuple[int, dict[str, Any]] | Problem]:
    """Yield the rows of a table with a heading, separated by commas (``.csv``) or tabs (``.tsv``).

    Raises:
        InputError: the file cannot be read, or has no heading.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, delimiter="\t" if path.suffix.lower() == ".tsv" else ",", restkey="")
            if not reader.fieldnames:
                raise InputError(f"{path}: is empty; a table with a heading was wanted; check the file")
            for row in reader:
                if "" in row:
                    yield Problem(str(path), reader.line_num, "", "has more cells than the heading")
                else:
                    yield reader.line_num, {str(name).strip(): value for name, value in row.items()}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path}: cannot be read ({reason}); a table in UTF-8 was wanted; check the file") from error


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the name") from error


def _document(content: bytes) -> object:
    """Return the document when the whole file is one; ``None`` for JSON lines, even if there is only one."""
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    return document if isinstance(document, list) or b"\n" in content.strip() or _holds_rows(document) else None


def _holds_rows(document: object) -> bool:
    names = ("data", "examples", "items", "samples")
    return isinstance(document, dict) and any(isinstance(document.get(name), list | dict) for name in names)


def _unwrapped(document: object, inside: tuple[str, ...]) -> object:
    while isinstance(document, dict):
        document = next((document[name] for name in inside if name in document), None)
    return document

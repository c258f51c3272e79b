"""Read a file of JSON lines strictly.

A line ends at a line feed and nowhere else: U+2028 and its kind are ordinary characters of a text
(https://jsonlines.org). A byte order mark and carriage returns are passed over, blank lines are skipped, texts are
left exactly as written. JSON is strict (RFC 8259): no NaN, no lone surrogates, and no key twice.
"""

import json
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import orjson

from otel_ragfault.errors import InputError
from otel_ragfault.model.problems import Problem
from otel_ragfault.model.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n"
_OTHER_FORMATS = {
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"\x1f\x8b": "a gzip file",
    b"PK\x03\x04": "a zip file",
    b"PAR1": "a Parquet file",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One object of the file and the number of its line, from 1."""

    number: int
    value: dict[str, Any]


class _RepeatedKeyError(ValueError):
    pass


def read_lines(path: "Path") -> "Iterator[Line | Problem]":
    """Yield each object of the file, and a problem for each line that is none.

    Raises:
        InputError: there is no such file, or it cannot be read.
    """
    try:
        with path.open("rb") as file:
            yield from _lines(file, str(path))
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"{path}: cannot be read ({reason}); a file of JSON lines was wanted; check the name"
        ) from error


def _lines(file: IO[bytes], name: str) -> "Iterator[Line | Problem]":
    whole = _wrong_file(file)
    if whole:
        yield Problem(name, 1, "", f"found {whole}, wanted one JSON object a line")
        return
    for number, raw in enumerate(file, start=1):
        text = (raw.removeprefix(_BOM) if number == 1 else raw).strip(_BLANK)
        if text:
            yield _parsed(text, name, number)


def _wrong_file(file: IO[bytes]) -> str | None:
    """Say what the file is when it is no JSON lines file at all, from its first two lines that are not blank."""
    head = file.read(4)
    file.seek(0)
    for start, what in _OTHER_FORMATS.items():
        if head.startswith(start):
            return what
    lines = (line.removeprefix(_BOM).strip(_BLANK) for line in file)
    filled = (line for line in lines if line)
    first, second = next(filled, b""), next(filled, b"")
    file.seek(0)
    if first.startswith(b"[") and (not second or not (_is_json(first) or _is_json(second))):
        return "a JSON array"
    return "one JSON object spread over several lines" if first == b"{" and not _is_json(second) else None


def _is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def _parsed(text: bytes, name: str, number: int) -> Line | Problem:
    try:
        value = orjson.loads(text)
        if not isinstance(value, dict):
            return Problem(name, number, "", f"found {shown(value)}, wanted a JSON object")
        _KEYS.decode(text.decode())
    except orjson.JSONDecodeError as error:
        return Problem(name, number, "", f"is not strict JSON: {error.msg} at column {error.colno}")
    except _RepeatedKeyError as error:
        return Problem(name, number, str(error), "this key is given twice in one object")
    except RecursionError:
        return Problem(name, number, "", "is nested too deeply")
    return Line(number, value)


def _no_repeated_key(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) == len(pairs):
        return
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise _RepeatedKeyError(key)
        seen.add(key)


_KEYS = json.JSONDecoder(object_pairs_hook=_no_repeated_key)

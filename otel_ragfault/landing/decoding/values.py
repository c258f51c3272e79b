"""Attribute values as strict JSON, with a note of what JSON, DuckDB or Unicode cannot hold."""

import base64
import math
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

MAX_DEPTH = 64
"""How deep arrays and maps of an attribute may nest; what lies deeper is left out, with a note."""

_INT_LEAST, _INT_GREATEST = -(2**63), 2**64 - 1
_MARKERS = frozenset({"$bytes", "$double"})
_MOST_DIGITS_BITS = 10_000  # Python refuses to print longer integers in decimal

Notes = dict[str, Any]
"""What a span's ``repairs`` will say: field → the original, as text."""


class Repaired:
    """A value that stands for another one: ``value`` is stored, ``original`` is noted.

    A plain class on purpose: orjson must not know how to write it, so that every one passes through :func:`to_json`'s
    careful path.
    """

    __slots__ = ("original", "value")

    def __init__(self, value: object, original: str) -> None:
        self.value = value
        self.original = original


def to_json(value: object, field: str, notes: Notes) -> str:
    """Write a value as JSON text that loses nothing.

    Whole numbers keep all digits, doubles keep a decimal point or exponent, bytes become ``{"$bytes": base64}`` and
    NaN and infinities ``{"$double": name}``. What cannot be kept is replaced and noted under its path.

    Args:
        value: None, bool, int, float, str, bytes, sequences and mappings of those; :class:`Repaired`.
        field: the column, where the paths in ``notes`` begin.
        notes: receives path → original.
    """
    try:
        text = orjson.dumps(value)
    except TypeError:  # bytes, surrogates, integers beyond 64 bits, mappings other than dict, Repaired
        return orjson.dumps(_strict(value, field, notes, 0)).decode()
    if b"null" in text or b'"$' in text:  # orjson writes NaN as null; a map could pass for one of our markers
        text = orjson.dumps(_strict(value, field, notes, 0))
    return text.decode()


def clean_text(text: str, field: str, notes: Notes) -> str:
    """Return ``text`` with lone surrogates replaced by U+FFFD, and the original noted; other text as it is."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        repaired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")  # joins proper pairs
        notes[field] = text.encode("utf-8", "backslashreplace").decode()
        return repaired
    return text


def describe(value: object) -> str:
    """Return an original value as the text of a note."""
    if isinstance(value, Repaired):
        return value.original
    if isinstance(value, int) and value.bit_length() > _MOST_DIGITS_BITS:
        return f"{value:#x}"
    return value if isinstance(value, str) else repr(value)


def _strict(value: object, field: str, notes: Notes, depth: int) -> object:
    if isinstance(value, Repaired):
        notes[field] = value.original
        value = value.value
    if isinstance(value, str):
        return clean_text(str(value), field, notes)
    if isinstance(value, bytes | bytearray | memoryview):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, Mapping | Sequence | set | frozenset):
        return _strict_container(value, field, notes, depth)
    return _strict_scalar(value, field, notes)


def _strict_scalar(value: object, field: str, notes: Notes) -> object:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _strict_number(value, field, notes)
    notes[field] = f"a {type(value).__name__}, which is no attribute value: {value!r}"
    return None


def _strict_number(value: float, field: str, notes: Notes) -> object:
    if isinstance(value, int):
        if _INT_LEAST <= value <= _INT_GREATEST:
            return int(value)
        notes[field] = describe(int(value))
        return None
    if math.isfinite(value):
        return float(value)
    return {"$double": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}


def _strict_container(value: Any, field: str, notes: Notes, depth: int) -> object:
    if depth >= MAX_DEPTH:
        notes[field] = f"left out: nested deeper than {MAX_DEPTH} levels"
        return None
    if not isinstance(value, Mapping):
        return [_strict(item, f"{field}[{i}]", notes, depth + 1) for i, item in enumerate(value)]
    if len(value) == 1 and not _MARKERS.isdisjoint(value):
        notes[field] = "a map, not a marker"
    result = {}
    for key, item in value.items():
        path = f"{field}.{key}"
        result[clean_text(str(key), f"{path} (name)", notes)] = _strict(item, path, notes, depth + 1)
    return result

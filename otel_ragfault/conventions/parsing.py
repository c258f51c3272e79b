"""Values as instrumentations write them: JSON text or structured, empty, cut, a Python repr, or spread over keys.

Nothing here raises, and nothing is guessed: what cannot be read whole is ``None``, and where it matters *cut* is told.
"""

import ast
import json
import math
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, Final

import orjson

from otel_ragfault import semconv
from otel_ragfault.conventions.record import Kind, StageRecord

REDACTED: Final = "__REDACTED__"
"""What OpenInference writes in place of content that its settings hide."""

CONTENT_OFF: Final = "content_off"
REDACTED_CONTENT: Final = "redacted"

_REPR_LIMIT = 100_000  # a literal is parsed by the compiler of Python, which is slow on long texts
_INDEX_DIGITS = 9
_FLAGS = ("internal", "twin")
_LONE_SURROGATE = re.compile(
    r"\\u[dD][89aAbB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?<!\\u[dD][89aAbB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)

_IDENTITY: Final[Mapping[str, tuple[str, ...]]] = {
    "case_id": (semconv.RAGFAULT_CASE_ID, "case_id", "case.id", "test.case.name"),
    "run_id": (semconv.RAGFAULT_RUN_ID, "run_id", "run.id"),
    "snapshot_id": (semconv.RAGFAULT_SNAPSHOT_ID, "snapshot_id", "corpus_snapshot_id"),
    "session_id": ("session.id", "gen_ai.conversation.id", "session_id", "thread_id", "conversation_id"),
    "prompt_name": (semconv.GEN_AI_PROMPT_NAME, "prompt_name"),
    "prompt_version": (semconv.GEN_AI_PROMPT_VERSION, "prompt_version"),
}


def decode(value: object) -> tuple[Any, bool]:
    """Return what an attribute carries, and whether it was cut: JSON text, a structure, or nothing.

    A text that is not JSON counts as cut; use this only for attributes that have to be JSON.
    """
    if isinstance(value, str):
        return _load(value) if value else (None, False)
    if isinstance(value, list):
        return value, False
    if isinstance(value, dict):
        return (None, False) if not value or is_marker(value) else (value, False)
    return None, False


def maybe_json(value: object) -> Any:
    """Return the structure in an attribute that may also hold plain text; plain or cut text is ``None``."""
    if isinstance(value, str) and value.lstrip()[:1] not in {"{", "["}:
        return None
    return decode(value)[0]


def _load(value: str) -> tuple[Any, bool]:
    try:
        return orjson.loads(value), False
    except orjson.JSONDecodeError:
        pass
    # Python's encoder writes NaN, and half of a surrogate pair as an escape; neither makes a value a cut one.
    try:
        lenient = _LONE_SURROGATE.sub(r"\\ufffd", value)
        return json.loads(lenient, strict=False, parse_constant=lambda _name: None), False
    except (ValueError, RecursionError):
        return None, True


def python_literal(value: object) -> Any:
    """Return what a Python repr of plain values says, as ``str(dict)`` writes it; ``None`` if it is something else."""
    if not isinstance(value, str) or not value or len(value) > _REPR_LIMIT:
        return None
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def is_marker(value: Mapping[str, Any]) -> bool:
    """Tell whether an object stands for a value that JSON lacks: bytes, or a double that is not finite."""
    return len(value) == 1 and ("$double" in value or "$bytes" in value)


def text_of(value: object) -> str | None:
    """Return a text as it is, the empty one too; ``None`` for anything else and for hidden content."""
    return value if isinstance(value, str) and value != REDACTED else None


def name_of(value: object) -> str | None:
    """Return an identifier: a text that is not empty, or an integer as text."""
    if isinstance(value, str):
        return value if value and value != REDACTED else None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def number_of(value: object) -> float | None:
    """Return a finite number, also from the text of one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def count_of(value: object) -> int | None:
    """Return a whole number that is not negative, also when it was written as a double or as text."""
    number = number_of(value)
    return int(number) if number is not None and number >= 0 and number.is_integer() else None


def names_of(value: object) -> tuple[str, ...] | None:
    """Return a list of names, from JSON text, a structure, or one name alone; ``None`` without any."""
    found = maybe_json(value)
    if found is None and isinstance(value, str):
        found = [value]
    if not isinstance(found, list):
        return None
    return tuple(name for name in found if isinstance(name, str) and name) or None


def first(mapping: Mapping[str, Any], names: Iterable[str]) -> Any:
    """Return the first value under one of the names that is recorded."""
    for name in names:
        value = mapping.get(name)
        if value is not None:
            return value
    return None


def flattened(attributes: Mapping[str, Any], prefix: str) -> dict[int, dict[str, Any]]:
    """Collect ``<prefix>N.<field>`` keys by N. The index is the rank; a missing index is a lost rank."""
    found: dict[int, dict[str, Any]] = {}
    start = len(prefix)
    for key, value in attributes.items():
        if key.startswith(prefix):
            written, dot, field = key[start:].partition(".")
            if dot and (index := _index(written)) is not None:
                if index in found:
                    found[index][field] = value
                else:
                    found[index] = {field: value}
    return found


def whole(found: Mapping[int, dict[str, Any]]) -> list[dict[str, Any]] | None:
    """Return the collected items in order, or ``None`` when an index is missing: ranks are never renumbered."""
    if not found or max(found) + 1 != len(found):
        return None
    return [found[index] for index in range(len(found))]


@lru_cache(maxsize=1024)
def _index(written: str) -> int | None:
    is_index = written.isascii() and written.isdecimal() and len(written) <= _INDEX_DIGITS
    return int(written) if is_index and str(int(written)) == written else None


def identity(*sources: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Read what spans say of the request as a whole: case, run, snapshot, session, prompt; first source first."""
    known = _identity_keys(prefix)
    found: dict[str, Any] = {}
    for source in sources:
        told = sorted((known[key], key) for key in source if key in known)
        for (_, field), key in told:
            if field not in found and (named := name_of(source[key])) is not None:
                found[field] = named
    return found


@cache
def _identity_keys(prefix: str) -> dict[str, tuple[int, str]]:
    """Return each key with its place among the spellings of its field."""
    return {prefix + name: (place, field) for field, names in _IDENTITY.items() for place, name in enumerate(names)}


def stage(kind: Kind | None, problems: Iterable[str] = (), **fields: Any) -> StageRecord | None:
    """Make the record of a span; ``None`` when it is no stage and tells nothing."""
    told = {name: value for name, value in fields.items() if value is not None and (value or name not in _FLAGS)}
    if kind is None and not told:
        return None
    return StageRecord(kind=kind, problems=tuple(dict.fromkeys(problems)), **told)

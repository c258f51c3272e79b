"""Values of a result as JSON: each column is converted by its type.

UUID is 32 hex digits, times are ISO 8601 (a time without a zone is UTC), NaN and infinity are null, bytes are base64,
JSON is JSON. Numbers of any size keep all their digits.
"""

import base64
import math
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import orjson

if TYPE_CHECKING:
    from duckdb.sqltypes import DuckDBPyType

Convert = Callable[[Any], Any]

_WIDEST_INT: Final = 63
_NESTED_KEYS: Final = frozenset({"struct", "list", "array", "map", "union", "variant"})


def converter(kind: "DuckDBPyType") -> Convert:
    """Return the function that turns values of a type into values that orjson writes."""
    if str(kind) == "JSON":
        return _json
    match kind.id:
        case "list" | "array":
            return _list_of(converter(_inner(kind, 0)))
        case "struct":
            return _struct_of(
                [(name, converter(_inner(kind, number))) for number, (name, _) in enumerate(kind.children)]
            )
        case "map":
            key = _inner(kind, 0)
            return _map_of(key.id in _NESTED_KEYS, converter(key), converter(_inner(kind, 1)))
        case _:
            return plain


def _inner(kind: "DuckDBPyType", number: int) -> "DuckDBPyType":
    """Return a type that another is made of. Its neighbours may be numbers: the size of an array."""
    inner: DuckDBPyType = kind.children[number][1]  # type: ignore[assignment]
    return inner


def _list_of(convert: Convert) -> Convert:
    return lambda value: None if value is None else [convert(item) for item in value]


def _struct_of(fields: list[tuple[str, Convert]]) -> Convert:
    def convert(value: Any) -> Any:
        if value is None:
            return None
        if isinstance(value, dict):
            return {name: field(value[name]) for name, field in fields}
        return [field(item) for (_, field), item in zip(fields, value, strict=True)]  # ROW(…) without names

    return convert


def _map_of(nested_keys: bool, key: Convert, value: Convert) -> Convert:  # noqa: FBT001 - internal
    def convert(found: Any) -> Any:
        if found is None:
            return None
        if nested_keys:  # no Python dict holds them; DuckDB gives two lists
            return [{"key": key(k), "value": value(v)} for k, v in zip(found["key"], found["value"], strict=True)]
        return {as_text(key(k)): value(v) for k, v in found.items()}

    return convert


def _json(value: str | None) -> Any:
    """Embed JSON as it is, with all digits of its numbers; what DuckDB accepts beyond strict JSON stays a text."""
    if value is None:
        return None
    try:
        orjson.loads(value)
    except orjson.JSONDecodeError:
        return value
    return orjson.Fragment(value)


def plain(value: Any) -> Any:  # noqa: PLR0911 - one a kind
    """Convert by the kind of the Python value."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if value.bit_length() <= _WIDEST_INT else orjson.Fragment(str(value))
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return orjson.Fragment(format(value, "f"))
        case UUID():
            return value.hex
        case bytes() | bytearray():
            return base64.b64encode(value).decode()
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {as_text(plain(key)): plain(item) for key, item in value.items()}
        case _:
            return _moment(value)


def _moment(value: Any) -> str:
    if isinstance(value, datetime):
        utc = value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)
        return f"{utc.isoformat()}Z"
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        seconds = Decimal(value // timedelta(microseconds=1)) / 1_000_000
        return f"PT{seconds.normalize():f}S"
    return str(value)


def as_text(value: Any) -> str:
    """Return a converted value as the text of a cell or a key."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()

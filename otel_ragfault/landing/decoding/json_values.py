"""Attributes of OTLP/JSON: each value is an object that names its type."""

from typing import TYPE_CHECKING, Any

from otel_ragfault.landing.decoding.json_fields import decode_base64, items, number
from otel_ragfault.landing.decoding.otlp import key_values
from otel_ragfault.landing.decoding.values import MAX_DEPTH, Repaired, describe

if TYPE_CHECKING:
    from collections.abc import Callable


def attributes(message: dict[str, Any]) -> dict[str, Any]:
    """Return the ``attributes`` of a span, event, link, resource or scope.

    Raises:
        UnusableError: they are something else than a list.
    """
    pairs = items(message, "attributes")
    return _pairs(pairs, 0) if pairs else {}


def _pairs(pairs: list[Any], depth: int) -> dict[str, Any]:
    named = [_pair(pair, depth) for pair in pairs]
    values = dict(named)
    return values if len(values) == len(named) else key_values(named)


def _pair(pair: Any, depth: int) -> tuple[str, Any]:
    if not isinstance(pair, dict):
        return "", Repaired(None, describe(pair))
    key = pair.get("key")
    if key is None:
        key = ""
    return key if isinstance(key, str) else str(key), _value(pair.get("value"), depth)


def _value(value: Any, depth: int) -> Any:
    if value is None:
        return None
    if isinstance(value, dict):
        for name, content in value.items():
            read = _READERS.get(name)
            if read is not None and content is not None:
                return read(content, depth)
        if value.keys() <= _READERS.keys():
            return None  # {} or {"stringValue": null}
    return Repaired(None, describe(value))


def _string(content: Any, _depth: int) -> Any:
    return content if isinstance(content, str) else Repaired(None, describe(content))


def _bool(content: Any, _depth: int) -> Any:
    if isinstance(content, str) and content in {"true", "false"}:
        return content == "true"
    return content if isinstance(content, bool) else Repaired(None, describe(content))


def _int(content: Any, _depth: int) -> Any:
    return number(content)


def _double(content: Any, _depth: int) -> Any:
    if isinstance(content, bool) or not isinstance(content, int | float | str):
        return Repaired(None, describe(content))
    try:
        return float(content)
    except (ValueError, OverflowError):
        return Repaired(None, describe(content))


def _bytes(content: Any, _depth: int) -> Any:
    try:
        return decode_base64(content)
    except (ValueError, AttributeError):
        return Repaired(None, describe(content))


def _array(content: Any, depth: int) -> Any:
    values = _repeated(content)
    if isinstance(values, Repaired):
        return values
    if depth >= MAX_DEPTH:
        return Repaired(None, f"left out: nested deeper than {MAX_DEPTH} levels")
    return [_value(item, depth + 1) for item in values]


def _kvlist(content: Any, depth: int) -> Any:
    pairs = _repeated(content)
    if isinstance(pairs, Repaired):
        return pairs
    if depth >= MAX_DEPTH:
        return Repaired(None, f"left out: nested deeper than {MAX_DEPTH} levels")
    return _pairs(pairs, depth + 1)


def _repeated(content: Any) -> list[Any] | Repaired:
    values = content.get("values", []) if isinstance(content, dict) else content
    if values is None:
        return []
    return values if isinstance(values, list) else Repaired(None, describe(content))


_READERS: "dict[str, Callable[[Any, int], Any]]" = {
    "stringValue": _string,
    "string_value": _string,
    "intValue": _int,
    "int_value": _int,
    "boolValue": _bool,
    "bool_value": _bool,
    "doubleValue": _double,
    "double_value": _double,
    "arrayValue": _array,
    "array_value": _array,
    "kvlistValue": _kvlist,
    "kvlist_value": _kvlist,
    "bytesValue": _bytes,
    "bytes_value": _bytes,
}

"""Reading single values out of objects that we know nothing about: members, ids, scores, counts."""

from collections.abc import Mapping
from numbers import Number
from typing import Any

from otel_ragfault.capture._failures import Guard
from otel_ragfault.capture._text import clean

_READ = Guard("read")
_ID = Guard("id")
_SCORE = Guard("score")

_CONTAINERS = (Mapping, list, set, frozenset)


def peek(thing: Any, names: tuple[str, ...]) -> Any:
    """Returns the first member of these names that is there: a key of a mapping, else an attribute.

    ``None``, methods, and properties that raise count as "not there".
    """
    keyed = isinstance(thing, Mapping) or (hasattr(type(thing), "keys") and hasattr(type(thing), "__getitem__"))
    for name in names:
        value = _member(thing, name, keyed=keyed)
        if value is not None and not callable(value):
            return value
    return None


def call(thing: Any, name: str) -> Any:
    """Returns what the method of that name returns without arguments; ``None`` if there is none or it fails."""
    with _READ:
        method = getattr(thing, name, None)
        if callable(method):
            return method()
    return None


def id_text(value: Any) -> str | None:
    """Returns an identifier as text; ``None`` for what has no text of its own, such as a bare object."""
    if isinstance(value, str):
        return clean(value)
    if value is None or isinstance(value, _CONTAINERS) or callable(value):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, int) and not isinstance(value, bool):
        value = int.__int__(value)
    kind: Any = type(value)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        return None  # "<Chunk object at 0x7f…>" names nothing
    with _ID:
        return clean(str(value))
    return None


def number(value: Any) -> int | float | None:
    """Returns a number as Python's own; ``None`` for all else, and for truth values, which are no numbers."""
    with _SCORE:
        if isinstance(value, bool):
            return None
        if isinstance(value, float):
            return float.__float__(value)  # a subclass may not do as it should
        if isinstance(value, int):
            return int.__int__(value)
        if hasattr(value, "item") and hasattr(value, "dtype"):  # a scalar of numpy, torch, jax, …
            plain = value.item()
            return number(plain) if type(plain) is not type(value) else None
        if isinstance(value, Number) and not isinstance(value, complex):
            return float(value)  # type: ignore[arg-type]  # Decimal, Fraction
    return None


def score_value(value: Any) -> float | None:
    """Returns a score; ``None`` for what is not a finite number. Text is read, as some stores deliver it."""
    if isinstance(value, str):
        with _SCORE:
            return _finite(float(value))
        return None
    plain = number(value)
    if plain is None:
        return None
    with _SCORE:
        return _finite(float(plain))
    return None


def whole(value: Any) -> int | None:
    """Returns a count that fits an attribute (64 bits); ``None`` for all else."""
    plain = number(value)
    if plain is None or plain != plain or abs(plain) >= 1 << 63:  # noqa: PLR0124  # NaN
        return None
    return int(plain)


def _member(thing: Any, name: str, *, keyed: bool) -> Any:
    with _READ:
        if not keyed:
            return getattr(thing, name, None)
        if isinstance(thing, dict):
            return dict.get(thing, name)  # not thing[name]: a defaultdict would grow
        try:
            return thing[name]
        except LookupError:
            return None
    return None


def _finite(value: float) -> float | None:
    return value if value - value == 0.0 else None

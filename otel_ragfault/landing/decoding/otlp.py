"""What the two wire forms of OTLP share."""

from typing import Any

from otel_ragfault.landing.decoding.values import Repaired, describe


class MalformedError(ValueError):
    """A payload that is not OTLP as a whole; the message says what is wrong with it."""


def key_values(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as a map. OTLP wants keys to be unique: of several values the first stays, the rest is noted."""
    result: dict[str, Any] = {}
    for key, value in pairs:
        first = result.get(key, result)
        if first is result:
            result[key] = value
        else:
            kept = first.value if isinstance(first, Repaired) else first
            earlier = f"{first.original}; " if isinstance(first, Repaired) else ""
            again = value.original if isinstance(value, Repaired) else describe(value)
            result[key] = Repaired(kept, f"{earlier}sent again: {again}")
    return result

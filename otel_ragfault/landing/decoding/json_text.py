"""JSON text to values, keeping what senders write that strict JSON or UTF-8 has no place for."""

import json
from typing import Any

import orjson

from otel_ragfault.landing.decoding.otlp import MalformedError


def parse_json(text: bytes) -> Any:
    """Parse JSON. Lone surrogates, bytes that are not UTF-8 and the names NaN and Infinity get through to be repaired.

    Raises:
        MalformedError: it is not JSON even so.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        strict = error
    try:
        return json.loads(text.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        where = f"at character {strict.pos + 1}" if strict.pos else "at its start"
        raise MalformedError(f"not JSON ({strict.msg.split(':')[0]} {where})") from None

"""The order in which a person counts ids: ``d-9`` before ``d-10``."""

import re

_DIGITS = re.compile(r"(\d+)")


def natural_key(identity: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers within ids by their value."""
    parts = _DIGITS.split(identity)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part)

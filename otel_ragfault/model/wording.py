"""How messages speak about values: what was found, in the words of JSON, and what was probably meant."""

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 60
_CLOSE = 0.6


def shown(value: object) -> str:
    """Return a value as a message shows it: one line, short, with its kind where the kind is the point."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return f"{value!r} (a number with a decimal point)"
    if isinstance(value, int | float):
        return f"{value!r} (a number)"
    if isinstance(value, str):
        return f"{_cut(value)!r}" if value else "an empty text"
    return "an object" if isinstance(value, dict) else _other(value)


def _other(value: object) -> str:
    return f"the list {_cut(repr(value))}" if isinstance(value, list | tuple) else _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def did_you_mean(key: str, known: "Iterable[str]", *, cutoff: float = _CLOSE) -> str | None:
    """Return the known key that ``key`` is probably a misspelling of, or ``None``.

    Case, ``-``, ``_`` and blanks do not count, so that ``caseID`` is ``case_id``.
    """
    plain = {_plain(name): name for name in known}
    close = difflib.get_close_matches(_plain(key), plain, n=1, cutoff=cutoff)
    return plain[close[0]] if close else None


def _plain(key: str) -> str:
    return "".join(c for c in key.casefold() if c.isalnum())

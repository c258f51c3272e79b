r"""Search a user's regular expression for a bounded time, with the meaning that Python's ``re`` gives it.

``re`` cannot be stopped, so that the package ``regex`` searches, which takes a time limit. What the two read otherwise
is spelled out first: ``[`` within a set, ``{`` that counts nothing, and the classes ``\w``, ``\s`` and ``\b``.
"""

import re
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import regex

from otel_ragfault.model.answer_check import compile_pattern

TIME_LIMIT: Final = 1.0
"""Seconds that one search may take."""

_ELEMENT: Final = re.compile(
    r"\\N\{[^}]*\}|\\.|\(\?\#[^)]*\)|(?P<open>\[\^?\]?)(?P<set>(?:\\.|[^\\\]])*)\]"
    r"|\{(?P<least>\d*)(?P<comma>,?)(?P<most>\d*)\}|\{|\#[^\n]*",
    re.DOTALL,
)
_SET_ELEMENT: Final = re.compile(r"\\.|\[", re.DOTALL)
_WORD: Final = r"\p{L}\p{N}_"
_NO_WORD: Final = (
    r"\p{M}\p{Z}\p{S}\p{C}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f\uff3f"
)
_BEFORE, _AFTER = f"(?<=[{_WORD}])", f"(?=[{_WORD}])"
_NOT_BEFORE, _NOT_AFTER = f"(?<![{_WORD}])", f"(?![{_WORD}])"
_SPELLED: Final = {
    r"\w": f"[{_WORD}]",
    r"\W": f"[^{_WORD}]",
    r"\s": r"[\s\x1c-\x1f]",
    r"\S": r"[^\s\x1c-\x1f]",
    r"\b": f"(?:{_BEFORE}{_NOT_AFTER}|{_NOT_BEFORE}{_AFTER})",
    r"\B": f"(?:{_BEFORE}{_AFTER}|{_NOT_BEFORE}{_NOT_AFTER})",
}
_IN_SET: Final = {r"\w": _WORD, r"\W": _NO_WORD, r"\s": r"\s\x1c-\x1f"}


def matches(pattern: str, text: str, limit: float = TIME_LIMIT) -> bool:
    """Say whether a pattern is found in a text; case does not count.

    Raises:
        ValueError: it is no regular expression.
        TimeoutError: the search took longer than ``limit`` seconds.
    """
    return _searcher(pattern)(text, limit)


@lru_cache(maxsize=4096)
def _searcher(pattern: str) -> Callable[[str, float], bool]:
    compiled = compile_pattern(pattern)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            bounded = regex.compile(_spelled_out(compiled), regex.IGNORECASE | regex.VERSION0)
    except regex.error:  # a rarity that only `re` reads, such as flags of one group
        return lambda text, _: compiled.search(text) is not None
    return lambda text, limit: bounded.search(text, timeout=limit) is not None


def _spelled_out(pattern: re.Pattern[str]) -> str:
    spelled = {} if pattern.flags & re.ASCII else _SPELLED
    within = {} if pattern.flags & re.ASCII else _IN_SET
    verbose = bool(pattern.flags & re.VERBOSE)

    def element(found: re.Match[str]) -> str:
        token = found.group()
        if token[0] == "[":
            return _SET_ELEMENT.sub(lambda part: within.get(part[0], _escaped(part[0])), found["set"]).join(
                (found["open"].replace("]", r"\]"), "]")
            )
        return spelled.get(token) or _outside(found, verbose=verbose)

    return _ELEMENT.sub(element, pattern.pattern)


def _escaped(element: str) -> str:
    return r"\[" if element == "[" else element


def _outside(found: re.Match[str], *, verbose: bool) -> str:
    """Spell an element that stands outside of a set."""
    token = found.group()
    if token[0] == "(" or (token[0] == "#" and verbose):
        return ""  # a comment
    if token[0] != "{":
        return token
    if token in {"{", "{}"}:
        return "\\" + token
    return f"{{{found['least'] or 0}{found['comma']}{found['most']}}}"

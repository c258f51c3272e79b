"""How single conditions on an answer hold, and which of them no answer can meet together."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final

from otel_ragfault.model.compared import compared_text
from otel_ragfault.model.numbers import numbers_in
from otel_ragfault.model.wording import shown

if TYPE_CHECKING:
    from otel_ragfault.model.answer_check import AnswerCheck, Number

OUTER: Final = ".,;:!?\"'()[]{}*_# "
"""What may stand around a text that an answer has to equal."""

_CONTINUED_BY: Final = re.compile(r"\d|[.,^\u2044]\d")
_CONTINUES: Final = re.compile(r"(?:\d|\d[.,^\u2044]|(?:^|[^\w.])\.|(?:^|[^\w)\]-])[-])$")
_BEFORE: Final = 3

needle: Final = lru_cache(maxsize=4096)(compared_text)
"""A text that is searched for, as compared; the same few are searched for in every answer."""


def contains(text: str, wanted: str) -> bool:
    """Say whether a text contains another, both as compared, without cutting a number at either end."""
    starts = _boundary(wanted[:1], lambda at: not _CONTINUES.search(text[max(0, at - _BEFORE) : at]))
    ends = _boundary(wanted[-1:], lambda at: not _CONTINUED_BY.match(text, at))
    at = text.find(wanted)
    while at >= 0:
        if starts(at) and ends(at + len(wanted)):
            return True
        at = text.find(wanted, at + 1)
    return False


def _boundary(edge: str, test: Callable[[int], bool]) -> Callable[[int], bool]:
    return test if edge.isdigit() else lambda _: True


def bare(text: str) -> str:
    """Strip punctuation around a text, but neither the point nor the sign of a number."""
    stripped = text.strip(OUTER)
    at = text.find(stripped)
    if stripped[:1].isdigit() and text[:at].endswith("."):
        return "." + stripped
    return stripped or text


def names(text: str, number: "Number") -> bool:
    """Say whether any number that a text names is within the tolerance."""
    value, tolerance = Decimal(repr(number.value)), Decimal(repr(number.tolerance))
    return any(abs(found - value) <= tolerance for found in numbers_in(text))


def impossible(check: "AnswerCheck") -> Iterator[tuple[str, str]]:
    """Yield ``(field, reason)`` for each condition that no answer can meet together with another one of the check."""
    for place, text in enumerate(check.must_not_contain):
        field = f"must_not_contain[{place}]"
        for other, wanted in enumerate(check.must_contain):
            if _always_within(needle(text), needle(wanted)):
                yield field, f"{shown(text)} is in must_contain[{other}], {shown(wanted)}; no answer can meet both"
        if check.equals is not None and contains(bare(needle(check.equals)), needle(text)):
            yield field, f"{shown(text)} is in equals, {shown(check.equals)}; no answer can meet both"
    if check.equals is None:
        return
    whole = bare(needle(check.equals))
    for place, text in enumerate(check.must_contain):
        if needle(text).strip(OUTER) and bare(needle(text)) not in whole:
            yield f"must_contain[{place}]", f"{shown(text)} is not in equals, {shown(check.equals)}"
    if check.number is not None and not (names(check.equals, check.number) or names(whole, check.number)):
        yield "number", f"{check.number.value:g} is not named in equals, {shown(check.equals)}"


def _always_within(inner: str, outer: str) -> bool:
    """Say whether each text that contains the one contains the other, whatever stands around it.

    A digit is the neighbour that can make a difference: ``8`` is in ``,8``, and not in ``5,8``.
    """
    around = [f"{before}{outer}{after}" for before, after in product(("", "0"), repeat=2)]
    return all(contains(text, inner) for text in around if contains(text, outer))

"""The numbers that a text names.

English spelling: ``1,500`` and ``1 500`` are one thousand five hundred, ``1.5`` is one and a half. A spelling that is
neither (``1.500,00``, ``1.2.3``) names no number. Per cent signs, currency signs and units are passed over; number
words and factors (``eight``, ``5 million``) are not read. Markers of citations (``[3]``) are no numbers.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from otel_ragfault.model.compared import compared_text

_CITATION = re.compile(r"\[\s*\^?\d+(?:\s*[,;-]\s*\d+)*\s*\]|【[^】]*】")
_SPACED = re.compile(r"(?<![\w.,])\d{1,3}(?: \d{3})+(?![\d])")
_TOKEN = re.compile(
    r"(?<![\w^.,])(?P<sign>(?<![\w)])[-+])?(?:usd|eur|gbp|chf|rs\.?|[^\w\s\d.,^+-]){0,3}"
    r"(?P<digits>\.?\d[\d.,]*)(?P<exponent>e[+-]?\d{1,3}(?!\w))?(?!\^)"
)
_ENGLISH = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+")


def numbers_in(text: str) -> Iterator[Decimal]:
    """Yield each number that the text names, in order."""
    plain = _CITATION.sub(" ", compared_text(text))
    plain = _SPACED.sub(lambda match: match[0].replace(" ", ""), plain)
    for token in _TOKEN.finditer(plain):
        for spelled in _spellings(token["digits"].rstrip(".,")):
            yield Decimal((token["sign"] or "") + spelled.replace(",", "") + (token["exponent"] or ""))


def _spellings(digits: str) -> list[str]:
    """Return a token as the numbers it spells: one, or several listed without blanks (``8,9``), or none."""
    if _ENGLISH.fullmatch(digits):
        return [digits]
    parts = digits.split(",")
    return parts if "." not in digits and all(parts) else []

"""A text without what typesetting, extraction and typing do to it, so that a passage is found wherever it is set anew.

The canonical form has no white space, no quotation marks and no dashes; letters are NFKC and case-folded. Words may
therefore be hyphenated, split or joined at will. Numbers may not: digits that belong to two numbers stay apart, and the
sign and the inner hyphen of a number stay. Every other punctuation mark stays too.
"""

import re
import unicodedata
from functools import cached_property
from typing import Final

APART: Final = "\x1f"
"""Stands between two neighbouring numbers."""

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d\u2e3a\u2e3b"
_QUOTES = (
    "\"'`\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u2039\u203a"
    "\u00b4\u02bc\u300c\u300d\u300e\u300f\uff02\uff07"
)
_SPELLING = str.maketrans({**dict.fromkeys(_DASHES, "-"), **dict.fromkeys(_QUOTES, None)})
_RAISED = re.compile("[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+")
_LOWERED = re.compile("[\u2080-\u2089]+")
_FRACTION = re.compile("[\u00bc-\u00be\u2150-\u215f\u2189]")
SPACELESS: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
)
"""Letters of scripts that put no blank between words, as a range of a regular expression."""

NUMBER: Final = r"\d+(?:[.,:/-]\d+)*"
"""A number, a date, a time, a range: digits with single marks between them."""

_ATOM = re.compile(rf"(?:(?<!\w)-)?{NUMBER}|[{SPACELESS}]|[^\W\d_{SPACELESS}]+|\S")


_START, _END = 1, 2


class Canonical:
    """A text in canonical form: ``text`` are its characters."""

    def __init__(self, written: str) -> None:
        pieces: list[str] = []
        edges = bytearray()
        after_number = False
        for text in _ATOM.findall(plain(written)):
            if text == "-":
                continue
            is_number = text[-1].isdigit()
            if is_number and after_number:
                pieces.append(APART)
                edges.append(0)
            pieces.append(text)
            edges.extend(bytes(len(text)))
            edges[-len(text)] |= _START
            edges[-1] |= _END
            after_number = is_number
        self.text = "".join(pieces)
        self._edges = bytes(edges)

    def starts_at(self, place: int) -> bool:
        """Say whether a number, a run of letters or a mark begins at a place."""
        return bool(self._edges[place] & _START)

    def ends_at(self, place: int) -> bool:
        """Say whether a number, a run of letters or a mark ends before a place."""
        return bool(self._edges[place - 1] & _END)

    @cached_property
    def says_something(self) -> bool:
        """Whether there is a letter or a digit in it."""
        return any(character.isalnum() for character in self.text)


def plain(written: str) -> str:
    """Return the text in one spelling: NFKC, case-folded, plain dashes, no quotation marks, nothing invisible."""
    if not written.isascii():
        written = _RAISED.sub(lambda match: f"^{match[0]}", written)  # 10² is not 102
        written = _LOWERED.sub(lambda match: f"_{match[0]}", written)
        written = _FRACTION.sub(lambda match: f" {match[0]}", written)  # 5½ is not 51/2
        written = unicodedata.normalize("NFKC", written.translate(_SPELLING)).replace("\u2044", "/")
        written = "".join(c for c in written if unicodedata.category(c) != "Cf")
    folded = written.translate(_SPELLING).casefold()
    return folded if folded.isascii() else unicodedata.normalize("NFKC", folded)

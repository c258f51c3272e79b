"""The words of a text that have to agree one to one when marks and letters may differ a little."""

import html
import re
import sys
import unicodedata
from dataclasses import dataclass
from typing import Final

from otel_ragfault.gold.canonical import NUMBER, SPACELESS, plain

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_TARGET = re.compile(r"\]\([^()\s]{1,500}\)")  # of a link in Markdown
_BROKEN = re.compile(r"(?<=[^\W\d_])-\s*(?=[^\W\d_])")
_ELLIPSIS = r"\.(?:\s*\.)+"
_SIGNS: Final = "%\u2030\u00b0\u00a7+\u00b1\u00d7\u00f7=<>\u2264\u2265\u2260"
_CLOSING: Final = frozenset(".!?)]}\u3002")
_WORD = re.compile(rf"(?:(?<!\w)-)?{NUMBER}(?!\w)|[{SPACELESS}]|[^\W{SPACELESS}]+|{_ELLIPSIS}|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Words:
    """The words, numbers and signs of a text that carry meaning, folded.

    Markup and punctuation are passed over. An ellipsis counts as a word: it stands for words that are missing.
    ``closed`` holds, for the number of a word, the marks behind it that close a sentence or a bracket.
    """

    words: tuple[str, ...]
    closed: dict[int, str]


def read_words(written: str) -> Words:
    """Return the words of a text."""
    text = plain(_TARGET.sub("]", _TAG.sub(" ", html.unescape(written))))
    words: list[str] = []
    closed: dict[int, str] = {}
    for found in _WORD.findall(_BROKEN.sub("", text)):
        if found in _CLOSING:
            closed[len(words) - 1] = closed.get(len(words) - 1, "") + found
            continue
        word = found.strip("_")
        if word[:2].strip() in {"..", "."}:
            words.append("...")
        elif _carries_meaning(word):
            words.append(sys.intern(word))
    return Words(tuple(words), closed)


def _carries_meaning(word: str) -> bool:
    if len(word) > 1 or word.isalnum():
        return True
    return word != "" and (word in _SIGNS or unicodedata.category(word) == "Sc")

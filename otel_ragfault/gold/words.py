"""The words of a text that have to agree one to one when marks and letters may differ a little."""

import html
import re
import unicodedata
from typing import Final

from otel_ragfault.gold.canonical import NUMBER, SPACELESS, plain

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_TARGET = re.compile(r"\]\([^()\s]{1,500}\)")  # of a link in Markdown
_BROKEN = re.compile(r"(?<=[^\W\d_])-\s*(?=[^\W\d_])")
_ELLIPSIS = r"\.(?:\s*\.)+"
_SIGNS: Final = "%\u2030\u00b0\u00a7+\u00b1\u00d7\u00f7=<>\u2264\u2265\u2260"
_WORD = re.compile(rf"(?:(?<!\w)-)?{NUMBER}(?!\w)|[{SPACELESS}]|[^\W{SPACELESS}]+|{_ELLIPSIS}|[^\w\s]")


def words(written: str) -> tuple[str, ...]:
    """Return the words, numbers and signs that carry meaning, folded; markup and punctuation are passed over.

    An ellipsis counts as a word: it stands for words that are missing.
    """
    text = plain(_TARGET.sub("]", _TAG.sub(" ", html.unescape(written))))
    found = (word.strip("_") for word in _WORD.findall(_BROKEN.sub("", text)))
    return tuple("..." if word[:2].strip() in {"..", "."} else word for word in found if _carries_meaning(word))


def _carries_meaning(word: str) -> bool:
    if len(word) > 1 or word.isalnum():
        return True
    return word != "" and (word in _SIGNS or unicodedata.category(word) == "Sc")

"""Texts in the form in which they are compared: characters composed, white space single, escapes undone."""

import html
import re
import unicodedata
from typing import Final

_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_ESCAPE: Final = re.compile(r'\\(?:u([0-9a-fA-F]{4})|([nrt"/\\]))')
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_PLAIN: Final = {"n": "\n", "r": "\n", "t": " ", '"': '"', "/": "/", "\\": "\\"}


def clean(text: str) -> str:
    """Return a text with everything undone that templates and encoders do to it, except for its white space.

    Tool results reach a prompt as JSON, web templates write ``&quot;``; both sides of a comparison are undone alike.
    """
    if "\\" in text:
        text = _whole_characters(_ESCAPE.sub(_unescaped, text))
    if "&" in text:
        text = html.unescape(text)
    if "\0" in text:
        text = text.replace("\0", " ")
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_INVISIBLE))
    return text


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _PLAIN[match[2]]


def _whole_characters(text: str) -> str:
    """Return a text with surrogate pairs joined, and halves of one replaced."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def flat(text: str) -> str:
    """Return a text to compare: cleaned, on one line, with single spaces."""
    return " ".join(clean(text).split())


def lined(text: str) -> str:
    """Return the same characters as :func:`flat` at the same places, with line feeds where a line ended."""
    lines = (" ".join(line.split()) for line in clean(text).splitlines())
    return "\n".join(line for line in lines if line)

"""Text of users in Markdown and XML: shown as it is, and never read as markup, a mention or a control character."""

import re
from typing import Final

from otel_ragfault.report.visible import visible

_MARKUP: Final = {ord(mark): f"&#{ord(mark)};" for mark in "&\\`*[]<>|~!$"}
_OUTER_UNDERSCORE: Final = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_LINKED: Final = re.compile(r"([@#:w])(?=(?<=[@#])|(?<=:)//|(?<=w)ww\.)|(?<=GH)(?=-\d)", re.IGNORECASE)
_APART: Final = "\u200b"  # a blank without width: what stands around it is no longer what GitHub looks for
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FENCE: Final = re.compile("`{3,}")


def inline(text: str, *, most: int = 160) -> str:
    """Return a text for a cell or a line of Markdown: on one line, cut, without markup, mentions and links."""
    one_line = visible(" ".join(text.split()))
    if len(one_line) > most:
        one_line = one_line[: most - 1] + "…"
    unlinked = _LINKED.sub(lambda found: found.group() + _APART, one_line)
    return _OUTER_UNDERSCORE.sub("&#95;", unlinked.translate(_MARKUP))


def code(text: str, *, most: int = 120) -> str:
    """Return a text of users as code in a line of Markdown."""
    return f"<code>{inline(text, most=most)}</code>"


def fenced(text: str) -> str:
    """Return lines of text as a block of code, whatever they hold."""
    text = "\n".join(map(visible, text.split("\n")))
    longest = max((len(run) for run in _FENCE.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def xml_text(text: str) -> str:
    """Return a text with the characters that XML 1.0 has no place for written as ``U+0000``."""
    return _NOT_XML.sub(lambda found: f"U+{ord(found.group()):04X}", text)

"""Text that is safe to print: what would move the cursor, hide or reorder text is shown as an escape."""

import unicodedata
from functools import cache
from typing import Final

_HIDDEN: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"})
_JOINERS: Final = frozenset("\u200c\u200d")  # they shape letters and emoji, and reorder nothing
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    """Return a text on one line, with control, formatting and unassigned characters written as escapes."""
    return text if text.isascii() and text.isprintable() else "".join(map(_visible_character, text))


@cache
def _visible_character(character: str) -> str:
    if unicodedata.category(character) not in _HIDDEN or character in _JOINERS:
        return character
    code = ord(character)
    escape = f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - widths of the escapes
    return _SHORT.get(character, escape)

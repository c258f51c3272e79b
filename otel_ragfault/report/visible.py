"""Text that is safe to print: what would move the cursor, hide or reorder text is shown as an escape."""

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and line feed
    "\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"  # invisible, and bidirectional overrides
    "\ud800-\udfff]"  # lone surrogates
)


def visible(text: str) -> str:
    """Return ``text`` with control and bidirectional characters as escapes of their code point."""
    return _UNSAFE.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode("ascii"), text)

"""Write to stdout and stderr: strict JSON as UTF-8, text that cannot disturb a terminal."""

import os
import sys
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

import orjson

_HIDDEN: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"})
_JOINERS: Final = frozenset("\u200c\u200d")  # they shape letters and emoji, and reorder nothing
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def safe_streams() -> None:
    """Make text streams write an escape where the terminal has no such character, instead of failing."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - for the process's life
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


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


def say(line: str = "") -> None:
    """Print a line of text."""
    sys.stdout.write(f"{line}\n")


def complain(line: str) -> None:
    """Print the one line that explains a failure."""
    complain_lines([f"ragfault: {line}"])


def complain_lines(lines: Iterable[object]) -> None:
    """Print lines on stderr as they are."""
    for line in lines:
        sys.stderr.write(f"{visible(str(line))}\n")


def warn(lines: Iterable[object]) -> None:
    """Print warnings on stderr."""
    complain_lines(f"warning: {line}" for line in lines)


def note(line: str) -> None:
    """Print on stderr what a person should know beside the result."""
    complain_lines([f"note: {line}"])


def binary_stdout() -> IO[bytes]:
    """Return stdout for bytes, with all text before it written."""
    sys.stdout.flush()
    return sys.stdout.buffer


def say_json(value: Any) -> None:
    """Print one value as strict JSON, in UTF-8 whatever the terminal's encoding."""
    stream = binary_stdout()
    stream.write(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    stream.flush()

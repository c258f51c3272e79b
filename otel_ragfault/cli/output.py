"""Write to stdout and stderr: strict JSON as UTF-8, text that cannot disturb a terminal."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

import orjson

from otel_ragfault.report.visible import visible


def safe_streams() -> None:
    """Make text streams write an escape where the terminal has no such character, instead of failing."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - for the process's life
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


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

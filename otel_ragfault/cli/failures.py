"""Errors become text and exit codes here, and nowhere else."""

import os
import sys
import traceback
from collections.abc import Callable
from typing import Final

import click

from otel_ragfault.cli.output import complain, complain_lines, safe_streams
from otel_ragfault.errors import RagfaultError

DONE: Final = 0
WRONG_INPUT: Final = 2
OUR_FAULT: Final = 70
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


class PipeClosedError(Exception):
    """Nobody reads stdout any more."""


def exit_code(action: Callable[[], object]) -> int:
    """Run a command; return its exit code after saying on stderr what went wrong.

    The action returns an exit code, or anything else for success.
    """
    safe_streams()
    try:
        result = action()
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - each kind is told apart, and the unexpected prints its traceback
        return _explained(error)
    return result if isinstance(result, int) else DONE


def _explained(error: BaseException) -> int:
    if isinstance(error, BrokenPipeError | PipeClosedError):
        _forget_stdout()
        return PIPE_CLOSED
    if isinstance(error, KeyboardInterrupt | click.Abort) or _is_interrupted(error):
        return INTERRUPTED
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else DONE
    line = _expected(error)
    if line is None:
        traceback.print_exception(error)
        complain("this is a fault of ragfault itself; please report it with the lines above")
        return OUR_FAULT
    complain_lines(getattr(error, "problems", ()))
    complain(line)
    return WRONG_INPUT


def _expected(error: BaseException) -> str | None:
    """Return the line that explains an error; ``None`` for one that nobody foresaw."""
    if isinstance(error, click.ClickException):
        return _usage(error)
    if isinstance(error, RagfaultError):
        return str(error)
    if _is_from_database(error):
        return f"the database failed ({str(error).strip()}); make room or close other programs, then run this again"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'output'}: {error.strerror}; check the path, the permissions and the free space"
    return None


def _usage(error: click.ClickException) -> str:
    text = " ".join(error.format_message().split())
    ctx = getattr(error, "ctx", None)
    return text if ctx is None else f"{text} Try: {ctx.command_path} --help"


def _is_from_database(error: BaseException) -> bool:
    """Tell whether the disk or the memory under the database gave out. duckdb is asked only if it is loaded."""
    duckdb = sys.modules.get("duckdb")
    return duckdb is not None and isinstance(error, duckdb.IOException | duckdb.OutOfMemoryException)


def _is_interrupted(error: BaseException) -> bool:
    """Tell whether Ctrl-C is at the bottom of it: DuckDB and interrupted imports raise errors of their own."""
    if isinstance(error, RuntimeError) and str(error) == "Query interrupted":
        return True
    cause = error.__cause__ or error.__context__
    return isinstance(cause, KeyboardInterrupt) or (cause is not None and _is_interrupted(cause))


def _forget_stdout() -> None:
    """Let the interpreter flush what nobody reads any more into nothing."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, descriptor)
    os.close(devnull)

"""Write a file that people name: it is there whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path

from otel_ragfault.cli.output import note
from otel_ragfault.errors import InputError


def check_target(out: Path) -> None:
    """Refuse a file that cannot be written, before the work for it is done.

    Raises:
        InputError: its folder is missing, it is a folder itself, or writing is not allowed.
    """
    target = out.resolve()
    folder = target.parent
    if target.is_dir():
        found, remedy = "is a folder", "name a file in it"
    elif not folder.is_dir():
        found, remedy = f"there is no folder {folder}", "make the folder, or correct the path"
    elif not os.access(target if target.exists() and not target.is_file() else folder, os.W_OK):
        found, remedy = "cannot be written", "correct the path or the permissions"
    else:
        return
    raise InputError(f"{out}: {found}; a file that can be written was wanted; {remedy}")


def replacing(out: Path, write: Callable[[Path], None]) -> None:
    """Write a file that is there whole or not at all. A device or a pipe is written to, and a link is followed."""
    target = out.resolve()
    if target.exists() and not target.is_file():
        write(target)
    else:
        unfinished = target.with_name(f"{target.name}.new-{os.getpid()}")
        try:
            write(unfinished)
            unfinished.replace(target)
        except OSError as error:
            if error.filename in {str(unfinished), unfinished}:
                error.filename, error.filename2 = str(out), None  # the file that people named
            raise
        finally:
            unfinished.unlink(missing_ok=True)
    note(f"written to {out}")

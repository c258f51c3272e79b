"""Write a file that people name: it is there whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path

from otel_ragfault.cli.output import note


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
        finally:
            unfinished.unlink(missing_ok=True)
    note(f"written to {out}")

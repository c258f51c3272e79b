"""Keep what cannot be loaded: pieces of segments go below the folder of the spool, up to a bound, for people to see."""

import os
from contextlib import suppress
from pathlib import Path

from otel_ragfault.landing.spool.folder import make_folder, sync_folder

TORN = "torn"
"""Folder of what a crash or a bad disk left: no whole record."""
REJECTED = "rejected"
"""Folder of whole records that nothing here can decode, or that the database refuses."""

MAX_BYTES = 256 * 2**20
"""Bytes that are kept aside; what comes when there are more is counted, and not kept."""


def keep_aside(folder: Path, kind: str, name: str, content: "bytes | memoryview") -> str | None:
    """Write a piece to ``folder/kind/name``, durable when this returns. Writing it again changes nothing.

    Returns:
        Where it is below ``folder``; ``None`` when too much is kept already.

    Raises:
        OSError: it cannot be written; the segment has to stay.
    """
    target = folder / kind / name
    if target.exists():
        return f"{kind}/{name}"
    if kept_bytes(folder) + len(content) > MAX_BYTES:
        return None
    make_folder(target.parent)
    unfinished = target.with_name(f".{name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    sync_folder(target.parent)
    return f"{kind}/{name}"


def kept_files(folder: Path) -> list[Path]:
    """Return the pieces that are kept aside."""
    return sorted(path for kind in (TORN, REJECTED) for path in (folder / kind).glob("*") if path.is_file())


def kept_bytes(folder: Path) -> int:
    """Return how many bytes are kept aside."""
    total = 0
    for path in kept_files(folder):
        with suppress(OSError):
            total += path.stat().st_size
    return total

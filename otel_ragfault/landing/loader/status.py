"""How a spool stands, without the lock on the database."""

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from otel_ragfault.landing.loader.aside import REJECTED, TORN
from otel_ragfault.landing.loader.recover import living_writers
from otel_ragfault.landing.spool import spool_folder
from otel_ragfault.landing.spool.folder import OPEN, SEALED, list_files


@dataclass(frozen=True, slots=True)
class SpoolStatus:
    """How a spool stands.

    Attributes:
        folder: where it is.
        files: segments that wait to be loaded, or are being written.
        bytes: their size.
        sealed: how many of them are sealed.
        writers: how many of them a living process is writing.
        oldest_age: seconds since the last record of the oldest one; ``None`` without any.
        torn_files: pieces without a whole record that are kept aside,
        rejected_files: records and rows that cannot be stored and are kept aside,
        aside_bytes: and the size of both.
    """

    folder: Path
    files: int
    bytes: int
    sealed: int
    writers: int
    oldest_age: float | None
    torn_files: int
    rejected_files: int
    aside_bytes: int


def spool_status(db: str | Path) -> SpoolStatus:
    """Return how the spool of a database stands. Where there is none, it is empty."""
    folder = spool_folder(db)
    files = list_files(folder, OPEN, SEALED)
    torn, torn_bytes = _kept(folder / TORN)
    rejected, rejected_bytes = _kept(folder / REJECTED)
    return SpoolStatus(
        folder=folder,
        files=len(files),
        bytes=sum(file.size for file in files),
        sealed=sum(file.path.suffix == SEALED for file in files),
        writers=living_writers(folder),
        oldest_age=max(0.0, time.time() - min(file.modified for file in files)) if files else None,
        torn_files=torn,
        rejected_files=rejected,
        aside_bytes=torn_bytes + rejected_bytes,
    )


def _kept(folder: Path) -> tuple[int, int]:
    count = size = 0
    with suppress(OSError):
        for path in folder.iterdir():
            count += 1
            size += path.stat().st_size
    return count, size

"""Segments that one load takes together."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from otel_ragfault.landing.loader.batch import Batch
from otel_ragfault.landing.loader.decode import decode_segment
from otel_ragfault.landing.spool import SpoolError
from otel_ragfault.landing.spool.folder import SEALED, list_files


def rows_of(batches: list[Batch]) -> int:
    """Return how many spans and log records the batches hold."""
    return sum(rows.num_rows for batch in batches for rows in (batch.spans, batch.logs, batch.file_logs))


def still_there(batches: list[Batch]) -> list[Batch]:
    """Return the batches that no other loader has stored and removed meanwhile."""
    return [batch for batch in batches if batch.file is not None and batch.file.exists()]


def pick_group(folder: Path, besides: Collection[Path], most: int) -> list[Path]:
    """Return sealed segments, oldest first, of ``most`` bytes together; one, however large, if there is any.

    Args:
        folder: the spool.
        besides: segments that are spoken for.
        most: bytes of a load.
    """
    group: list[Path] = []
    size = 0
    for file in list_files(folder, SEALED):
        if file.path in besides:
            continue
        if group and size + file.size > most:
            break
        group.append(file.path)
        size += file.size
    return group


def decode_group(paths: Sequence[Path], failed: Callable[[Exception], None]) -> list[Batch]:
    """Decode segments.

    Args:
        paths: the segments.
        failed: called for one that cannot be read; the others go on.
    """
    batches: list[Batch] = []
    for path in paths:
        try:
            batches.append(decode_segment(path))
        except FileNotFoundError:  # another loader was faster
            continue
        except (OSError, SpoolError) as error:  # unreadable, or no room to keep a piece aside
            failed(error)
    return batches

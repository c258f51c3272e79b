"""Segments that one load takes together, decoded; the next ones while the database is busy with these."""

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from otel_ragfault.landing.loader.batch import Batch
from otel_ragfault.landing.loader.decode import decode_segment
from otel_ragfault.landing.spool import SpoolError
from otel_ragfault.landing.spool.folder import SEALED, list_files

_logger = logging.getLogger(__name__)
_BYTES = 64 * 2**20  # of segments a load


def rows_of(batches: list[Batch]) -> int:
    """Return how many spans and log records the batches hold."""
    return sum(batch.spans.num_rows + batch.logs.num_rows for batch in batches)


def still_there(batches: list[Batch]) -> list[Batch]:
    """Return the batches that no other loader has stored and removed meanwhile."""
    return [batch for batch in batches if batch.file is not None and batch.file.exists()]


def decode_group(
    folder: Path, besides: set[Path | None], most: int, failed: Callable[[Exception], None]
) -> list[Batch]:
    """Decode sealed segments, oldest first, up to what one load should hold.

    Args:
        folder: the spool.
        besides: segments that are decoded already.
        most: spans and log records of a load; one segment is taken in any case.
        failed: called for a segment that cannot be read; the others go on.
    """
    batches: list[Batch] = []
    for file in list_files(folder, SEALED):
        if file.path in besides:
            continue
        if batches and (rows_of(batches) >= most or sum(batch.size for batch in batches) + file.size > _BYTES):
            break
        try:
            batches.append(decode_segment(file.path))
        except FileNotFoundError:  # another loader was faster
            continue
        except (OSError, SpoolError) as error:  # unreadable, or no room to keep a piece aside
            failed(error)
    return batches


class Ahead:
    """Decodes a group in a thread of its own, while DuckDB, which needs no interpreter, stores another."""

    def __init__(self, decode: Callable[[], list[Batch]]) -> None:
        self._decode = decode
        self._batches: list[Batch] = []
        self._thread = threading.Thread(target=self._run, name="ragfault-decoder", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:  # the interpreter is ending
            self._thread = None

    _thread: threading.Thread | None

    def _run(self) -> None:
        try:
            self._batches = self._decode()
        except Exception:
            _logger.exception("segments could not be decoded ahead; they are decoded again")

    def take(self) -> list[Batch]:
        """Wait for the thread, and return what it decoded."""
        if self._thread is not None:
            self._thread.join()
        return self._batches

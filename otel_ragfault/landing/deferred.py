"""A sink that keeps spans in the spool, and loads them when it is told to."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.landing.decoding.rows import write_rows
from otel_ragfault.landing.loader import Landed, load_spool
from otel_ragfault.landing.spool import RecordKind, SpoolFullError, SpoolWriter
from otel_ragfault.sql import read_query
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from uuid import UUID

    import pyarrow as pa

_PAUSE = 1.0


class DeferredSink:
    """The spool of a database: spans are durable when ``write`` returns, and counted when they are loaded.

    Args:
        path: the database.
        on_full: called when the spool or the disk is full; the batch is tried again as long as it returns true.
    """

    def __init__(self, path: Path, on_full: Callable[[SpoolFullError], bool]) -> None:
        self._path = path
        self._on_full = on_full
        self._sealed: set[UUID] = set()
        self.batches = 0

    def write(self, batch: "pa.Table", *, source: str, wait: float | None = None) -> Landed:
        """Keep a batch in the spool. What became of its spans is told by :meth:`load`.

        Raises:
            SpoolError: it cannot be kept.
        """
        payload = write_rows(batch)
        with closing(SpoolWriter(self._path, source=source, segment_age=float("inf"))) as writer:
            while not self._append(writer, payload, batch.num_rows):
                time.sleep(_PAUSE if wait is None else wait)
            writer.seal()
        if writer.last_sealed is not None:
            self._sealed.add(writer.last_sealed)
        self.batches += 1
        return Landed()

    def _append(self, writer: SpoolWriter, payload: bytes, spans: int) -> bool:
        try:
            writer.append(RecordKind.SPAN_ROWS, payload, spans=spans)
        except SpoolFullError as error:
            if not self._on_full(error):
                raise
            return False
        return True

    def load(self, wait: float) -> Landed:
        """Load the spool; return what became of the batches that are loaded now.

        Raises:
            DatabaseError: the database cannot be opened or stays in use; the spans stay in the spool.
        """
        stored = load_spool(self._path, wait=wait).segments
        total = Landed()
        for segment_id in list(self._sealed):
            landed = stored.get(segment_id) or self._from_ledger(segment_id, wait)
            if landed is not None:
                self._sealed.discard(segment_id)
                total += landed
        return total

    def _from_ledger(self, segment_id: "UUID", wait: float) -> Landed | None:
        """Return what another process's loader made of the segment."""
        query = read_query("landing", "segment_counts").body
        with closing(connect(self._path, read_only=True, wait=wait)) as con:
            rows = con.execute(query, {"segment_id": str(segment_id)}).fetchall()
        return Landed(*rows[0]) if rows else None

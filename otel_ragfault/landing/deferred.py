"""A sink that keeps spans and log records in the spool, and loads them when it is told to."""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.content import Content, append_content
from otel_ragfault.landing.loader import Landed, load_spool
from otel_ragfault.landing.spool import RecordKind, SpoolFullError, SpoolWriter
from otel_ragfault.sql import read_query
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from uuid import UUID

    import pyarrow as pa

_PAUSE = 1.0


class DeferredSink:
    """The spool of a database: what is kept is durable when the call returns, and counted when it is loaded.

    Args:
        path: the database.
        on_wait: called when the spool or the disk is full; it is tried again as long as this returns true.
    """

    def __init__(self, path: Path, on_wait: Callable[[DatabaseError], bool]) -> None:
        self._path = path
        self._on_wait = on_wait
        self._sealed: dict[UUID, int] = {}  # segments that are not known to be loaded, and what was set aside in them
        self._logs = 0  # log records of which it is not known yet what became of them
        self.batches = 0

    def write(self, batch: "pa.Table", *, source: str, wait: float | None = None) -> Landed:
        """Keep a batch of spans in the spool. What became of them is told by :meth:`load`.

        Raises:
            SpoolError: it cannot be kept.
        """
        return self.keep(Content(batch), source=source, wait=wait)

    def keep(self, content: Content, *, source: str, wait: float | None = None) -> Landed:
        """Keep spans, log records and counts in the spool. What became of them is told by :meth:`load`.

        Raises:
            SpoolError: they cannot be kept.
        """
        with closing(SpoolWriter(self._path, source=source, segment_age=float("inf"))) as writer:

            def append(kind: RecordKind, payload: bytes, *, spans: int) -> None:
                while not self._append(writer, kind, payload, spans):
                    time.sleep(_PAUSE if wait is None else wait)

            sealed = append_content(writer, content, append)
        self._sealed |= dict.fromkeys(sealed, 0)
        if sealed:
            self._sealed[sealed[0]] = content.set_aside_count
        self._logs += content.logs.num_rows
        self.batches += 1
        return Landed()

    def _append(self, writer: SpoolWriter, kind: RecordKind, payload: bytes, spans: int) -> bool:
        try:
            writer.append(kind, payload, spans=spans)
        except SpoolFullError as error:
            if not self._on_wait(error):
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
                known = self._sealed.pop(segment_id)
                total += replace(landed, unusable=max(0, landed.unusable - known))
        self._logs = max(0, self._logs - total.logs - total.log_duplicates - total.unusable)
        if not self._sealed:  # what another process's loader found to be there, which the ledger does not count
            total, self._logs = replace(total, log_duplicates=total.log_duplicates + self._logs), 0
        return total

    def _from_ledger(self, segment_id: "UUID", wait: float) -> Landed | None:
        """Return what another process's loader made of the segment."""
        query = read_query("landing", "segment_counts").body
        with closing(connect(self._path, read_only=True, wait=wait)) as con:
            rows = con.execute(query, {"segment_id": str(segment_id)}).fetchall()
        return Landed(*rows[0]) if rows else None

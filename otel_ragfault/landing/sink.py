"""The seam between those who bring spans and log records, and the place where they are kept."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from otel_ragfault.landing.content import Content, append_content
from otel_ragfault.landing.loader import Landed, load_spool
from otel_ragfault.landing.spool import SpoolWriter
from otel_ragfault.sql import read_query
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from uuid import UUID

    import pyarrow as pa


class SpanSink(Protocol):
    """A place that keeps spans. When ``write`` returns, they are kept; when it raises, they may be written again."""

    def write(self, batch: "pa.Table", *, source: str, wait: float | None = None) -> Landed:
        """Keep a batch with the schema :data:`~otel_ragfault.landing.SPAN_SCHEMA`.

        Args:
            batch: the spans.
            source: where they come from, for the ledger.
            wait: seconds to wait for a place that is in use; ``None`` is the sink's own.
        """
        ...


@runtime_checkable
class ContentSink(SpanSink, Protocol):
    """A place that keeps log records too, and the counts of what can become no row."""

    def keep(self, content: Content, *, source: str, wait: float | None = None) -> Landed:
        """Keep all of it, as ``write`` keeps spans. What is set aside in the content is not counted in the answer."""
        ...


class SpoolSink:
    """The spool of a database, loaded at once after each batch, so that it can be said what became of the spans.

    Args:
        path: the database; created where there is none.
        wait: seconds to wait for another process that holds it.
    """

    def __init__(self, path: str | Path, *, wait: float = 10.0) -> None:
        self.path = Path(path)
        self.wait = wait

    def write(self, batch: "pa.Table", *, source: str, wait: float | None = None) -> Landed:
        """Keep a batch in the spool and load it; spans that DuckDB refuses are set aside and counted.

        Raises:
            SpoolError: it cannot be kept.
            DatabaseError: it is kept, but cannot be loaded now, because the database cannot be opened or stays in use.
        """
        return self.keep(Content(batch), source=source, wait=wait)

    def keep(self, content: Content, *, source: str, wait: float | None = None) -> Landed:
        """Keep spans, log records and counts in the spool, and load them.

        Raises:
            SpoolError: they cannot be kept.
            DatabaseError: they are kept, but cannot be loaded now.
        """
        with closing(SpoolWriter(self.path, source=source, segment_age=float("inf"))) as writer:
            sealed = append_content(writer, content, writer.append)
            if not writer.records:
                return Landed()
        patience = self.wait if wait is None else wait
        stored = load_spool(self.path, wait=patience).segments
        parts = [stored.get(one) or self._from_ledger(one, patience) for one in sealed]
        if not sealed:  # it could not be renamed, and was loaded as that of a dead process
            parts = list(stored.values())
        return content.told(sum(parts, Landed()))

    def _from_ledger(self, segment_id: "UUID", wait: float) -> Landed:
        """Return what another process's loader made of the segment."""
        with closing(connect(self.path, read_only=True, wait=wait)) as con:
            rows = con.execute(read_query("landing", "segment_counts").body, {"segment_id": str(segment_id)}).fetchall()
        return Landed(*rows[0]) if rows else Landed()

"""Parquet files of spans as ``ragfault export`` writes them, read back."""

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.row import SPAN_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAGIC = b"PAR1"
WHAT = b"ragfault.export"
"""Key of the file's metadata that says what was exported."""

_ROWS = 10_000
_WANTED = "one of spans, written by `ragfault export --what spans`, was wanted"


class OtherExportError(MalformedError):
    """A file that ``ragfault export`` wrote, of requests or labels, say; ``what`` says of which."""

    def __init__(self, what: str) -> None:
        super().__init__(f"a Parquet file of {what}; {_WANTED}")
        self.what = what


def read_spans(path: "Path") -> "Iterator[pa.Table]":
    """Read the spans of a Parquet file, a bounded number at a time, with the schema ``SPAN_SCHEMA``.

    A file that holds none gives one empty table: it was written when there was nothing to export.

    Raises:
        OtherExportError: it is an export of something else.
        MalformedError: it is another Parquet file, or damaged.
    """
    try:
        with pq.ParquetFile(path) as file:
            _check(file.schema_arrow)
            if not file.metadata.num_rows:
                yield SPAN_SCHEMA.empty_table()
            for batch in file.iter_batches(batch_size=_ROWS):
                table = pa.Table.from_batches([batch]).select(SPAN_SCHEMA.names).cast(SPAN_SCHEMA)
                table.validate(full=True)
                yield table
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, MalformedError):
            raise
        reason = " ".join(str(error).split())[:200]
        raise MalformedError(f"a Parquet file that is cut off or damaged ({reason}); {_WANTED}") from None


def _check(schema: pa.Schema) -> None:
    if set(SPAN_SCHEMA.names) <= set(schema.names):
        return
    exported = (schema.metadata or {}).get(WHAT, b"").decode(errors="replace")
    if exported not in {"", "spans"}:
        raise OtherExportError(exported)
    raise MalformedError(f"a Parquet file with columns {', '.join(schema.names[:3])}, …; {_WANTED}")

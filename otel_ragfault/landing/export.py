"""Tables of the database to Parquet files; those of spans can be imported again."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from otel_ragfault.errors import InputError
from otel_ragfault.landing.decoding.row import SPAN_SCHEMA
from otel_ragfault.landing.importing.parquet import WHAT
from otel_ragfault.landing.spool.folder import sync_folder
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from duckdb import DuckDBPyConnection

EXPORTS = {"spans": "span", "requests": "request", "labels": "label"}
"""What can be exported, and the query of ``queries/export/`` that reads it."""

_ROWS = 10_000


def export_parquet(con: "DuckDBPyConnection", what: str, path: Path, *, since: "datetime | None" = None) -> int:
    """Write a Parquet file, which takes the place of an older one only when it is complete; return its rows.

    Args:
        con: a connection that may read.
        what: ``spans``, ``requests`` or ``labels``.
        path: the file.
        since: leave out what started before; a time in UTC without a zone.

    Raises:
        InputError: the file cannot be written.
    """
    query = read_query("export", EXPORTS[what]).body
    reader = con.cursor().sql(query, params={"since": since}).to_arrow_reader(_ROWS)
    unfinished = path.with_name(f".{path.name}.new-{os.getpid()}")
    try:
        rows = _write(reader, what, unfinished)
        unfinished.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({error.strerror or error}); a place for a Parquet file was wanted; "
            "check the path, the permissions and the free space"
        ) from error
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return rows


def _write(reader: Any, what: str, path: Path) -> int:
    shape: Callable[[pa.Table], pa.Table] = _span_table if what == "spans" else _same
    schema = shape(reader.schema.empty_table()).schema.with_metadata({WHAT: what.encode()})
    rows = 0
    with path.open("wb") as file:
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for batch in reader:
                writer.write_table(shape(pa.Table.from_batches([batch])).replace_schema_metadata(schema.metadata))
                rows += batch.num_rows
        file.flush()
        os.fsync(file.fileno())
    return rows


def _same(table: pa.Table) -> pa.Table:
    return table


def _span_table(table: pa.Table) -> pa.Table:
    """Give rows the schema of landing: DuckDB hands an id over as bytes of any length."""
    ids = table.column("trace_id").cast(pa.binary(16)).chunks
    column = pa.chunked_array([pa.ExtensionArray.from_storage(pa.uuid(), one) for one in ids], pa.uuid())
    return table.set_column(0, "trace_id", column).cast(SPAN_SCHEMA)

"""Find the rows that DuckDB refuses, in a database of our own in memory, so that the real one is not held meanwhile."""

import secrets
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa

from otel_ragfault.landing.decoding.rows import write_rows
from otel_ragfault.landing.loader.aside import REJECTED, keep_aside
from otel_ragfault.landing.loader.batch import Batch, Rejected
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

_REFUSED = "refused by the database"


def sift(batches: list[Batch], folder: "Path") -> None:
    """Take the rows that the tables refuse out of the batches, keep them aside and count them.

    Raises:
        OSError: they cannot be kept; the segment has to stay.
    """
    with duckdb.connect() as con:
        for name in ("span", "log_record"):
            con.execute(read_query("schema", name).text)
        for batch in batches:
            batch.spans = _sifted(con, "span", batch.spans, batch, folder)
            batch.logs = _sifted(con, "log_record", batch.logs, batch, folder)
            batch.file_logs = _sifted(con, "log_record", batch.file_logs, batch, folder)


def _sifted(con: "DuckDBPyConnection", table: str, rows: pa.Table, batch: Batch, folder: "Path") -> pa.Table:
    refused: list[pa.Table] = []
    good = _good(con, table, rows, refused)
    if not refused:
        return rows
    bad = pa.concat_tables(refused)
    content = write_rows(bad)
    stem = batch.file.stem if batch.file else f"{batch.segment_id}-{secrets.token_hex(4)}"
    kept = keep_aside(folder, REJECTED, f"{stem}.{table}.arrow", content)
    batch.rejected.append(Rejected(_REFUSED, bad.num_rows, len(content), kept))
    return pa.concat_tables(good) if good else rows.slice(0, 0)


def _good(con: "DuckDBPyConnection", table: str, rows: pa.Table, refused: list[pa.Table]) -> list[pa.Table]:
    try:
        con.register("sifting", rows)
        con.execute("BEGIN TRANSACTION")
        con.execute(f"INSERT INTO {table} BY NAME SELECT *, uuid() AS segment_id FROM sifting")
    except duckdb.Error:
        if rows.num_rows == 1:
            refused.append(rows)
            return []
    else:
        return [rows]
    finally:
        con.execute("ROLLBACK")
    half = rows.num_rows // 2
    return _good(con, table, rows.slice(0, half), refused) + _good(con, table, rows.slice(half), refused)

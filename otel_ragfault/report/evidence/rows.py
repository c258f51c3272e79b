"""Rows of tables as plain JSON values, and back again, typed by the tables themselves."""

import json
import math
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.errors import InputError
from otel_ragfault.sql import ordered_queries, read_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from duckdb import DuckDBPyConnection

Row = dict[str, Any]
_STORED_AS: Final = {"corpus_chunk": "corpus_stored_chunk"}
"""Parts of a record that are views: the table that holds their rows."""
_SERIES: Final = {"series": 1, "place": 1}


def read_rows(con: "DuckDBPyConnection", part: str, parameters: "Mapping[str, object]") -> list[Row]:
    """Return the rows of a part of a record: column → JSON value, without columns that are NULL.

    Numbers that are not finite, which JSON lacks, are the texts ``Infinity``, ``-Infinity`` and ``NaN``.
    """
    query = read_query("evidence", part)
    values = {name: parameters[name] for name in query.parameters}
    found = con.execute(f"SELECT to_json(part) FROM ({query.body}) AS part", values).fetchall()
    return [_row(text) for (text,) in found]


def _row(text: str) -> Row:
    return {name: _finite(value) for name, value in json.loads(text).items() if value is not None}


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    return value


def write_rows(con: "DuckDBPyConnection", part: str, rows: "Sequence[Row]") -> None:
    """Put the rows of a part into a database that holds no others.

    Raises:
        InputError: they are not what comes back: a column that no table has, or a value of another type.
        duckdb.Error: they do not fit.
    """
    table = _STORED_AS.get(part, part)
    types = dict(
        con.execute(
            "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? AND NOT internal", [table]
        ).fetchall()
    )
    placed = [_placed(part, row) for row in rows]
    named = {name for row in placed for name in row} & types.keys()
    structure = json.dumps([{name: types[name] for name in sorted(named)}])
    con.execute(
        f"INSERT INTO {table} BY NAME SELECT unnest(from_json(?, ?), max_depth := 2)", [json.dumps(placed), structure]
    )
    back = con.execute(f"SELECT to_json(part) FROM {part} AS part").fetchall()
    if _sorted(_row(text) for (text,) in back) != _sorted(rows):
        raise InputError(f"{part}: a row was found that no table of this release holds in this form")


def _sorted(rows: "Iterable[Row]") -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def _placed(part: str, row: Row) -> Row:
    """Return the row as it is stored where there is one snapshot, in one series."""
    if part == "corpus_snapshot":
        return {**row, **_SERIES}
    if part == "corpus_chunk":
        return {**row, "series": _SERIES["series"], "first_place": _SERIES["place"]}
    return row


@cache
def parts() -> tuple[str, ...]:
    """Return the names of the parts of a record, in order."""
    return tuple(query.name for query in ordered_queries("evidence"))

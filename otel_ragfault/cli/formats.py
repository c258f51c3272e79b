"""Write the rows of a query as JSON, CSV, Parquet or a table."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import orjson

from otel_ragfault.cli.tables import Align, say_table
from otel_ragfault.cli.values import as_text, converter
from otel_ragfault.errors import QueryError

if TYPE_CHECKING:
    import pyarrow as pa

    from otel_ragfault.jobs.query import Column, Rows

FORMATS: Final = ("table", "json", "csv", "parquet")
_QUOTED: Final = frozenset(',"\r\n')
_NUMBERS: Final = re.compile("u?(tiny|small|big|huge)int|u?integer|float|double|decimal")


def write_json(rows: "Rows", file: IO[bytes]) -> None:
    """Write a JSON list of objects, a row a line."""
    names = unique_names([column.name for column in rows.columns])
    separator = b"[\n"
    for row in _converted(rows):
        file.write(separator + orjson.dumps(dict(zip(names, row, strict=True))))
        separator = b",\n"
    file.write(b"[]\n" if separator == b"[\n" else b"\n]\n")


def write_csv(rows: "Rows", file: IO[bytes]) -> None:
    """Write CSV: NULL is an empty field, an empty text is ``""``, lists and objects are JSON."""
    file.write(_csv_line([column.name for column in rows.columns]))
    for row in _converted(rows):
        file.write(_csv_line(row))


def write_csv_objects(objects: Sequence[Mapping[str, Any]], file: IO[bytes]) -> None:
    """Write objects with the same keys, as :func:`write_csv` writes rows."""
    for number, one in enumerate(objects):
        if not number:
            file.write(_csv_line(list(one)))
        file.write(_csv_line(list(one.values())))


def _csv_line(cells: Sequence[Any]) -> bytes:
    fields = ["" if cell is None else _quoted(as_text(cell)) for cell in cells]
    line = ",".join(fields) or '""'  # a blank line would be no row
    return f"{line}\n".encode()


def _quoted(text: str) -> str:
    if text and text.strip() == text and _QUOTED.isdisjoint(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def say_rows(rows: "Rows") -> None:
    """Print a table."""
    body = [[_cell(value) for value in row] for row in _converted(rows)]
    say_table([column.name for column in rows.columns], body, [_side(column) for column in rows.columns])


def _cell(value: Any) -> str:
    if value is None:
        return "NULL"
    return f"{value:.6g}" if isinstance(value, float) else as_text(value)


def _side(column: "Column") -> Align:
    return "right" if _NUMBERS.fullmatch(column.type.id) else "left"


def _converted(rows: "Rows") -> Iterable[list[Any]]:
    converters = [converter(column.type) for column in rows.columns]
    for row in rows:
        yield [convert(value) for convert, value in zip(converters, row, strict=True)]


def unique_names(names: Sequence[str]) -> list[str]:
    """Return the names with ``_2``, ``_3`` … after those that repeat, so that no value of a row is lost."""
    taken = set(names)
    seen: set[str] = set()
    result = []
    for name in names:
        fresh, number = name, 1
        while fresh in seen or (number > 1 and fresh in taken):
            number += 1
            fresh = f"{name}_{number}"
        seen.add(fresh)
        result.append(fresh)
    return result


def write_parquet(table: "pa.Table", path: Path) -> None:
    """Write a Parquet file.

    Raises:
        QueryError: a column has a type that Parquet lacks.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        pq.write_table(table.rename_columns(unique_names(table.column_names)), path)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        reason = " ".join(str(error).split())
        raise QueryError(f"Parquet cannot hold this result: {reason}; cast that column to another type") from error

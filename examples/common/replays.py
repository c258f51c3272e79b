"""What replays of published data share: reading rows, landing what the decorators record, tables of what SQL finds."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from otel_ragfault.capture import RagfaultSpanProcessor, set_capture
from otel_ragfault.errors import InputError, RagfaultError
from otel_ragfault.landing import DuckDBSpanExporter

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Json = dict[str, Any]


def read_rows(path: Path) -> Iterator[Json]:
    """Yield the objects of a file of JSON lines.

    Raises:
        InputError: the file cannot be read, or a line is no JSON.
    """
    try:
        with path.open("rb") as lines:
            yield from (orjson.loads(line) for line in lines)
    except OSError as error:
        raise InputError(
            f"{path}: {error.strerror}; the data that README.md describes was wanted; check --data"
        ) from None
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path}: {error}; a JSON object on each line was wanted; correct the file") from None


def write_rows(path: Path, rows: Sequence[Json]) -> Path:
    """Write rows as JSON lines, and return the path."""
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


@contextmanager
def tracing(db: Path, service: str) -> Iterator[tuple[TracerProvider, DuckDBSpanExporter]]:
    """Send what the decorators record to a database; at the end everything has landed, or an error is raised."""
    exporter = DuckDBSpanExporter(db)
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    provider.add_span_processor(RagfaultSpanProcessor())
    provider.add_span_processor(BatchSpanProcessor(exporter))
    set_capture(content=True, tracer_provider=provider)
    try:
        yield provider, exporter
    finally:
        set_capture()
        provider.shutdown()
    if exporter.stats.dropped or exporter.stats.unusable:
        raise InputError(f"{db}: spans were lost ({exporter.stats}); check the disk, and that nobody holds the file")


def found(con: "DuckDBPyConnection", query: Path) -> list[Json]:
    """Run a file of SQL."""
    result = con.execute(query.read_text(encoding="utf-8"))
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def table(rows: Sequence[Json]) -> str:
    """Write rows as a table: the first column flush left, the others flush right, numbers with four places."""
    lines = [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)] if rows else []
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(map(str.rjust, line[1:], widths[1:]))]).rstrip() for line in lines
    )


def _cell(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def parser(about: str | None, data: str, files: str) -> argparse.ArgumentParser:
    """Return the command line that every replay has.

    Args:
        about: the docstring of the script.
        data: the folder of its data below ``RAGFAULT_REALDATA``, where that is set.
        files: what has to be in the folder.
    """
    result = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    real = os.environ.get("RAGFAULT_REALDATA")
    result.add_argument(
        "--data",
        type=Path,
        default=Path(real) / data if real else None,
        required=not real,
        help=f"folder with {files} (default: {data} in $RAGFAULT_REALDATA)",
    )
    result.add_argument("--db", type=Path, required=True, help="the database to write; a new file")
    return result


def printed(run: Callable[[], str]) -> int:
    """Print what a replay returns; print the one line that it fails with, and return the exit code."""
    try:
        print(run())
    except RagfaultError as error:
        print(f"replay.py: {error}", file=sys.stderr)
        return 2
    return 0

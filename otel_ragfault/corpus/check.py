"""Check a corpus file, and turn its valid lines into an Arrow table."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import pyarrow as pa

from otel_ragfault.model import CorpusChunk, Problem, RecordReader

_TIME = pa.timestamp("us")
_CHUNKS = pa.schema(
    {
        "chunk_id": pa.string(),
        "doc_id": pa.string(),
        "text": pa.string(),
        "version": pa.string(),
        "valid_from": _TIME,
        "valid_to": _TIME,
        "observed_at": _TIME,
        "permitted": pa.list_(pa.string()),
    }
)
_BATCH = 20_000


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """What a corpus file holds.

    Attributes:
        path: the file.
        chunks: its valid lines, with the columns of ``corpus_chunk`` except ``snapshot_id``.
        problems: every fault, in the order of lines.
        warnings: what a person should look at; a warning makes no line invalid.
        invalid_lines: how many lines are not valid.
    """

    path: Path
    chunks: pa.Table
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    invalid_lines: int


def check_corpus(path: Path | str) -> CorpusFile:
    """Read a corpus file and report everything that is wrong with it, in one pass.

    Raises:
        InputError: the file cannot be read.
    """
    reader = RecordReader(Path(path), CorpusChunk, "chunk_id")
    chunks = (chunk for _, chunk in reader)
    batches = [_arrow(batch) for batch in iter(lambda: list(islice(chunks, _BATCH)), [])]
    return CorpusFile(
        reader.path,
        pa.Table.from_batches(batches, schema=_CHUNKS),
        tuple(reader.problems),
        tuple(reader.warnings),
        len(reader.invalid_lines),
    )


def _arrow(chunks: Iterable[CorpusChunk]) -> pa.RecordBatch:
    rows = [tuple(_value(getattr(chunk, name)) for name in _CHUNKS.names) for chunk in chunks]
    columns = [
        pa.array(column, type=field.type) for column, field in zip(zip(*rows, strict=True), _CHUNKS, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=_CHUNKS)


def _value(value: object) -> object:
    return value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) else value

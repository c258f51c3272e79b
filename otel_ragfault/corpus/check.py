"""Check a corpus file, and turn its valid lines into an Arrow table."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from otel_ragfault.counting import counted
from otel_ragfault.model import CorpusChunk, Problem, RecordReader
from otel_ragfault.model.corpus import text_hash

_TIME = pa.timestamp("us")
_CHUNKS = pa.schema(
    {
        "chunk_id": pa.string(),
        "doc_id": pa.string(),
        "position": pa.uint32(),
        "text": pa.string(),
        "text_hash": pa.string(),
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
        chunks: its valid lines, with the columns of ``corpus_chunk`` except ``snapshot_id``. A hash is there only where
            the text is not.
        removed: in a file of changes, the chunks that are no longer there, with the line that says so.
        problems: every fault, in the order of lines.
        warnings: what a person should look at; a warning makes no line invalid.
        invalid_lines: how many lines are not valid.
    """

    path: Path
    chunks: pa.Table
    removed: dict[str, int]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    invalid_lines: int


def check_corpus(path: Path | str, *, changes: bool = False, hash_only: bool = False) -> CorpusFile:
    """Read a corpus file and report everything that is wrong with it, in one pass.

    Args:
        path: the file.
        changes: the file holds what changed since a snapshot, so that a line may say that its chunk was removed.
        hash_only: keep the hash of each text, and not the text.

    Raises:
        InputError: the file cannot be read.
    """
    reader = RecordReader(Path(path), CorpusChunk, "chunk_id")
    removed: dict[str, int] = {}
    rows = _rows(reader, removed, changes=changes, hash_only=hash_only)
    batches = [_arrow(batch) for batch in iter(lambda: list(islice(rows, _BATCH)), [])]
    return CorpusFile(
        reader.path,
        pa.Table.from_batches(batches, schema=_CHUNKS),
        removed,
        tuple(reader.problems),
        tuple(reader.warnings),
        len(reader.invalid_lines),
    )


def _rows(
    reader: RecordReader[CorpusChunk], removed: dict[str, int], *, changes: bool, hash_only: bool
) -> Iterator[tuple[Any, ...]]:
    places: Counter[str] = Counter()
    foreign: Counter[str] = Counter()
    first: dict[str, int] = {}
    for line, chunk in reader:
        for key in chunk.foreign:
            foreign[key] += 1
            first.setdefault(key, line)
        if chunk.removed:
            if changes:
                removed[chunk.chunk_id] = line
            else:
                reader.reject(
                    line, "removed", "is for a file of changes; load it with --base SNAPSHOT, or leave it out"
                )
            continue
        position = None
        if chunk.doc_id is not None:
            places[chunk.doc_id] += 1
            position = places[chunk.doc_id]
        yield (
            chunk.chunk_id,
            chunk.doc_id,
            position,
            None if hash_only else chunk.text,
            text_hash(chunk.text) if hash_only and chunk.text is not None else _hash_alone(chunk),
            chunk.version,
            _utc(chunk.valid_from),
            _utc(chunk.valid_to),
            _utc(chunk.observed_at),
            chunk.permitted,
        )

    for key, line in first.items():
        where = f" on {counted(foreign[key], 'line')}" if foreign[key] > 1 else ""
        reader.warn(line, key, f"is not a known key, and is passed over{where}; keys of your own go into meta")


def _hash_alone(chunk: CorpusChunk) -> str | None:
    return chunk.text_hash if chunk.text is None else None


def _arrow(rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    columns = [
        pa.array(column, type=field.type) for column, field in zip(zip(*rows, strict=True), _CHUNKS, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=_CHUNKS)


def _utc(value: datetime | None) -> datetime | None:
    return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

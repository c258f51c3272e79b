"""Load a corpus file as a snapshot: all of it in one transaction, in bulk through Arrow."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.corpus.check import CorpusFile, check_corpus
from otel_ragfault.errors import InputError
from otel_ragfault.model import InvalidFileError, Problem
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_DIGEST = 8


@dataclass(frozen=True, slots=True)
class LoadedCorpus:
    """What was loaded.

    Attributes:
        snapshot_id: the snapshot.
        chunks: chunks it holds.
        skipped: invalid lines that were passed over.
        unchanged: whether the snapshot was there before with the same chunks, so that nothing was written.
        warnings: what a person should look at.
    """

    snapshot_id: str
    chunks: int
    skipped: int
    unchanged: bool
    warnings: tuple[Problem, ...]


def load_corpus(
    con: "DuckDBPyConnection",
    path: Path | str,
    *,
    snapshot_id: str | None = None,
    skip_invalid: bool = False,
    replace: bool = False,
    allow_empty: bool = False,
) -> LoadedCorpus:
    """Load the chunks of a corpus file as one snapshot.

    Args:
        con: a database opened for writing, outside of a transaction.
        path: the corpus file.
        snapshot_id: the identity of the snapshot; by default the file's name without suffix, ``-``, and the start of
            the SHA-256 of its bytes, so that another content is another snapshot.
        skip_invalid: load the valid lines of a file that has invalid ones, instead of nothing.
        replace: let other chunks take the place of a snapshot that is there already.
        allow_empty: load a snapshot without any chunk, which says that the index holds nothing.

    Raises:
        InvalidFileError: a line is invalid and ``skip_invalid`` is not set; it carries every problem.
        InputError: the file cannot be read or holds no chunk, or the snapshot is there already with other chunks.
    """
    found = check_corpus(path)
    if found.problems and not skip_invalid:
        raise InvalidFileError(found.problems, "correct the file, or pass --skip-invalid to load its valid lines")
    if not found.chunks.num_rows and (found.invalid_lines or not allow_empty):
        raise InputError(
            f"{path}: holds no chunk that can be loaded ({found.invalid_lines} invalid lines); check the file, "
            "or pass --allow-empty to say that the index is empty"
        )
    snapshot = _default_id(found.path) if snapshot_id is None else snapshot_id
    if not snapshot.strip():
        raise InputError(f"snapshot id: found {snapshot!r}, wanted a text; name the snapshot")
    unchanged = _store(con, snapshot, found, replace=replace)
    return LoadedCorpus(snapshot, found.chunks.num_rows, found.invalid_lines, unchanged, found.warnings)


def _default_id(path: Path) -> str:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{path.stem}-{digest[:_DIGEST]}"


def _store(con: "DuckDBPyConnection", snapshot: str, found: CorpusFile, *, replace: bool) -> bool:
    """Write the snapshot; return whether it was there before with the same chunks."""
    with transaction(con):
        con.register("incoming_chunk", found.chunks)
        try:
            same = _is_same(con, snapshot)
            if same is False and not replace:
                raise InputError(
                    f"snapshot {snapshot!r} is loaded already with other chunks; "
                    "name another snapshot id, or pass --replace to load this file in its place"
                )
            if not same:
                _write(con, snapshot, found, was_there=same is not None)
        finally:
            con.unregister("incoming_chunk")
    return bool(same)


def _is_same(con: "DuckDBPyConnection", snapshot: str) -> bool | None:
    """Say whether the stored snapshot holds the incoming chunks; ``None`` when there is no such snapshot."""
    rows = con.execute(read_query("corpus", "same_content").body, {"snapshot_id": snapshot}).fetchall()
    return bool(rows[0][0]) if rows else None


def _write(con: "DuckDBPyConnection", snapshot: str, found: CorpusFile, *, was_there: bool) -> None:
    if was_there:
        con.execute(read_query("corpus", "delete_chunks").body, {"snapshot_id": snapshot})
        con.execute(read_query("corpus", "delete_snapshot").body, {"snapshot_id": snapshot})
    con.execute(read_query("corpus", "insert_chunks").body, {"snapshot_id": snapshot})
    con.execute(
        read_query("corpus", "insert_snapshot").body,
        {
            "snapshot_id": snapshot,
            "chunks": found.chunks.num_rows,
            "source": found.path.name,
            "loaded_at": datetime.now(UTC).replace(tzinfo=None),
        },
    )

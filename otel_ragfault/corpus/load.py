"""Load a corpus file as a snapshot: all of it in one transaction, in bulk through Arrow."""

import dataclasses
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from otel_ragfault.corpus.check import CorpusFile, check_corpus
from otel_ragfault.corpus.snapshots import Stored, forget_snapshot, require_snapshot, store_snapshot
from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError
from otel_ragfault.model import InvalidFileError, Problem
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from datetime import datetime

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
        base_id: the snapshot that it is stored as a difference to; ``None``: it is stored on its own, or unchanged.
        stored: chunks that had to be stored, because they are new or changed since the base.
        warnings: what a person should look at.
    """

    snapshot_id: str
    chunks: int
    skipped: int
    unchanged: bool
    base_id: str | None
    stored: int
    warnings: tuple[Problem, ...]


def load_corpus(
    con: "DuckDBPyConnection",
    path: Path | str,
    *,
    snapshot_id: str | None = None,
    skip_invalid: bool = False,
    replace: bool = False,
    allow_empty: bool = False,
    base: str | None = None,
    hash_only: bool = False,
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
        base: the file holds what changed since this snapshot: chunks that are new or other, and removed ones.
        hash_only: keep the hash of each text, and not the text.

    Raises:
        InvalidFileError: a line is invalid and ``skip_invalid`` is not set; it carries every problem.
        InputError: the file cannot be read or holds no chunk, the base is not loaded, or the snapshot is there already
            with other chunks.
    """
    found = check_corpus(path, changes=base is not None, hash_only=hash_only)
    if base is not None:
        found = _check_base(con, base, found)
    if found.problems and not skip_invalid:
        raise InvalidFileError(found.problems, "correct the file, or pass --skip-invalid to load its valid lines")
    if not found.chunks.num_rows and not found.removed and (found.invalid_lines or not allow_empty):
        raise InputError(
            f"{path}: holds no chunk that can be loaded ({counted(found.invalid_lines, 'invalid line')}); "
            "check the file, or pass --allow-empty to say that the index is empty"
        )
    snapshot = _default_id(found.path) if snapshot_id is None else snapshot_id
    if not snapshot.strip():
        raise InputError(f"snapshot id: found {snapshot!r}, wanted a text; name the snapshot")
    chunks, stored = _store(con, snapshot, found, base, replace=replace)
    return LoadedCorpus(
        snapshot,
        chunks,
        found.invalid_lines,
        unchanged=stored is None,
        base_id=None if stored is None else stored.base_id,
        stored=0 if stored is None else stored.stored,
        warnings=found.warnings,
    )


def _default_id(path: Path) -> str:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{path.stem}-{digest[:_DIGEST]}"


def _store(
    con: "DuckDBPyConnection", snapshot: str, found: CorpusFile, base: str | None, *, replace: bool
) -> tuple[int, Stored | None]:
    """Write the snapshot; return how many chunks it has and how they are stored, ``None`` if it was there before."""
    with transaction(con):
        observed_at = _take_in(con, found, base)
        try:
            chunks = _number(con, "SELECT count(*) FROM incoming_chunk")
            same = _is_same(con, snapshot, observed_at)
            if same:
                return chunks, None
            if same is False and not replace:
                raise InputError(
                    f"snapshot {snapshot!r} is loaded already with other chunks; "
                    "name another snapshot id, or pass --replace to load this file in its place"
                )
            forget_snapshot(con, snapshot)
            return chunks, store_snapshot(con, snapshot, found.path.name, observed_at)
        finally:
            con.execute("DROP TABLE IF EXISTS incoming_chunk")


def _take_in(con: "DuckDBPyConnection", found: CorpusFile, base: str | None) -> "datetime | None":
    """Make the relation ``incoming_chunk``; return when the index was seen, if all of it was seen at one time."""
    con.register("corpus_content" if base is None else "corpus_given", found.chunks)
    try:
        if base is not None:
            gone = pa.table({"chunk_id": pa.array(list(found.removed), pa.string())})
            con.register("corpus_removed", gone)
            con.execute(read_query("corpus", "changed_content").body, {"base": base})
        ((observed_at,),) = con.execute(read_query("corpus", "observed_at").body).fetchall()
        con.execute(read_query("corpus", "incoming").body, {"observed_at": observed_at})
    finally:
        for name in ("corpus_given", "corpus_removed"):
            con.unregister(name)
        if base is None:
            con.unregister("corpus_content")
        else:
            con.execute("DROP TABLE IF EXISTS corpus_content")
    return observed_at  # type: ignore[no-any-return]


def _check_base(con: "DuckDBPyConnection", base: str, found: CorpusFile) -> CorpusFile:
    """Check that the base is loaded and holds what the file removes from it; return the file with what is not so."""
    require_snapshot(con, base)
    held = {row[0] for row in con.execute(read_query("corpus", "chunk_ids").body, {"snapshot_id": base}).fetchall()}
    faults = [
        Problem(str(found.path), line, "chunk_id", f"{name!r} is not in snapshot {base!r}, from which it is removed")
        for name, line in found.removed.items()
        if name not in held
    ]
    return dataclasses.replace(
        found,
        problems=tuple(sorted((*found.problems, *faults), key=lambda problem: problem.line)),
        invalid_lines=found.invalid_lines + len(faults),
    )


def _is_same(con: "DuckDBPyConnection", snapshot: str, observed_at: "datetime | None") -> bool | None:
    """Say whether the stored snapshot holds the incoming chunks; ``None`` when there is no such snapshot."""
    rows = con.execute(
        read_query("corpus", "same_content").body, {"snapshot_id": snapshot, "observed_at": observed_at}
    ).fetchall()
    return bool(rows[0][0]) if rows else None


def _number(con: "DuckDBPyConnection", sql: str) -> int:
    row = con.execute(sql).fetchone()
    return 0 if row is None else int(row[0])

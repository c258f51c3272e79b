"""Which snapshots are loaded, and what is different between two of them."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from otel_ragfault.corpus.snapshots import require_snapshot
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CHANGES = ("text", "version", "window", "permissions", "document")
"""What may differ in a chunk that two snapshots hold."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A loaded snapshot.

    Attributes:
        snapshot_id: its identity.
        chunks: chunks it holds.
        documents: documents they belong to.
        base_id: the snapshot that it is stored as a difference to; ``None``: it is stored on its own.
        stored: chunks that are new or changed since the base.
        with_text: chunks whose text is loaded.
        windowed: chunks with a validity window.
        restricted: chunks that not everybody may see.
        source: the file it came from.
        loaded_at: when it was loaded, UTC.
        observed_at: when the index was seen, UTC; the newest time that a chunk gives.
    """

    snapshot_id: str
    chunks: int
    documents: int
    base_id: str | None
    stored: int
    with_text: int
    windowed: int
    restricted: int
    source: str
    loaded_at: datetime
    observed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different between snapshot ``old`` and snapshot ``new``: ids of chunks, in their order.

    ``changed`` holds, for each of :data:`CHANGES`, the chunks of both that differ in it; a chunk may be in several.
    """

    old: str
    new: str
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in CHANGES})

    @property
    def changed_ids(self) -> list[str]:
        """The chunks of both that differ in anything."""
        return sorted(set().union(*self.changed.values()))


def list_snapshots(con: "DuckDBPyConnection") -> list[Snapshot]:
    """Return the loaded snapshots, the newest first."""
    return [Snapshot(*row) for row in con.execute(read_query("corpus", "list_snapshots").body).fetchall()]


def compare_snapshots(con: "DuckDBPyConnection", old: str, new: str) -> Difference:
    """Return what is different in snapshot ``new``. A text is compared by its hash where only that is loaded.

    Raises:
        InputError: one of them is not loaded.
    """
    for snapshot in (old, new):
        require_snapshot(con, snapshot)
    found = Difference(old, new)
    for chunk_id, what, fields in con.execute(read_query("corpus", "diff").body, {"old": old, "new": new}).fetchall():
        for name in fields:
            found.changed[name].append(chunk_id)
        if what != "changed":
            (found.added if what == "added" else found.removed).append(chunk_id)
    return found

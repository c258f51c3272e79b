"""What was loaded: the cases as they are now, and every version of a case that there ever was."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson

from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError
from otel_ragfault.gold.resolve import NO_GOLD, require_snapshot
from otel_ragfault.model.wording import did_you_mean
from otel_ragfault.sql import read_query
from otel_ragfault.store import named_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class GoldVersion:
    """A version of a case.

    Attributes:
        gold_version: its digest, as labels name it.
        in_force: whether it is the version that counts now.
        loaded_at: when it was first loaded, UTC.
        file: the file that it was first loaded from.
        line: its line there.
        labels: how many labels were given with it.
        content: the case.
        changed: the keys that differ from the version before; of the first version none.
    """

    gold_version: str
    in_force: bool
    loaded_at: datetime
    file: str
    line: int
    labels: int
    content: dict[str, Any]
    changed: tuple[str, ...]


def gold_history(con: "DuckDBPyConnection", case_id: str) -> list[GoldVersion]:
    """Return every version of a case that was ever loaded, the one in force first, then the newest.

    Raises:
        InputError: no case of this name was ever loaded.
    """
    rows = con.execute(read_query("gold", "history").body, {"case_id": case_id}).fetchall()
    if not rows:
        known = [str(row[0]) for row in con.execute("SELECT DISTINCT case_id FROM gold_version").fetchall()]
        if not known:
            raise InputError(f"case {case_id!r}: was never loaded; {NO_GOLD}")
        guess = did_you_mean(case_id, known)
        others = counted(len(known), "other case was", "other cases were")
        hint = f"did you mean {guess!r}?" if guess else f"{others}; ragfault gold list names them"
        raise InputError(f"case {case_id!r}: was never loaded; {hint}")
    contents = [orjson.loads(row[6]) for row in rows]
    befores = [_before(rows, number) for number in range(len(rows))]
    return [
        GoldVersion(
            row[0],
            row[1],
            row[2],
            row[3],
            row[4],
            row[5],
            content,
            _changed(content, contents[before]) if before is not None else (),
        )
        for row, content, before in zip(rows, contents, befores, strict=True)
    ]


def _before(rows: list[tuple[Any, ...]], number: int) -> int | None:
    """Return the place of the version that was loaded last before this one."""
    earlier = [other for other, row in enumerate(rows) if row[2] < rows[number][2]]
    return max(earlier, key=lambda other: rows[other][2], default=None)


def _changed(content: dict[str, Any], before: dict[str, Any]) -> tuple[str, ...]:
    return tuple(key for key in dict.fromkeys((*content, *before)) if content.get(key) != before.get(key))


def gold_list(
    con: "DuckDBPyConnection", snapshot_id: str | None = None, *, unresolved: bool = False
) -> list[dict[str, Any]]:
    """Return the loaded cases with the state of their quotes in a snapshot (by default the newest one).

    Args:
        con: the database.
        snapshot_id: the snapshot.
        unresolved: only the cases with a quote that was not found there.

    Raises:
        InputError: the snapshot is not loaded.
    """
    if snapshot_id is not None:
        require_snapshot(con, snapshot_id)
    if snapshot_id is None:
        newest = con.execute("SELECT snapshot_id FROM corpus_snapshot ORDER BY loaded_at DESC LIMIT 1").fetchone()
        snapshot_id = None if newest is None else str(newest[0])
    found = con.execute(read_query("gold", "list_cases").body, {"snapshot_id": snapshot_id, "unresolved": unresolved})
    return named_rows(found)

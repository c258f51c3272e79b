"""Rankings whose ids the snapshot does not know against which they are held: the corpus was chunked anew since."""

from typing import TYPE_CHECKING, Final

from otel_ragfault import semconv
from otel_ragfault.counting import counted
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MOST: Final = 500
"""How many of the joined requests are looked at."""

_SOME: Final = 0.1
"""The share of these that has to be strange to the snapshot; single odd requests are the fault tree's to find."""


def snapshot_mismatch(con: "DuckDBPyConnection", snapshot_id: str | None) -> str | None:
    """Say whether requests that name no snapshot are held against one that does not know most ids of their rankings.

    Reads the table ``joined``, and looks at a sample of it. Names the loaded snapshot that does know the ids, if there
    is one.

    Args:
        con: a connection on which requests were joined to gold.
        snapshot_id: the snapshot that these requests are held against; ``None`` where none is loaded.
    """
    if snapshot_id is None:
        return None
    rows = _shares(con, snapshot_id)
    if not rows:
        return None
    ((_, requests, strangers),) = rows
    if strangers < max(1, _SOME * requests):
        return None
    better, _, others = _shares(con, None)[0]
    advice = (
        f"set default_snapshot to {better!r}, which knows more of them"
        if others < strangers
        else "load what they searched"
    )
    looked_at = " looked at" if _joined(con) > _MOST else ""
    return (
        f"{strangers} of {counted(requests, 'request')}{looked_at} without a snapshot id ranked mostly ids which "
        f"snapshot {snapshot_id!r}, against which they are held, does not know; "
        f"was the corpus chunked anew since? {advice}, or record the snapshot with the traffic "
        f"({semconv.RAGFAULT_SNAPSHOT_ID})"
    )


def _shares(con: "DuckDBPyConnection", snapshot_id: str | None) -> list[tuple[str, int, int]]:
    query = read_query("corpus", "known_share").body
    return con.execute(query, {"snapshot_id": snapshot_id, "most": _MOST}).fetchall()


def _joined(con: "DuckDBPyConnection") -> int:
    return int(con.execute("SELECT count(*) FROM joined").fetchall()[0][0])

"""Hold the ids of rankings against the snapshot of their request; tell hits that it does not know by their texts.

What was recorded stays in the spans: records are told anew, from them, when another corpus is loaded.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from otel_ragfault.recovery import ChunkTexts, tell_ids
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ROWS = 1_000
_REQUESTS = 5_000
_IDS = pa.list_(pa.string())
_RECOVERED = {
    "ranked_ids": _IDS,
    "candidate_ids": _IDS,
    "prompt_ids": _IDS,
    "cited_ids": _IDS,
    "dropped": pa.list_(pa.struct([("id", pa.string()), ("reason", pa.string())])),
    "source": pa.string(),
}
_NO_TEXTS = "CREATE OR REPLACE TEMP TABLE told_text (request_id UUID, id VARCHAR, text VARCHAR)"


def hold_ids(con: "DuckDBPyConnection", target: Literal["record", "request"], default_snapshot: str | None) -> int:
    """Write into ``id_source`` how the ids of rankings are known; return the number of requests that were held.

    The table ``held_ids`` tells which. In records that are being built, ids are told by texts where they can be, and
    the table ``told_text`` has the texts of the chunks that were told.

    Args:
        con: a connection that may write.
        target: ``record`` while records are built, ``request`` afterwards.
        default_snapshot: the snapshot of requests that name none; ``None`` is the newest.
    """
    con.execute(_NO_TEXTS)
    if target == "record" and not has_snapshot(con):
        return 0  # nothing to hold them against
    con.execute(f"CREATE OR REPLACE TEMP VIEW recoverable AS FROM {target}")
    con.execute(read_query("recovery", "held_ids").text, {"default_snapshot": default_snapshot, "batch": _REQUESTS})
    held = con.execute("SELECT count(*) FROM held_ids").fetchall()[0][0]
    if held:
        con.execute(_aimed("update_held", target))
        if target == "record":
            _tell(con)
    return int(held)


def has_snapshot(con: "DuckDBPyConnection") -> bool:
    """Tell whether any corpus is loaded."""
    return bool(con.execute("SELECT 1 FROM corpus_snapshot LIMIT 1").fetchall())


def _aimed(name: str, target: str) -> str:
    return read_query("recovery", name).body.replace("UPDATE target", f"UPDATE {target} AS target")


def _tell(con: "DuckDBPyConnection") -> None:
    snapshots = con.execute(
        "SELECT snapshot_id, max(batch) + 1 FROM held_ids WHERE tellable GROUP BY snapshot_id ORDER BY snapshot_id"
    ).fetchall()
    for snapshot, batches in snapshots:
        chunks = _chunks(con, snapshot)
        for batch in range(batches):
            con.execute(read_query("recovery", "hit_text").body, {"snapshot_id": snapshot, "batch": batch})
            found = [told for row in _fetched(con) if (told := _told(row, chunks)) is not None]
            if found:
                _write(con, found)


def _chunks(con: "DuckDBPyConnection", snapshot: str) -> ChunkTexts:
    chunks = ChunkTexts()
    con.execute(read_query("recovery", "chunk_text").body, {"snapshot_id": snapshot})
    for row in _fetched(con):
        chunks.add(*row)
    return chunks


def _fetched(con: "DuckDBPyConnection") -> Iterator[Sequence[Any]]:
    while rows := con.fetchmany(_ROWS):
        yield from rows


def _told(row: Sequence[Any], chunks: ChunkTexts) -> dict[str, Any] | None:
    """Tell the ids of a request: a hit has the text beside it, else the one that another span shows under its id."""
    request_id, ranked, ranked_texts, candidates, candidate_texts, prompt, cited, dropped, shown = row
    texts = {pair["id"]: pair["text"] for pair in shown or ()}
    lists = {
        "candidate_ids": _hits(candidates, candidate_texts, texts),
        "ranked_ids": _hits(ranked, ranked_texts, texts),
    }
    recorded = {name: hits for name, hits in lists.items() if hits is not None}
    told = tell_ids(list(recorded.values()), chunks)
    if told is None:
        return None
    rankings = dict(zip(recorded, told.rankings, strict=True))
    spoken = {  # for the search of the prompt
        chunk: text
        for name, ranking in rankings.items()
        for chunk, (_, text) in zip(ranking, recorded[name], strict=True)
        if prompt is None and chunk in chunks.ids and text is not None
    }
    return {
        "request_id": request_id.bytes,
        **{name: rankings.get(name) for name in lists},
        "prompt_ids": None if prompt is None else [told.names.get(name, name) for name in prompt],
        "cited_ids": None if cited is None else list(dict.fromkeys(told.names.get(name, name) for name in cited)),
        "dropped": None
        if dropped is None
        else [{**one, "id": told.names.get(one["id"], one["id"])} for one in dropped],
        "source": "text_match" if told.complete else "text_match_partly",
        "texts": spoken,
    }


def _hits(
    ids: Sequence[str | None] | None, texts: Sequence[str | None] | None, shown: dict[str, str]
) -> list[tuple[str | None, str | None]] | None:
    if ids is None:
        return None
    beside = texts if texts is not None and len(texts) == len(ids) else [None] * len(ids)
    return [
        (name, text if text is not None or name is None else shown.get(name))
        for name, text in zip(ids, beside, strict=True)
    ]


def _write(con: "DuckDBPyConnection", found: list[dict[str, Any]]) -> None:
    columns = {name: pa.array([row[name] for row in found], kind) for name, kind in _RECOVERED.items()}
    texts = [(row["request_id"], chunk, text) for row in found for chunk, text in row["texts"].items()]
    tables = {
        "recovered": pa.table({"request_id": _uuids([row["request_id"] for row in found]), **columns}),
        "spoken": pa.table(
            {
                "request_id": _uuids([row[0] for row in texts]),
                "id": pa.array([row[1] for row in texts], pa.string()),
                "text": pa.array([row[2] for row in texts], pa.string()),
            }
        ),
    }
    for name, table in tables.items():
        con.register(name, table)
    try:
        con.execute(_aimed("update_ids", "record"))
        con.execute("INSERT INTO told_text FROM spoken")
    finally:
        for name in tables:
            con.unregister(name)


def _uuids(values: list[bytes]) -> pa.Array:
    return pa.ExtensionArray.from_storage(pa.uuid(), pa.array(values, pa.binary(16)))

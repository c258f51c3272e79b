"""Recover what no span says: which chunks were ranked, which reached the prompt, and which of them the answer cites.

Requests are read from the view ``recoverable`` and changed in the table it stands for: the records that are being
built, or, when a corpus has been loaded since, the table ``request``.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from otel_ragfault.jobs.ids import has_snapshot, hold_ids
from otel_ragfault.recovery import DEFAULT_THRESHOLD, map_citations, match_prompt
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Target = Literal["record", "request"]
_ROWS = 1_000
_NO_TEXTS = "CREATE OR REPLACE TEMP TABLE known_text (request_id UUID, id VARCHAR, text VARCHAR)"


def recover(
    con: "DuckDBPyConnection",
    target: Target,
    *,
    default_snapshot: str | None = None,
    threshold: float = DEFAULT_THRESHOLD,
) -> int:
    """Recover ids of chunks, prompt ids and citations; return the number of requests whose prompt ids were found.

    Args:
        con: a connection that may write.
        target: ``record`` while records are built (texts on spans are used, too), ``request`` afterwards.
        default_snapshot: the snapshot of requests that name none; ``None`` is the newest.
        threshold: how alike a rewritten chunk has to be, from 0 to 1.
    """
    if target == "record":
        hold_ids(con, target, default_snapshot)
    con.execute(f"CREATE OR REPLACE TEMP VIEW recoverable AS FROM {target}")
    prompts = list(_matched_prompts(con, target, threshold))
    _change(con, target, "prompt", prompts)
    _change(con, target, "cited", list(_rows(con, "answer_to_cite", _cited)))
    return len(prompts)


def _matched_prompts(con: "DuckDBPyConnection", target: Target, threshold: float) -> Iterator[dict[str, Any]]:
    """Search the prompts for texts that spans show, or a corpus has."""
    prompts, shown = con.execute(read_query("recovery", "wanted").body).fetchall()[0]
    if target == "record" and shown:
        con.execute(read_query("recovery", "known_text").text)
    elif prompts and has_snapshot(con):
        con.execute(_NO_TEXTS)
    else:
        return
    yield from _rows(con, "ranked_text", lambda row: _matched(row, threshold))


def _rows(
    con: "DuckDBPyConnection", name: str, made: Callable[[Sequence[Any]], dict[str, Any] | None]
) -> Iterator[dict[str, Any]]:
    con.execute(read_query("recovery", name).body)
    while rows := con.fetchmany(_ROWS):
        yield from (found for found in map(made, rows) if found is not None)


def _matched(row: Sequence[Any], threshold: float) -> dict[str, Any] | None:
    """Match a prompt. A ranked chunk without a text might be there: a place without an id then stands for it."""
    request_id, prompt, ids, texts, by_id = row
    chunks = [(name, text) for name, text in zip(ids, texts, strict=True) if name is not None and text is not None]
    matches = match_prompt(chunks, prompt, threshold=threshold)
    if not matches:
        return None  # none of them: then it is the prompt that is not what it seems, rather than that all were cut
    gap = [None] if len(chunks) < len(ids) else []
    return {
        "request_id": request_id.bytes,
        "ids": [match.id for match in matches] + gap,
        "shares": [match.share for match in matches] + gap,
        "source": "id_lookup" if by_id else "text_match",
    }


def _cited(row: Sequence[Any]) -> dict[str, Any] | None:
    request_id, answer, prompt_ids = row
    found = map_citations(answer, prompt_ids)
    if not found.ids and not found.unmapped:
        return None
    return {"request_id": request_id.bytes, "ids": list(found.ids), "unmapped": list(found.unmapped)}


_SHAPES = {
    "prompt": {"ids": pa.list_(pa.string()), "shares": pa.list_(pa.float64()), "source": pa.string()},
    "cited": {"ids": pa.list_(pa.string()), "unmapped": pa.list_(pa.string())},
}


def _change(con: "DuckDBPyConnection", target: Target, what: str, found: list[dict[str, Any]]) -> None:
    if not found:
        return
    ids = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([row["request_id"] for row in found], pa.binary(16)))
    columns = {name: pa.array([row[name] for row in found], kind) for name, kind in _SHAPES[what].items()}
    con.register("recovered", pa.table({"request_id": ids, **columns}))
    try:
        con.execute(
            read_query("recovery", f"update_{what}").body.replace("UPDATE target", f"UPDATE {target} AS target")
        )
    finally:
        con.unregister("recovered")

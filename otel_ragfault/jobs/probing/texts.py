"""The texts of the chunks that probes may show: those of the corpus, else those that spans show."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from otel_ragfault.jobs.generators import Chunk
from otel_ragfault.sql import read_query
from otel_ragfault.store import registered

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_RANKED: Final = 200
"""Ranked chunks of a request whose texts are looked for: what distractors and replacements are taken from."""

_WANTED: Final = pa.schema({"snapshot_id": pa.string(), "chunk_id": pa.string()})

Texts = dict[str | None, Chunk]
"""Chunks by id."""


def ranked_ids(row: Mapping[str, Any]) -> list[str]:
    """Return the ranked chunks of a request, the first stage before the second, each once."""
    both = dict.fromkeys(one for one in (*row["search_ids"], *row["ranked_ids"]) if one is not None)
    return list(both)[:MOST_RANKED]


def find_texts(con: "DuckDBPyConnection", rows: Sequence[Mapping[str, Any]]) -> list[Texts]:
    """Return, for each request, its chunks by id as far as their texts are known.

    Args:
        con: a database.
        rows: requests, as ``queries/probing/subject.sql`` has them.
    """
    wanted = [_wanted_ids(row) for row in rows]
    corpus = _of_corpus(con, rows, wanted)
    found: list[Texts] = [
        {one: Chunk(one, corpus[row["snapshot_id"], one]) for one in ids if (row["snapshot_id"], one) in corpus}
        for row, ids in zip(rows, wanted, strict=True)
    ]
    lacking = [row["trace_id"] for row, ids, texts in zip(rows, wanted, found, strict=True) if len(texts) < len(ids)]
    shown = _of_spans(con, lacking)
    return [_filled(texts, shown.get(row["trace_id"], {})) for row, texts in zip(rows, found, strict=True)]


def _wanted_ids(row: Mapping[str, Any]) -> set[str]:
    required = [one for group in row["required"] for one in group]
    return {one for one in (*ranked_ids(row), *(row["prompt_ids"] or ()), *required) if one is not None}


def _of_corpus(
    con: "DuckDBPyConnection", rows: Sequence[Mapping[str, Any]], wanted: Sequence[set[str]]
) -> dict[tuple[str, str], str]:
    pairs = sorted({(row["snapshot_id"], one) for row, ids in zip(rows, wanted, strict=True) for one in ids})
    table = pa.table([list(column) for column in zip(*pairs, strict=True)] or [[], []], schema=_WANTED)
    with registered(con, "wanted_chunk", table):
        found = con.execute(read_query("probing", "corpus_text").body).fetchall()
    return {(snapshot_id, chunk_id): text for snapshot_id, chunk_id, text in found}


def _of_spans(con: "DuckDBPyConnection", trace_ids: Sequence[str]) -> dict[str, dict[str, str]]:
    if not trace_ids:
        return {}
    rows = con.execute(read_query("probing", "span_text").body, {"trace_ids": list(trace_ids)}).fetchall()
    found: dict[str, dict[str, str]] = {}
    for trace_id, chunk_id, text in rows:
        found.setdefault(trace_id, {})[chunk_id] = text
    return found


def _filled(texts: Texts, shown: Mapping[str, str]) -> Texts:
    return {**{one: Chunk(one, text) for one, text in shown.items()}, **texts}

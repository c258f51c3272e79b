"""Name the gold ids that can match nothing, and why, before a labelling blames the pipeline for them."""

from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING, Final

from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

REASONS: Final = {
    "document_id": "gold names a document where a chunk id is wanted; name the chunks of the document",
    "unicode": "the ids look alike but are composed of other characters (Unicode NFC and NFD); spell them the same way",
    "case_or_space": "the ids differ only by case or white space; spell them the same way",
    "number_form": 'the ids are the same number spelled in two ways ("8", "08", "8.0"); spell them the same way',
    "unknown": "the ids are in no loaded corpus, no ranking and no prompt; check the file, or load its corpus snapshot",
}
"""Kinds of mismatch, and what each means and asks for."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Gold ids that miss what they mean for one reason.

    Attributes:
        kind: a key of :data:`REASONS`.
        ids: how many gold ids.
        cases: how many mentions of them, counted once a case.
        examples: a few ``(gold id, known id that was probably meant)``; the second is ``None`` for ``unknown``.
        reason: one line: what is the matter, and what to do.
    """

    kind: str
    ids: int
    cases: int
    examples: tuple[tuple[str, str | None], ...]
    reason: str


def gold_id_mismatches(con: "DuckDBPyConnection", *, examples: int = 3) -> list[Mismatch]:
    """Return the kinds of mismatch between gold ids and every id that is known, most ids first.

    Known are the chunk ids of all loaded snapshots and the ids in rankings and prompts of all requests. A gold id that
    is among them is fine, even if another request never ranked it.
    """
    rows = con.execute(read_query("gold", "id_mismatch").body).fetchall()
    found = []
    for kind, group in groupby(rows, key=lambda row: str(row[1])):
        members = list(group)
        pairs = tuple((str(row[0]), row[2]) for row in islice(members, examples))
        found.append(Mismatch(kind, len(members), sum(row[3] for row in members), pairs, REASONS[kind]))
    return sorted(found, key=lambda mismatch: -mismatch.ids)

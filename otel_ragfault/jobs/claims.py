"""Cut the answers of requests into claims and store them, for the judges of claims and citations."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from otel_ragfault.judging.verdicts import EXTRACTOR_VERSION, claims_of
from otel_ragfault.recovery import leads_astray, map_citations
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duckdb import DuckDBPyConnection

_ROWS: Final = 10_000
_CLAIMS: Final = pa.schema(
    {
        "request_id": pa.string(),
        "claim_id": pa.string(),
        "claim_no": pa.uint32(),
        "text": pa.string(),
        "first": pa.uint32(),
        "last": pa.uint32(),
        "cited_ids": pa.list_(pa.string()),
        "needs_support": pa.bool_(),
        "answer_digest": pa.string(),
        "astray": pa.list_(pa.string()),
    }
)


def extract_claims(con: "DuckDBPyConnection", *, among: str = "request") -> int:
    """Cut every answer that was not cut yet, or has changed; return how many. Runs in the caller's transaction.

    Args:
        con: a database open for writing, with its requests built.
        among: a table or view with the column ``request_id``; other requests are left alone.
    """
    con.execute(f'CREATE OR REPLACE TEMP VIEW to_be_cut AS SELECT request_id FROM "{among}"')
    version = {"version": EXTRACTOR_VERSION}
    uncut = con.execute(read_query("judging/claims", "uncut").body, version).fetchall()
    for start in range(0, len(uncut), _ROWS):
        batch = uncut[start : start + _ROWS]
        con.register("cut_request", pa.table({"request_id": [str(row[0]) for row in batch]}))
        con.register("cut_claim", pa.Table.from_pylist([claim for row in batch for claim in _claims(row)], _CLAIMS))
        try:
            con.execute(read_query("judging/claims", "delete_claims").body, version)
            con.execute(
                read_query("judging/claims", "insert_claims").body,
                version | {"now": datetime.now(UTC).replace(tzinfo=None)},
            )
        finally:
            con.unregister("cut_request")
            con.unregister("cut_claim")
    return len(uncut)


def _claims(row: "Sequence[Any]") -> "Iterator[dict[str, object]]":
    request_id, answer, prompt_ids, complete, digest = row
    for number, claim in enumerate(claims_of(answer), 1):
        cites = map_citations(claim.text, prompt_ids or (), counted_in=answer)
        yield {
            "request_id": str(request_id),
            "claim_id": claim.claim_id,
            "claim_no": number,
            "text": claim.text,
            "first": claim.first,
            "last": claim.last,
            "cited_ids": list(cites.ids),
            "needs_support": claim.needs_support,
            "answer_digest": digest,
            "astray": [mark for mark in cites.unmapped if leads_astray(mark, prompt_ids)] if complete else [],
        }

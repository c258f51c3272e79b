"""Judge the claims of joined requests by rule: SQL selects what changed, Python judges, SQL stores what it says.

A request is looked at again only when something that bears on its claims has changed.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import orjson
import pyarrow as pa

from otel_ragfault.judging.claims.check import Cut, Judgeable, Judged, judge_claims
from otel_ragfault.judging.verdicts.claims import EXTRACTOR_VERSION
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CLAIM_JUDGE_VERSION: Final = 2
"""Raised whenever the same claims would be judged otherwise than before, so that they are judged again."""

_BATCH: Final = 20_000
_JUDGEMENT: Final = pa.schema(
    {
        "request_id": pa.string(),
        "subject": pa.string(),
        "target": pa.string(),
        "claim_id": pa.string(),
        "claim": pa.string(),
        "value": pa.bool_(),
        "reason": pa.string(),
    }
)
_Texts = Mapping[str | None, Mapping[str, str]]


def judge_claims_of(
    con: "DuckDBPyConnection", *, default_snapshot: str | None = None, joined_relation: str = "joined"
) -> int:
    """Judge the claims of joined requests that were not judged on their present inputs; return how many requests.

    Verdicts are added, never changed. The answers have to be cut into claims before. Runs in the caller's transaction
    where there is one.

    Args:
        con: a database opened for writing.
        default_snapshot: the snapshot of requests that name none.
        joined_relation: a table or view with the columns ``request_id`` and ``case_id``, one row a request.
    """
    now = datetime.now(UTC).replace(tzinfo=None)
    with _unchecked(con, default_snapshot, joined_relation) as requests:
        for first in range(0, requests, _BATCH):
            batch = {"first": first, "last": first + _BATCH - 1}
            con.register("claim_judgement", _judgements(con, batch))
            try:
                _run(con, "insert_checked", batch | {"version": EXTRACTOR_VERSION, "judged_at": now})
            finally:
                con.unregister("claim_judgement")
            _run(con, "forget_checks", batch)
            _run(con, "insert_checks", batch | {"judged_at": now})
    return requests


@contextmanager
def _unchecked(con: "DuckDBPyConnection", default_snapshot: str | None, joined_relation: str) -> Iterator[int]:
    """Make the relation ``unchecked_request``; give the number of its rows."""
    quoted = '"' + joined_relation.replace('"', '""') + '"'
    con.execute(f"CREATE OR REPLACE TEMP VIEW joined_request AS SELECT request_id, case_id FROM {quoted}")
    body = read_query("judging/claims", "unchecked").body
    parameters = {"judge": f"claims-{CLAIM_JUDGE_VERSION}/{EXTRACTOR_VERSION}", "default_snapshot": default_snapshot}
    con.execute(f"CREATE OR REPLACE TEMP TABLE unchecked_request AS {body}", parameters)
    ((requests,),) = con.execute("SELECT count(*) FROM unchecked_request").fetchall()
    yield int(requests)
    con.execute("DROP TABLE unchecked_request")
    con.execute("DROP VIEW joined_request")


def _judgements(con: "DuckDBPyConnection", batch: dict[str, int]) -> pa.Table:
    texts: dict[str | None, dict[str, str]] = {}
    for snapshot_id, chunk_id, text in _run(con, "check_texts", batch).fetchall():
        texts.setdefault(snapshot_id, {})[chunk_id] = text
    result = _run(con, "check_input", batch | {"version": EXTRACTOR_VERSION})
    names = [column[0] for column in result.description or ()]
    columns: dict[str, list[object]] = {name: [] for name in _JUDGEMENT.names}
    while rows := result.fetchmany(1_000):
        for row in rows:
            fields = dict(zip(names, row, strict=True))
            for judged in judge_claims(_judgeable(fields, texts)):
                _append(columns, str(fields["request_id"]), judged)
    return pa.table(columns, schema=_JUDGEMENT)


def _append(columns: dict[str, list[object]], request_id: str, judged: Judged) -> None:
    columns["request_id"].append(request_id)
    for name, value in zip(Judged._fields, judged, strict=True):
        columns[name].append(value)


def _judgeable(row: Mapping[str, Any], texts: _Texts) -> Judgeable:
    return Judgeable(
        answer=row["answer"],
        question=row["question"],
        refused=row["refused"],
        cut=[Cut(**claim) for claim in row["claims"] or ()],
        cited_ids=[one for one in row["cited_ids"] or () if one is not None],
        expected=[(str(claim["id"]), claim["text"]) for claim in orjson.loads(row["expected"] or "[]")],
        quotes=row["quotes"] or (),
        prompt_ids=row["prompt_ids"] or (),
        prompt_text=row["prompt_text"],
        texts=texts.get(row["snapshot_id"], {}),
    )


def _run(con: "DuckDBPyConnection", name: str, parameters: Mapping[str, object]) -> "DuckDBPyConnection":
    return con.execute(read_query("judging/claims", name).body, dict(parameters))

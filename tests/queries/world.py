"""Small databases for queries: a few requests with their labels, each written as one line of a test."""

import hashlib
import json
import uuid
from datetime import datetime

LABELLING = "20260101T000000Z-aa"
NOON = datetime(2026, 1, 31, 12)  # noqa: DTZ001 - the tables hold UTC without a zone


def insert(con, table, **row):
    columns, marks = ", ".join(row), ", ".join("?" for _ in row)
    con.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(row.values()))


def put_case(con, case, *groups, expect="answer", tags=()):
    """Store a gold case; a group is a text of alternatives: ``"a b"`` is a or b."""
    insert(
        con,
        "gold_case",
        case_id=case,
        query="q",
        query_key="q",
        expect=expect,
        tags=list(tags),
        gold_version="v",
        loaded_at=NOON,
    )
    for group_no, members in enumerate(groups, start=1):
        for member_no, chunk in enumerate(members.split(), start=1):
            insert(con, "gold_evidence", case_id=case, group_no=group_no, member_no=member_no, chunk_id=chunk)


def put_run(con, run_id=LABELLING, **fields):
    row = {"started_at": NOON, "config": '{"k": 3}', "requests": 0, "joined": 0, "version": "0"}
    insert(con, "label_run", run_id=run_id, **{**row, **fields})


def put_request(con, number, **fields):
    """Store request ``number``; its id is that number."""
    request_id = uuid.UUID(int=number)
    row = {
        "trace_id": request_id,
        "query": f"question {number}",
        "answer": f"answer {number}",
        "started_at": NOON,
        "has_rerank": False,
        "assembly_source": "explicit",
        "convention": "ragfault",
        "missing": [],
        "spans": 1,
        "built_at": NOON,
    }
    insert(con, "request", request_id=request_id, **{**row, **fields})


def put_label(con, number, case, label, *, labelling=LABELLING, outcome="wrong", **fields):
    boundary = label.split(".")[0] if "." in label else None
    row = {"latent": False, "gold_version": "v", "detail": json.dumps({"failing": []}), "boundary": boundary}
    row |= fields
    insert(
        con,
        "label",
        run_id=labelling,
        request_id=uuid.UUID(int=number),
        case_id=case,
        label=label,
        outcome=outcome,
        **row,
    )


def put(
    con,
    number,
    case,
    label,
    *,
    outcome="wrong",
    k=2,
    latent=False,
    detail=None,
    grounded=None,
    retrieved=None,
    **fields,
):
    """Store request ``number`` with its label."""
    put_request(con, number, case_id=case, k=k, **fields)
    more = {} if detail is None else {"detail": json.dumps(detail)}
    put_label(
        con, number, case, label, outcome=outcome, k=k, latent=latent, grounded=grounded, retrieved=retrieved, **more
    )


def put_verdict(con, number, subject, value, *, source="rule", judged_at=NOON, judge=None):
    insert(
        con,
        "verdict",
        request_id=uuid.UUID(int=number),
        subject=subject,
        value=value,
        source=source,
        judge=judge,
        config="c",
        judged_at=judged_at,
    )


def put_claims(con, number, *claims, cites=(), astray=(), version="hand-1"):
    """Store the claims of the answer of request ``number``: texts; ``cites`` are the chunks of each, in their order.

    ``astray`` are numbers of claims that cite a chunk which is not there.
    """
    for claim_no, text in enumerate(claims, start=1):
        insert(
            con,
            "answer_claim",
            request_id=uuid.UUID(int=number),
            claim_id=f"s{claim_no}",
            claim_no=claim_no,
            text=text,
            first=0,
            last=1,
            cited_ids=list(cites[claim_no - 1].split()) if claim_no <= len(cites) else [],
            needs_support=not text.endswith("?"),
            astray=["[9]"] if claim_no in astray else [],
            extractor_version=version,
            answer_digest=hashlib.md5(f"answer {number}".encode(), usedforsecurity=False).hexdigest(),
            extracted_at=NOON,
        )


def judge(con, number, subject, *values, target="s", start=1, claim_id=None, **fields):
    """Store a verdict on each claim in turn: ``target`` and its number name the claim."""
    for at, value in enumerate(values, start=start):
        row = {"source": "human", "judge": "ann", "config": "c", "judged_at": NOON} | fields
        insert(
            con,
            "verdict",
            request_id=uuid.UUID(int=number),
            subject=subject,
            target=target if claim_id else f"{target}{at}",
            claim_id=claim_id,
            value=value,
            **row,
        )

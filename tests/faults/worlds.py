"""Put generated worlds into a database and label them with the real statement."""

import uuid

from otel_ragfault.faults import RULES
from otel_ragfault.sql import labelling_statement

NOTHING = {"k": None, "default_k": None, "floor": None, "default_snapshot": None, "stopwords": []}
TABLES = (
    "request",
    "gold_case",
    "gold_evidence",
    "corpus_snapshot",
    "corpus_stored_chunk",
    "resolved_evidence",
    "verdict",
)


def clear(con):
    for table in TABLES:
        con.execute(f"DELETE FROM {table}")


def put(con, number, world):
    """Store one world as case and request ``number``; return the request id."""
    request_id = uuid.UUID(int=number + 1)
    case_id, snapshot = f"case{number}", f"snapshot{number}"
    con.execute(
        "INSERT INTO gold_case (case_id, query, query_key, expect, as_of, tags, gold_version, loaded_at) "
        "VALUES (?, 'q', 'q', ?, ?, [], 'v', now())",
        [case_id, world.expect, world.as_of],
    )
    members = [(g, m, chunk) for g, group in enumerate(world.groups, 1) for m, chunk in enumerate(group, 1)]
    for group_no, member_no, chunk in members if world.expect == "answer" else ():
        con.execute(
            "INSERT INTO gold_evidence (case_id, group_no, member_no, chunk_id) VALUES (?, ?, ?, ?)",
            [case_id, group_no, member_no, chunk],
        )
    if world.quotes and world.corpus is not None and world.expect == "answer":
        for group_no, member_no, chunk in members:
            con.execute(
                "INSERT INTO resolved_evidence VALUES (?, ?, ?, ?, ?, ?, ?, FALSE, TRUE)",
                [snapshot, case_id, group_no, member_no, chunk, world.quotes.get(world.groups[group_no - 1]), group_no],
            )
    if world.corpus is not None:
        con.execute(
            "INSERT INTO corpus_snapshot (snapshot_id, chunks, source, loaded_at, series, place) "
            "VALUES (?, ?, 'f', now(), ?, 1)",
            [snapshot, len(world.corpus), number],
        )
        for chunk, text in world.corpus.items():
            con.execute(
                "INSERT INTO corpus_stored_chunk "
                "(series, first_place, chunk_id, text, doc_id, valid_from, valid_to, permitted) "
                "VALUES (?, 1, ?, ?, ?, ?, ?, ?)",
                [
                    number,
                    chunk,
                    text,
                    world.documents.get(chunk),
                    *world.windows.get(chunk, (None, None)),
                    world.permitted.get(chunk),
                ],
            )
    put_request(con, request_id, case_id, snapshot, world)
    for subject in ("refused", "clarified", "correct"):
        value = getattr(world, subject)
        name = {"refused": "refusal", "clarified": "clarification", "correct": "answer"}[subject]
        con.execute(
            "INSERT INTO verdict (request_id, subject, value, source, config, judged_at) VALUES (?, ?, ?, 'rule', 'c', now())",
            [request_id, name, value],
        )
    return request_id


def put_request(con, request_id, case_id, snapshot, world):
    row = {
        "request_id": request_id,
        "trace_id": request_id,
        "case_id": case_id,
        "query": world.query,
        "ranked_ids": world.ranked,
        "ranked_scores": world.scores,
        "ranking_complete": world.complete,
        "score_kind": world.kind,
        "has_rerank": world.rerank,
        "candidate_ids": world.candidates,
        "candidate_scores": world.candidate_scores,
        "candidate_score_kind": world.kind if world.rerank else None,
        "k": world.k,
        "prompt_ids": world.prompt,
        "prompt_shares": world.shares,
        "prompt_text": world.prompt_text,
        "user_groups": world.user_groups,
        "started_at": world.started_at,
        "answer": world.answer,
        "answered": world.answered,
        "error_stage": world.error_stage,
        "snapshot_id": snapshot,
        "assembly_source": "explicit",
        "convention": "ragfault",
        "spans": 1,
        "id_source": "foreign" if world.foreign and (world.ranked or world.candidates) else "recorded",
        "missing": ["dropped_attributes"] if world.dropped_attributes else [],
    }
    row = {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
    columns, marks = ", ".join(row), ", ".join("?" for _ in row)
    con.execute(f"INSERT INTO request ({columns}, built_at) VALUES ({marks}, now())", list(row.values()))


def labels(con, *, floor=None, rules=RULES):
    """Label everything in the database; return {request id: label}."""
    con.execute("CREATE OR REPLACE TEMP VIEW subject AS FROM request")
    con.execute("CREATE OR REPLACE TEMP VIEW judged AS FROM verdict")
    con.execute("CREATE OR REPLACE TEMP TABLE joined AS SELECT request_id, case_id FROM request")
    result = con.execute(labelling_statement(rules), {**NOTHING, "floor": floor})
    names = [column[0] for column in result.description]
    rows = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
    assert len({row["request_id"] for row in rows}) == len(rows)
    return {row["request_id"]: row for row in rows}

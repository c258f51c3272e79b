"""Put generated worlds into a database and label them with the real statement."""

import uuid

from otel_ragfault.faults import RULES
from otel_ragfault.sql import labelling_statement

NOTHING = {"k": None, "default_k": None, "floor": None, "default_snapshot": None, "stopwords": []}
TABLES = ("request", "gold_case", "gold_evidence", "corpus_snapshot", "corpus_chunk", "verdict")


def clear(con):
    for table in TABLES:
        con.execute(f"DELETE FROM {table}")


def put(con, number, world):
    """Store one world as case and request ``number``; return the request id."""
    request_id = uuid.UUID(int=number + 1)
    case_id, snapshot = f"case{number}", f"snapshot{number}"
    con.execute(
        "INSERT INTO gold_case (case_id, query, query_key, expect, tags, gold_version, loaded_at) "
        "VALUES (?, 'q', 'q', ?, [], 'v', now())",
        [case_id, world.expect],
    )
    members = [(g, m, chunk) for g, group in enumerate(world.groups, 1) for m, chunk in enumerate(group, 1)]
    for group_no, member_no, chunk in members if world.expect == "answer" else ():
        con.execute("INSERT INTO gold_evidence VALUES (?, ?, ?, ?)", [case_id, group_no, member_no, chunk])
    if world.corpus is not None:
        con.execute("INSERT INTO corpus_snapshot VALUES (?, ?, 'f', now())", [snapshot, len(world.corpus)])
        for chunk, text in world.corpus.items():
            con.execute(
                "INSERT INTO corpus_chunk (snapshot_id, chunk_id, text) VALUES (?, ?, ?)", [snapshot, chunk, text]
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
        "answer": world.answer,
        "answered": world.answered,
        "error_stage": world.error_stage,
        "snapshot_id": snapshot,
        "assembly_source": "explicit",
        "convention": "ragfault",
        "spans": 1,
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

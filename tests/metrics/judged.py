"""Rankings and judgments as trec_eval has them, stored as requests and gold, and trec_eval's own values beside ours."""

import json
from collections import defaultdict

import pytrec_eval

from queries.world import put, put_case

KS = (1, 2, 3, 5, 10, 20, 100)
CUT = {
    "P": "precision",
    "recall": "recall_judged",
    "success": "hit",
    "map_cut": "average_precision",
    "ndcg_cut": "ndcg",
}
WHOLE = {
    "set_P": "precision",
    "set_recall": "recall_judged",
    "recip_rank": "reciprocal_rank",
    "map": "average_precision",
    "ndcg": "ndcg",
}
SHARES = {*CUT.values(), *WHOLE.values(), "recall_groups", "context_precision", "judged_share"}
NEEDS_RELEVANT = {"recall_judged", "average_precision", "ndcg"}
"""Measures that divide by what is relevant: NULL, where trec_eval says 0, when nothing is."""


def clear(con):
    for table in ("request", "label", "gold_case", "gold_evidence"):
        con.execute(f"DELETE FROM {table}")


def put_topic(con, number, topic, judgments, ids, scores=None, **fields):
    """Store a case with these grades, and a labelled request with this ranking."""
    put_case(con, topic)
    con.execute("UPDATE gold_case SET relevance = ? WHERE case_id = ?", [json.dumps(judgments), topic])
    put(con, number, topic, "x", ranked_ids=ids, ranked_scores=scores, **fields)


def put_topics(con, topics):
    """Store topics as put_topic does, all at once: topic -> (grades, ids, scores)."""
    rows = [
        {"topic": topic, "number": number, "relevance": json.dumps(judgments), "ids": ids, "scores": scores}
        for number, (topic, (judgments, ids, scores)) in enumerate(topics.items(), start=1)
    ]
    shape = (
        '[{"topic": "VARCHAR", "number": "UHUGEINT", "relevance": "VARCHAR", "ids": ["VARCHAR"], "scores": ["DOUBLE"]}]'
    )
    con.execute(
        "CREATE OR REPLACE TEMP TABLE topic AS SELECT unnest(from_json(?, ?), recursive := TRUE)",
        [json.dumps(rows), shape],
    )
    con.execute(
        "INSERT INTO gold_case BY NAME SELECT topic AS case_id, topic AS query, topic AS query_key, 'answer' AS expect,"
        " relevance, [] AS tags, 'v' AS gold_version, now()::TIMESTAMP AS loaded_at FROM topic"
    )
    con.execute(
        "INSERT INTO request BY NAME SELECT number::UUID AS request_id, number::UUID AS trace_id, topic AS case_id,"
        " ids AS ranked_ids, scores AS ranked_scores, FALSE AS has_rerank, 'explicit' AS assembly_source,"
        " 'ragfault' AS convention, [] AS missing, 1 AS spans, now()::TIMESTAMP AS built_at FROM topic"
    )
    con.execute(
        "INSERT INTO label BY NAME SELECT 'r' AS run_id, number::UUID AS request_id, topic AS case_id, 'x' AS label,"
        " 'wrong' AS outcome, FALSE AS latent, 'v' AS gold_version, '{}' AS detail FROM topic"
    )


def measured(con, **choices):
    """Our values: case -> (column, k) -> value; k None is the whole ranking."""
    named = ", ".join(f"{name} := ${name}" for name in choices)
    result = con.execute(f"FROM request_measures({named})", choices)
    names = [column[0] for column in result.description]
    found = defaultdict(dict)
    for row in result.fetchall():
        values = dict(zip(names, row, strict=True))
        found[values["case_id"]] |= {(name, values["k"]): value for name, value in values.items()}
    return dict(found)


def trec_eval(qrels, run, *, level=1, judged_only=False):
    """The values of trec_eval under the names of ours: topic -> (column, k) -> value."""
    names = {f"{name}.{','.join(map(str, KS))}" for name in CUT} | set(WHOLE)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level, judged_docs_only_flag=judged_only)
    return {topic: renamed(values) for topic, values in evaluator.evaluate(run).items()}


def renamed(values):
    """Values by names of trec_eval such as ``ndcg_cut_10``, by ours; what we do not measure is left out."""
    found = {}
    for name, value in values.items():
        measure, _, k = name.rpartition("_")
        if name in WHOLE:
            found[WHOLE[name], None] = value
        elif measure in CUT and k.isdecimal():
            found[CUT[measure], int(k)] = value
    return found


def agrees(ours, wanted, *, relevant=True, tolerance=1e-6):
    """Tell where our values of a topic differ from trec_eval's; what it calls 0 for want of a denominator is NULL."""
    return {
        key: (ours[key], value)
        for key, value in wanted.items()
        if (
            ours[key] is not None
            if key[0] in NEEDS_RELEVANT and not relevant
            else ours[key] is None or abs(ours[key] - value) > tolerance
        )
    }


def read_qrels(path):
    """Judgments of a TREC file. A negative grade stands for a chunk that nobody judged."""
    qrels = defaultdict(dict)
    for topic, _, document, grade in map(str.split, path.read_text(encoding="utf-8").splitlines()):
        if int(grade) >= 0:
            qrels[topic][document] = int(grade)
    return dict(qrels)


def read_run(path):
    run = defaultdict(dict)
    for line in path.read_text(encoding="utf-8").splitlines():
        topic, _, document, _, score = line.split()[:5]
        run[topic][document] = float(score)
    return dict(run)

"""Label synthetic requests with the full tree, against the bare list-function statement, in one run.

The machines are shared: read the ratios. ``python benchmarks/labelling.py --requests 100000 1000000``
"""

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

from otel_ragfault.sql import labelling_statement
from otel_ragfault.store import connect

CASES = 1_000
DEPTH = 50
PARAMETERS = {"k": None, "default_k": None, "floor": 0.2, "default_snapshot": "bench", "stopwords": ["the", "of"]}

GOLD = f"""
INSERT INTO gold_case BY NAME
SELECT 'case' || i AS case_id, 'question ' || i AS query, 'question ' || i AS query_key,
    CASE WHEN i % 20 = 0 THEN 'refuse' ELSE 'answer' END AS expect,
    CAST([] AS VARCHAR[]) AS tags, 'v1' AS gold_version, now()::TIMESTAMP AS loaded_at
FROM range({CASES}) AS r(i);
INSERT INTO gold_evidence (case_id, group_no, member_no, chunk_id)
SELECT 'case' || i, g, m, 'chunk' || (i * 13 + g * 7 + m * 29) % 300
FROM range({CASES}) AS r(i), range(1, 3) AS h(g), range(1, 4) AS n(m) WHERE i % 20 <> 0;
INSERT INTO corpus_snapshot BY NAME
SELECT 'bench' AS snapshot_id, 290 AS chunks, 'synthetic' AS source, now()::TIMESTAMP AS loaded_at,
    1 AS series, 1 AS place;
INSERT INTO corpus_stored_chunk BY NAME
SELECT 1 AS series, 1 AS first_place, 'chunk' || i AS chunk_id, 'words of chunk ' || i AS text FROM range(290) AS r(i);
"""

REQUESTS = f"""
INSERT INTO request BY NAME
SELECT uuid() AS request_id, uuid() AS trace_id,
    'case' || (i % {CASES}) AS case_id, 'question ' || i % {CASES} AS query,
    CASE WHEN i % 50 = 0 THEN NULL ELSE list_transform(
        range({DEPTH}), lambda n: 'chunk' || CAST((n * (1 + i % 7) + hash(i) % 300) % 300 AS VARCHAR)
    ) END AS ranked_ids,
    list_transform(range({DEPTH}), lambda n: 1.0 - n / 40.0) AS ranked_scores,
    i % 3 = 0 AS ranking_complete,
    ['bm25', 'similarity', 'distance'][1 + i % 3] AS score_kind,
    FALSE AS has_rerank, 5 AS k,
    CASE WHEN i % 25 = 0 THEN NULL ELSE list_transform(
        range(5), lambda n: 'chunk' || CAST((n * (1 + i % 7) + hash(i) % 300) % 300 AS VARCHAR)) END AS prompt_ids,
    'explicit' AS assembly_source, 'an answer' AS answer, TRUE AS answered, 'ragfault' AS convention,
    CAST([] AS VARCHAR[]) AS missing, 4 AS spans, now()::TIMESTAMP AS built_at
FROM range(?) AS r(i)
"""

VERDICTS = """
INSERT INTO verdict BY NAME
SELECT request_id, subject, hash(request_id) % 3 = 0 AS value, 'rule' AS source, 'c' AS config,
    now()::TIMESTAMP AS judged_at
FROM request CROSS JOIN (VALUES ('refusal'), ('answer')) AS v(subject)
"""

BARE = """
CREATE OR REPLACE TABLE bare AS
SELECT request_id,
    list_min(list_transform(gold, lambda id: list_position(ranked_ids, id))) AS gold_rank,
    len(list_filter(gold, lambda id: list_contains(ranked_ids[1:k], id))) AS hits,
    len(list_filter(gold, lambda id: list_contains(prompt_ids, id))) AS shown
FROM request
JOIN (SELECT case_id, list(chunk_id) AS gold FROM gold_evidence GROUP BY case_id) AS g USING (case_id)
"""


def timed(con, statement, parameters=None):
    started = time.perf_counter()
    con.execute(statement, parameters) if parameters else con.execute(statement)
    return time.perf_counter() - started


def measure(requests, folder):
    path = Path(folder) / f"bench{requests}.duckdb"
    con = connect(path, create=True)
    con.execute(GOLD)
    con.execute(REQUESTS, [requests])
    con.execute(VERDICTS)
    con.execute("CHECKPOINT")
    con.execute("CREATE TEMP VIEW subject AS FROM request")
    con.execute("CREATE TEMP VIEW judged AS FROM verdict")
    con.execute("CREATE TEMP TABLE joined AS SELECT request_id, case_id FROM request")
    statement = "CREATE OR REPLACE TABLE labelled AS " + labelling_statement()
    bare, full = [], []
    for _ in range(5):
        bare.append(timed(con, BARE))
        full.append(timed(con, statement, PARAMETERS))
    labels = con.execute("SELECT label, count(*) FROM labelled GROUP BY label ORDER BY 2 DESC").fetchall()
    con.close()
    return {
        "requests": requests,
        "bare_s": min(bare),
        "full_s": min(full),
        "ratio": min(full) / min(bare),
        "labels": dict(labels),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(n, folder) for n in options.requests]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    if options.json:
        print(json.dumps({"rows": rows, "peak_gb": peak}))
        return
    for row in rows:
        print(
            f"{row['requests']:>9,} requests: bare {row['bare_s']:.2f} s, full tree {row['full_s']:.2f} s, "
            f"ratio {row['ratio']:.2f}"
        )
        print("          ", ", ".join(f"{k} {v}" for k, v in row["labels"].items()))
    print(f"peak memory {peak:.2f} GB")


if __name__ == "__main__":
    main()

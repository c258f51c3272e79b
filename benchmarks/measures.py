"""Retrieval measures of synthetic requests: cases a second, of the SQL alone and with bootstrap intervals.

``python benchmarks/measures.py --cases 20000 --documents 50``
"""

import argparse
import tempfile
import time
from pathlib import Path

from otel_ragfault.jobs.measures import measure
from otel_ragfault.model import Config
from otel_ragfault.sql import read_query
from otel_ragfault.store import connect

GOLD = """
INSERT INTO gold_case BY NAME
SELECT 'case' || i AS case_id, 'question ' || i AS query, 'question ' || i AS query_key, 'answer' AS expect,
    CASE WHEN i % 2 = 0 THEN json_object(
        'chunk' || i * 7 % 900, 2, 'chunk' || i * 11 % 900, 1, 'chunk' || i * 13 % 900, 0, 'chunk' || i * 17 % 900, 1
    ) END AS relevance,
    ['tag' || i % 5] AS tags, 'v1' AS gold_version, now()::TIMESTAMP AS loaded_at
FROM range($cases) AS r(i)
"""
EVIDENCE = """
INSERT INTO gold_evidence BY NAME
SELECT 'case' || i AS case_id, g AS group_no, m AS member_no, 'chunk' || (i * 13 + g * 7 + m * 29) % 300 AS chunk_id
FROM range($cases) AS r(i), range(1, 3) AS h(g), range(1, 3) AS n(m)
"""
REQUESTS = """
INSERT INTO request BY NAME
SELECT i::UHUGEINT::UUID AS request_id, i::UHUGEINT::UUID AS trace_id, 'case' || i AS case_id,
    'question ' || i AS query, 'run' AS run_id, 'v' || i % 2 AS prompt_version, '2026-01-31'::TIMESTAMP AS started_at,
    list_transform(
        range($documents), lambda n: 'chunk' || CAST((n * (1 + i % 7) + hash(i) % 300) % 300 AS VARCHAR)
    ) AS ranked_ids,
    list_transform(range($documents), lambda n: 1.0 - n / 100.0) AS ranked_scores,
    'similarity' AS score_kind, FALSE AS has_rerank, 'explicit' AS assembly_source, 'ragfault' AS convention,
    [] AS missing, 4 AS spans, now()::TIMESTAMP AS built_at
FROM range($cases) AS r(i)
"""
LABELS = """
INSERT INTO label BY NAME
SELECT '20260101' AS run_id, request_id, case_id, 'pass' AS label, 'correct' AS outcome, FALSE AS latent,
    'v1' AS gold_version, '{}' AS detail
FROM request
"""


def filled(path, cases, documents):
    con = connect(path, create=True)
    con.execute(GOLD, {"cases": cases})
    con.execute(EVIDENCE, {"cases": cases})
    con.execute(REQUESTS, {"cases": cases, "documents": documents})
    con.execute(LABELS)
    con.execute("CHECKPOINT")
    return con


def only_sql(con, order):
    query = read_query("metrics", "request_measures")
    con.execute(query.body, {**dict.fromkeys(query.parameters), "order": order}).fetchall()


def best(work, *arguments, **named):
    """The fastest of three: the machines are shared."""
    times = []
    for _ in range(3):
        started = time.perf_counter()
        work(*arguments, **named)
        times.append(time.perf_counter() - started)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--documents", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        con = filled(Path(folder) / "bench.duckdb", options.cases, options.documents)
        works = {
            "a row a request and cutoff, recorded order": (only_sql, (con, "recorded"), {}),
            "a row a request and cutoff, order by score": (only_sql, (con, "trec"), {}),
            "means and intervals, one run": (measure, (con, Config()), {}),
            "means and intervals, by tag": (measure, (con, Config()), {"by": "tag"}),
        }
        print(f"{options.cases} cases, {options.documents} documents each, 4 cutoffs and the whole ranking")
        for name, (work, arguments, named) in works.items():
            seconds = best(work, *arguments, **named)
            print(f"  {name:44} {seconds:6.2f} s  {options.cases / seconds:9,.0f} cases/s")
        con.close()


if __name__ == "__main__":
    main()

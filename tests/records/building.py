"""Recordings of real instrumentations, built into records and labelled."""

import json
import random
import uuid

import orjson

from conventions.recorded import FOLDER as SPANS
from otel_ragfault.corpus import load_corpus
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.landing.decoding.json import decode_json
from otel_ragfault.landing.decoding.logs_json import decode_logs_json
from otel_ragfault.landing.decoding.row import to_table
from otel_ragfault.landing.decoding.row_log import to_log_table
from otel_ragfault.landing.loader.batch import Batch
from otel_ragfault.landing.loader.store import store
from paths import REPOSITORY

LOGS = REPOSITORY / "tests" / "records" / "recordings"
CORPUS = SPANS / "corpus.jsonl"
CASES = SPANS / "cases.jsonl"
NAMES = sorted(path.stem for path in SPANS.glob("*.jsonl") if path not in {CORPUS, CASES})


def span_rows(name):
    """The spans of a recording, a list a recorded request."""
    return [decode_json(orjson.loads(line)).rows for line in (SPANS / f"{name}.jsonl").read_bytes().splitlines()]


def log_rows(name):
    """The log records that belong to a recording; none for most."""
    path = LOGS / f"{name}.logs.jsonl"
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [row for line in lines for row in decode_logs_json(orjson.loads(line)).rows]


def land_spans(con, *bodies):
    """Land each body of spans as a segment of its own."""
    store(con, [Batch(uuid.uuid4(), "test", spans=to_table(rows)) for rows in bodies])


def land_logs(con, rows):
    if rows:
        store(con, [Batch(uuid.uuid4(), "test", logs=to_log_table(rows))])


def land(con, name, *, order=None):
    """Land a recording as it was sent, or with its spans shuffled, each in a request of its own."""
    bodies = span_rows(name)
    if order is not None:
        bodies = [[row] for rows in bodies for row in rows]
        random.Random(order).shuffle(bodies)  # noqa: S311 - an order, not a secret
    land_spans(con, *bodies)
    land_logs(con, log_rows(name))


def with_corpus(con):
    load_corpus(con, CORPUS, snapshot_id="recorded")
    return con


def built(con):
    """Build, and return every record as an object, without what differs from one run to the next."""
    build_requests(con)
    result = con.execute(
        "SELECT * EXCLUDE (built_at) FROM request ORDER BY service, started_at, trace_id, anchor_span_id"
    )
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def gold_file(folder):
    """Write the cases of the recordings in our form of gold."""
    path = folder / "gold.jsonl"
    lines = []
    for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines()):
        answer = {"must_contain": case.pop("must_contain")}
        lines.append(json.dumps({**case, "answer": answer}))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def with_gold(con, folder):
    load_gold(con, gold_file(folder))
    return con

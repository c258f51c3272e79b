"""Building request records from landed spans, on one core, in spans a second.

Measured are our own spans, those of the OpenTelemetry GenAI conventions, and recordings of every other
instrumentation, the slowest of which is the heaviest.

Machines are shared: seconds are those of the processor, with DuckDB on one thread; the best of some rounds counts.

``python benchmarks/normalise.py --spans 40000 --json``
"""

import argparse
import itertools
import json
import random
import time
import uuid
from pathlib import Path

import duckdb
import orjson

from otel_ragfault import semconv as s
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.landing import SpanRow, to_table
from otel_ragfault.landing.decoding.json import decode_json
from otel_ragfault.landing.loader.batch import Batch
from otel_ragfault.landing.loader.store import store
from otel_ragfault.store.derived import refresh_derived
from otel_ragfault.store.schema import create_schema

RECORDINGS = Path(__file__).resolve().parent.parent / "tests" / "conventions" / "recordings"
TARGETS = {"own": 30_000, "otel_genai": 30_000, "heaviest": 5_000}
RANKED, SHOWN, CHUNK_WORDS = 20, 5, 60
WORDS = ("kiln", "glaze", "firing", "studio", "member", "booking", "degree", "session", "bucket", "door", "the", "a")


def messages(role, text):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def content(rng):
    """One request: its question, ranking, prompt and answer."""
    ids = [f"doc-{rng.randrange(10_000):05d}#{rank}" for rank in range(RANKED)]
    documents = [{"id": name, "score": round(1 / (rank + 2), 6)} for rank, name in enumerate(ids)]
    shown = [" ".join(rng.choices(WORDS, k=CHUNK_WORDS)) for _ in range(SHOWN)]
    question = " ".join(rng.choices(WORDS, k=9)) + "?"
    prompt = "\n".join(f"[{place}] {text}" for place, text in enumerate(shown, start=1)) + f"\n\nQuestion: {question}"
    return question, ids, json.dumps(documents), prompt, f"It is the {rng.choice(WORDS)} [1]."


def own(rng):
    question, ids, documents, prompt, answer = content(rng)
    asked, said = messages("user", question), messages("assistant", answer)
    return {
        s.STAGE_REQUEST: {s.RAGFAULT_CASE_ID: "case", s.GEN_AI_INPUT_MESSAGES: asked, s.GEN_AI_OUTPUT_MESSAGES: said},
        s.STAGE_RETRIEVAL: {
            s.GEN_AI_RETRIEVAL_QUERY_TEXT: question,
            s.GEN_AI_RETRIEVAL_DOCUMENTS: documents,
            s.GEN_AI_RETRIEVAL_TOP_K: SHOWN,
            s.RAGFAULT_SCORE_KIND: s.SCORE_SIMILARITY,
        },
        s.STAGE_ASSEMBLY: {s.RAGFAULT_ASSEMBLY_CHUNK_IDS: json.dumps(ids[:SHOWN])},
        s.STAGE_GENERATION: {
            s.GEN_AI_REQUEST_MODEL: "m",
            s.GEN_AI_INPUT_MESSAGES: messages("user", prompt),
            s.GEN_AI_OUTPUT_MESSAGES: said,
        },
    }


def otel_genai(rng):
    question, _, documents, prompt, answer = content(rng)
    asked, said = messages("user", question), messages("assistant", answer)
    return {
        s.OPERATION_INVOKE_WORKFLOW: {s.GEN_AI_INPUT_MESSAGES: asked, s.GEN_AI_OUTPUT_MESSAGES: said},
        s.OPERATION_RETRIEVAL: {s.GEN_AI_RETRIEVAL_QUERY_TEXT: question, s.GEN_AI_RETRIEVAL_DOCUMENTS: documents},
        s.OPERATION_CHAT: {
            s.GEN_AI_REQUEST_MODEL: "m",
            s.GEN_AI_RESPONSE_ID: "r",
            s.GEN_AI_INPUT_MESSAGES: messages("user", prompt),
            s.GEN_AI_OUTPUT_MESSAGES: said,
        },
    }


def written(form, key, count):
    """Spans of a form, request after request; ``key`` is the attribute that names what a span is."""
    rng = random.Random(1)
    rows = []
    for number in itertools.count(1):
        if len(rows) >= count:
            return rows
        said = form(rng)
        for place, (name, attributes) in enumerate(said.items()):
            start = 1_790_000_000_000_000_000 + number * 10_000_000 + place * 1000
            rows.append(
                SpanRow(
                    *(number.to_bytes(16), place + 1, None if place == 0 else 1, name, 1),
                    *(start, start + (1_000_000 if place == 0 else 500), 0, None, "shop", "app", "1"),
                    name if key == s.GEN_AI_OPERATION_NAME else None,
                    name if key == s.RAGFAULT_STAGE else None,
                    json.dumps({key: name, **attributes}),
                    *(None, None, None, None, None, 1, 0, 0, 0, None),
                )
            )
    return rows


def recorded(path, count):
    """The spans of a recording, again and again under new trace ids."""
    once = [row for line in path.read_bytes().splitlines() for row in decode_json(orjson.loads(line)).rows]
    rows = []
    while len(rows) < count:
        fresh = {row.trace_id: uuid.uuid4().bytes for row in once}
        rows += [row._replace(trace_id=fresh[row.trace_id]) for row in once]
    return rows


def rate(rows, rounds):
    """Build the records of some spans; return spans a second and the number of requests."""
    best, requests = 0.0, 0
    for _ in range(rounds):
        con = duckdb.connect(config={"threads": 1})
        create_schema(con, "benchmark")
        refresh_derived(con)
        store(con, [Batch(uuid.uuid4(), "benchmark", spans=to_table(rows))])
        started = time.process_time()
        requests = build_requests(con).requests
        best = max(best, len(rows) / (time.process_time() - started))
        con.close()
    return round(best), requests


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spans", type=int, default=40_000, help="spans of each written form")
    parser.add_argument("--recorded-spans", type=int, default=10_000, help="spans of each recording, repeated")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = {
        "own": rate(written(own, s.RAGFAULT_STAGE, arguments.spans), arguments.rounds),
        "otel_genai": rate(written(otel_genai, s.GEN_AI_OPERATION_NAME, arguments.spans), arguments.rounds),
    }
    paths = [path for path in sorted(RECORDINGS.glob("*.jsonl")) if path.stem not in {"cases", "corpus"}]
    recordings = {path.stem: rate(recorded(path, arguments.recorded_spans), arguments.rounds) for path in paths}
    heaviest = min(recordings, key=lambda name: recordings[name][0])
    found["heaviest"] = recordings[heaviest]
    result = {
        "spans_a_second": {name: speed for name, (speed, _) in found.items()},
        "targets": TARGETS,
        "heaviest": heaviest,
        "recordings": {name: speed for name, (speed, _) in recordings.items()},
    }
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    for name, (speed, requests) in found.items():
        title = f"{name} ({heaviest})" if name == "heaviest" else name
        print(f"{title:60s} {speed:8,d} spans/s, wanted {TARGETS[name]:,d}; {requests:,d} requests")
    for name, (speed, _) in sorted(recordings.items(), key=lambda item: item[1][0]):
        print(f"  {name:58s} {speed:8,d} spans/s")


if __name__ == "__main__":
    main()

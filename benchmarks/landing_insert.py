"""Does the time to store a batch grow with the table?

Batches of 512 and 10,000 spans are stored into tables of 0, 2 and 10 million: the usual way (the newest spans), with a
span from a year ago in each, and with spans that are stored already. Absolute figures depend on the machine; the ratio
of each to the empty table is what the design promises: about 1.

    python benchmarks/landing_insert.py [--sizes 0,2000000,10000000] [--rounds 7] [--json]
"""

import argparse
import json
import os
import tempfile
import time
import uuid
from pathlib import Path

import pyarrow as pa

from otel_ragfault.landing import SPAN_SCHEMA, SpanRow, to_table
from otel_ragfault.landing.loader import Batch, store
from otel_ragfault.landing.loader.database import tune
from otel_ragfault.store import connect

BATCHES = (512, 10_000)
STEP = 20_000  # nanoseconds between two spans: 50,000 a second
START = 1_790_000_000 * 10**9
YEAR = 365 * 86_400 * 10**9
CHUNK = 500_000
ATTRIBUTES = json.dumps(
    {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.query.text": "how long may a flight be before a cabin is upgraded?",
        "gen_ai.retrieval.documents": json.dumps([{"id": f"c{i:02}", "score": 20 / (i + 1)} for i in range(20)]),
    }
)


def make(count, start):
    ids = os.urandom(24 * count)
    rows = [
        SpanRow(
            ids[i * 24 : i * 24 + 16], int.from_bytes(ids[i * 24 + 16 : i * 24 + 24]), None, "retrieval", 1,
            start + i * STEP, start + i * STEP + 10**7, 0, None, "bench", "bench", "1", "retrieval", "retrieval",
            ATTRIBUTES, None, None, '{"attributes": {"service.name": "bench"}}', None, None, None, 0, 0, 0, None,
        )
        for i in range(count)
    ]  # fmt: skip
    return to_table(rows)


def grow(con, have, want):
    """Add rows as a long life of loads would have, in the order of time."""
    con.register("template", make(CHUNK, 0))
    for first in range(have, want, CHUNK):
        con.execute(
            "INSERT INTO span BY NAME SELECT template.* REPLACE (uuid() AS trace_id, "
            "make_timestamp_ns(epoch_ns(start_time) + $shift) AS start_time), CAST($segment AS UUID) AS segment_id "
            "FROM template LIMIT $rows",
            {"shift": START + first * STEP, "segment": str(uuid.uuid4()), "rows": min(CHUNK, want - first)},
        )
    con.unregister("template")
    con.execute("CHECKPOINT")


def timed(con, spans):
    batch = Batch(uuid.uuid4(), "bench", spans=spans)
    tune(con, spans.num_rows, gentle=False)  # as the loader does: the commit writes into the database file
    start = time.perf_counter()
    landed = store(con, [batch])[batch.segment_id]
    return (time.perf_counter() - start) * 1000, landed


def measure(con, size, rounds):
    """Return the milliseconds of each kind of batch: the best of the rounds, as the machine may be busy."""
    found = {}
    now = START + size * STEP
    for count in BATCHES:
        fresh, odd, again = [], [], []
        for _ in range(rounds):
            spans = make(count, now)
            now += count * STEP
            fresh.append(timed(con, spans)[0])
            took, landed = timed(con, spans)
            assert landed.duplicates == count
            again.append(took)
            strange = pa.concat_tables([make(count - 1, now), make(1, START - YEAR)])
            now += count * STEP
            odd.append(timed(con, strange)[0])
        kinds = {"new": fresh, "one a year old": odd, "stored already": again}
        found |= {f"{count} {kind}": round(min(times), 1) for kind, times in kinds.items()}
    return found


def run(sizes, rounds):
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        con = connect(Path(folder) / "bench.duckdb", create=True)
        have = 0
        for size in sizes:
            grow(con, have, size)
            results[size] = measure(con, size, rounds)
            ((have,),) = con.execute("SELECT count(*) FROM span").fetchall()
        con.close()
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="0,2000000,10000000", help="rows of the table, ascending")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true", dest="as_json")
    arguments = parser.parse_args()
    results = run([int(size) for size in arguments.sizes.split(",")], arguments.rounds)
    first, *_, last = results
    ratios = {kind: round(results[last][kind] / results[first][kind], 2) for kind in results[first]}
    if arguments.as_json:
        print(json.dumps({"milliseconds": results, "ratios": ratios}))
        return
    print(f"{'milliseconds, best round':28}" + "".join(f"{size:>13,}" for size in results) + f"{'last/first':>13}")
    for kind in results[first]:
        print(f"{kind:28}" + "".join(f"{results[size][kind]:>13}" for size in results) + f"{ratios[kind]:>13}")


if __name__ == "__main__":
    assert SPAN_SCHEMA.names == list(SpanRow._fields)
    main()

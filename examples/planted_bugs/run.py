"""Run the pipeline into a database: ``python run.py DB [--run ID] [--bug "lower k"]``.

It asks every question of the handbook once, and writes ``cases.jsonl`` and the corpus beside the database, ready for
``ragfault corpus load``, ``ragfault gold load``, ``ragfault label`` and ``ragfault gate``.
"""

import argparse
import json
import sys
from pathlib import Path

from opentelemetry.sdk.trace import TracerProvider

import otel_ragfault as rag

sys.path.insert(0, str(Path(__file__).resolve().parent))
import handbook
from pipeline import BUGS, Pipeline, Settings


def main() -> None:
    """Parse the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("db", type=Path)
    parser.add_argument("--run", default="run")
    parser.add_argument("--bug", choices=sorted(BUGS))
    options = parser.parse_args()
    settings = BUGS[options.bug] if options.bug else Settings()
    provider = TracerProvider()
    rag.configure(db=options.db, content=True, provider=provider)
    pipeline = Pipeline(settings, options.run)
    for case in handbook.cases():
        pipeline.ask(case["query"], case["case_id"])
    provider.shutdown()
    write(options.db.parent / f"{settings.snapshot}.jsonl", handbook.chunks(settings.without))
    write(options.db.parent / "cases.jsonl", handbook.cases())
    print(f"run {options.run}: {len(handbook.cases())} questions, snapshot {settings.snapshot}")


def write(path: Path, records: list[dict]) -> None:
    """Write a file of JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


if __name__ == "__main__":
    main()

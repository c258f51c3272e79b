"""From an instrumented pipeline to labels: the commands that a user types, typed by a program.

Every command is printed before it runs. This file knows no framework and no label.
"""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from examples.common.policy import TRAVEL_POLICY, read_jsonl

LABELS = "SELECT case_id, label, outcome FROM current_label"
_RAGFAULT = (sys.executable, "-m", "otel_ragfault")

Ask = Callable[[str, str], str]
"""Answer a question; the second text is the id of its case."""


@contextmanager
def collector(db: Path, protocol: str) -> Iterator[str]:
    """Run ``ragfault collect`` on a free port of this machine while the pipeline runs, and yield its address.

    Args:
        db: the database. Everything that was sent is in it afterwards.
        protocol: ``http`` or ``grpc``; the other one is off.
    """
    listen = {"http": "off", "grpc": "off", protocol: "127.0.0.1:0"}
    words = ["collect", "--db", str(db), "--http", listen["http"], "--grpc", listen["grpc"]]
    _show(words)
    process = subprocess.Popen([*_RAGFAULT, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603 (our own words)
    try:
        told = process.stdout.readline().split()  # "OTLP/HTTP on http://127.0.0.1:40193"
        if not told:
            sys.exit(f"ragfault collect ended with {process.wait()}; run it by itself to see why")
        yield told[-1]
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()


def ask_all(ask: Ask) -> None:
    """Ask every question of the travel policy."""
    for case in read_jsonl("cases.jsonl"):
        ask(case["query"], case["case_id"])


def label(db: Path, *, as_json: bool) -> None:
    """Load corpus and gold, label, and print every case with its label, and what the doctor names."""
    folder = Path(os.path.relpath(TRAVEL_POLICY))
    _ragfault("corpus", "load", "--db", str(db), str(folder / "corpus.jsonl"))
    _ragfault("gold", "load", "--db", str(db), str(folder / "cases.jsonl"))
    _ragfault("build", "--db", str(db))
    _ragfault("label", "--db", str(db))
    found = {row["case_id"]: row for row in json.loads(_ragfault("query", "--db", str(db), "--json", "--sql", LABELS))}
    problems = [one["code"] for one in json.loads(_ragfault("doctor", "--db", str(db), "--json"))["problems"]]
    rows = [found[case["case_id"]] for case in read_jsonl("cases.jsonl")]
    if as_json:
        print(json.dumps({"db": str(db), "cases": rows, "problems": problems}))
        return
    for row in rows:
        print(f"{row['case_id']:<16}  {row['label']:<30}  {row['outcome']}")
    print("doctor:", ", ".join(problems))


def arguments(name: str, before: str) -> argparse.Namespace:
    """Read the command line that all three examples have.

    Args:
        name: of the example.
        before: what ``--before`` leaves out.
    """
    parser = argparse.ArgumentParser(prog=f"python -m examples.{name}.run", description=f"Label a pipeline of {name}.")
    parser.add_argument("--db", type=Path, default=Path(f"{name}.duckdb"), help="a new file (default: %(default)s)")
    parser.add_argument("--before", action="store_true", help=before)
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    if given.db.exists():
        parser.error(f"{given.db} exists, and a new database was wanted; remove it, or name another one with --db")
    return given


def _ragfault(*words: str) -> str:
    """Run a command and return what it prints; end with its message when it fails."""
    _show(words)
    done = subprocess.run([*_RAGFAULT, *words], capture_output=True, encoding="utf-8", check=False)  # noqa: S603 (our own words)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    print(done.stderr, end="", file=sys.stderr, flush=True)
    return done.stdout


def _show(words: tuple[str, ...] | list[str]) -> None:
    print("$ ragfault", shlex.join(words), file=sys.stderr, flush=True)

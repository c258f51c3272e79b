"""A database with labels and verdicts of people, rules and a model, and receivers to send them to."""

import json
import os
import shutil

import pytest

from otel_ragfault.demo import run_demo
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.judging.verdicts import load_verdicts
from otel_ragfault.model import Config
from otel_ragfault.store import connect
from receiving.served import Command

SAID = [
    {"case_id": "business-10h", "subject": "answer", "value": True, "judge": "ann", "reason": "good enough for me"},
    {"case_id": "gym-fee", "subject": "refusal", "value": True, "judge": "ann"},
    {"case_id": "zurich-hotel", "subject": "grounded", "value": False, "judge": "m-1", "score": 0.2},
]


@pytest.fixture(scope="session")
def demo_file(tmp_path_factory):
    """The database of the demonstration, with what two judges say beside our rules."""
    folder = tmp_path_factory.mktemp("emitting")
    found = run_demo(folder)
    said = folder / "said.jsonl"
    for source, lines in (("human", SAID[:2]), ("model", SAID[2:])):
        said.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        with connect(found.db) as con:
            load_verdicts(con, said, source=source)
    with connect(found.db) as con:
        label_requests(con, Config())
    return found.db


@pytest.fixture
def db(demo_file, tmp_path):
    """A copy of it."""
    return shutil.copy(demo_file, tmp_path / "first.duckdb")


@pytest.fixture
def relabel():
    """Label a database again."""

    def call(db, **settings):
        with connect(db) as con:
            return label_requests(con, Config(**settings)).run_id

    return call


@pytest.fixture
def collect():
    """A function that starts ``ragfault collect`` on a database."""
    started = []

    def start(db):
        started.append(Command(db))
        return started[-1]

    yield start
    for command in started:
        command.kill()


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch):
    for name in [*os.environ]:
        if name.startswith("OTEL_") or name == "RAGFAULT_COLLECT_TOKEN":
            monkeypatch.delenv(name)

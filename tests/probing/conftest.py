"""A database with labelled requests to be probed, and generators to probe."""

import json
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

from jobs.spans import answered, asked, chunks, ranking, span, store
from otel_ragfault import semconv as s
from otel_ragfault.corpus import load_corpus
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.jobs.probing import Wanted, probe_cases
from otel_ragfault.landing.loader import load_spool
from otel_ragfault.model import Config
from otel_ragfault.store import connect

GENERATORS = Path(__file__).with_name("probed_generators.py")
TEXTS = {
    "c1": "Staff fly economy class on every flight.",
    "c2": "Exception: business class is open from 8 hours of flight time, as of 1 March 2024.",
    "c3": "Trains are booked in second class.",
    "c4": "Hotels cost at most 120 euros a night.",
    "c5": "Meals are paid at 48 euros a day.",
    "c6": "Taxis need a receipt.",
    "c7": "Parking is paid in full.",
}
ASKED = "When is business class open?"
CASES = [
    {"case_id": "flight", "query": ASKED, "evidence": [["c2"]], "answer": {"must_contain": ["8 hours"]}},
    {
        "case_id": "both",
        "query": "Meals and taxis?",
        "evidence": [["c5"], ["c6"]],
        "answer": {"must_contain": ["48", "receipt"]},
    },
    {"case_id": "gym", "query": "Is a gym paid?", "expect": "refuse"},
    {"case_id": "unchecked", "query": "What of parking?", "evidence": [["c7"]]},
]
RANKED = {
    "flight": ["c1", "c2", "c3", "c4", "c5", "c6", "c7"],
    "both": ["c5", "c6", "c1", "c2", "c3", "c4", "c7"],
    "gym": ["c7", "c6", "c1", "c2", "c3", "c4", "c5"],
    "unchecked": ["c7", "c1", "c2", "c3", "c4", "c5", "c6"],
}
ANSWERS = {"flight": TEXTS["c1"], "both": TEXTS["c5"], "gym": TEXTS["c7"], "unchecked": TEXTS["c7"]}


def request_spans(trace, case):
    hits = [(name, 1 / rank) for rank, name in enumerate(RANKED[case["case_id"]], 1)]
    about = asked(case["query"]) | {s.RAGFAULT_CASE_ID: case["case_id"]}
    whole = {s.RAGFAULT_SCORE_KIND: s.SCORE_SIMILARITY, s.RAGFAULT_RETRIEVAL_COMPLETE: True}
    answer = answered(ANSWERS[case["case_id"]]) | {s.RAGFAULT_CITATIONS: json.dumps([RANKED[case["case_id"]][0]])}
    return [
        span(1, stage="request", trace=trace, attributes=about),
        span(2, 1, stage="retrieval", trace=trace, attributes=ranking(*hits, k=2) | whole),
        span(3, 1, stage="assembly", trace=trace, attributes=chunks(*RANKED[case["case_id"]][:2])),
        span(4, 1, stage="generation", trace=trace, attributes=answer),
    ]


def write_lines(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def labelled(tmp_path_factory):
    """The database, made once."""
    folder = tmp_path_factory.mktemp("probing")
    with connect(folder / "rag.duckdb", create=True) as con:
        corpus = [{"chunk_id": name, "text": text} for name, text in TEXTS.items()]
        load_corpus(con, write_lines(folder / "corpus.jsonl", corpus))
        load_gold(con, write_lines(folder / "gold.jsonl", CASES))
        for trace, case in enumerate(CASES, 1):
            store(con, *request_spans(trace, case))
        label_requests(con, Config())
    return folder / "rag.duckdb"


@pytest.fixture
def db(labelled, tmp_path):
    """A copy of the database for one test."""
    return Path(shutil.copy(labelled, tmp_path / "rag.duckdb"))


@contextmanager
def opened(db):
    load_spool(db)
    with connect(db) as con:
        yield con


def named(generator):
    """A generator of ours by its function, any other as it is."""
    return generator if ":" in generator else f"{GENERATORS}:{generator}"


@pytest.fixture
def probe(db):
    """A function that probes cases with a generator; settings are those of the table [probing]."""

    def probing(generator, *, cases=("flight",), probes=None, again=False, dry_run=False, judge=None, **settings):
        given = {"timeout": 20.0, "concurrency": 1} | settings
        if generator is not None:
            given["generator"] = named(generator)
        wanted = Wanted(probes=probes, case_ids=cases, again=again, dry_run=dry_run, judge=judge)
        return probe_cases(db, lambda: opened(db), Config.model_validate({"probing": given}), wanted)

    return probing


@pytest.fixture
def ask_db(db):
    """A function that asks the database."""

    def asking(sql, *values):
        with opened(db) as con:
            return con.execute(sql, list(values)).fetchall()

    return asking

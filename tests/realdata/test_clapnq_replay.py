"""A replay of ClapNQ questions over BM25 rankings is what an instrumented extractive pipeline leaves behind."""

import importlib.util
import json
from itertools import product

import pytest

import otel_ragfault as rag
from otel_ragfault.jobs.replaying import Grid, replay, summarise
from otel_ragfault.model import Config
from otel_ragfault.store import connect
from paths import REPOSITORY
from whatif.running import generating, labelled, prepare, record, replayed, run_of

pytestmark = pytest.mark.realdata

GENERATOR = REPOSITORY / "tests" / "realdata" / "extractive.py"
SNAPSHOT = "clapnq"
KS, BUDGETS = (1, 3, 10), (100, 300, 2_000)
RECORDED = (5, 400)
DEPTH = 100  # of the recorded rankings
EVERY = 6  # of 600 cases, so that the test ends soon


def objects(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def data(realdata):
    """Cases, the texts of the chunks, and a BM25 ranking of each case."""
    folder = realdata / "clapnq"
    rankings = {row["case_id"]: row["ranked"] for row in objects(folder / "runs.bm25s.jsonl")}
    texts = {chunk["chunk_id"]: chunk["text"] for chunk in objects(folder / "corpus.jsonl")}
    return objects(folder / "cases.jsonl")[::EVERY], texts, rankings


@pytest.fixture(scope="module")
def ask(data):
    """The pipeline: its retriever gives the recorded ranking, the rest is done."""
    spec = importlib.util.spec_from_file_location("extractive", GENERATOR)
    extractive = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(extractive)
    _, texts, rankings = data

    @rag.retrieval(
        query=lambda call: call["case"]["query"],
        score_kind="bm25",
        complete=lambda call: len(rankings[call["case"]["case_id"]]) < DEPTH,  # no more passages share a word
        k="k",
    )
    def search(case, k):
        return [tuple(hit) for hit in rankings[case["case_id"]]]

    @rag.assembly(budget="budget", budget_unit="words", k="k")
    def assemble(ranked, k, budget):
        shown, used = [], 0
        for chunk_id, _ in ranked[:k]:
            size = len(texts[chunk_id].split())
            if used + size > budget:
                break
            shown.append(chunk_id)
            used += size
        return shown

    @rag.generation(model="extractive")
    def generate(question, chunks):
        return extractive.extract(question, chunks)

    @rag.request(
        query=lambda call: call["case"]["query"],
        case_id=lambda call: call["case"]["case_id"],
        run_id=lambda call: call["run_id"],
        snapshot_id=SNAPSHOT,
    )
    def answer(case, run_id, k, budget):
        shown = assemble(search(case, k), k, budget)
        return generate(case["query"], [(chunk_id, texts[chunk_id]) for chunk_id in shown])["answer"]

    return answer


def to_gold(case):
    """A line of gold: an answer is right that says the first sentence that a person marked."""
    marked = [sentence for group in case.get("gold_sentences") or [] for sentence in group]
    return {
        "case_id": case["case_id"],
        "query": case["query"],
        "expect": "refuse" if case["expect_refusal"] else "answer",
        "evidence": case["gold_chunk_ids"],
        "answer": {"must_contain": marked[:1]} if marked and not case["expect_refusal"] else None,
    }


@pytest.fixture(scope="module")
def database(realdata, data, ask, tmp_path_factory):
    """A function that asks every case with some settings and returns the database."""

    def run(name, settings):
        folder = tmp_path_factory.mktemp(name)
        db, gold = folder / "clapnq.duckdb", folder / "gold.jsonl"
        gold.write_text("".join(f"{json.dumps(to_gold(case))}\n" for case in data[0]), encoding="utf-8")
        record(db, lambda: [ask(case, run_id, k, budget) for case, (k, budget, run_id) in product(data[0], settings)])
        prepare(db, realdata / "clapnq" / "corpus.jsonl", gold, SNAPSHOT)
        return db

    return run


@pytest.fixture(scope="module")
def rows(database):
    closing_it, generation = generating(f"{GENERATOR}:answer")
    with closing_it, connect(database("recorded", [(*RECORDED, "recorded")])) as con:
        return replay(con, Config(), Grid(ks=KS, budgets=BUDGETS), generation=generation)


def test_prompt_label_and_outcome_are_those_of_running_the_pipeline_again(rows, database, data):
    settings = [(k, budget, run_of(k, budget)) for k, budget in product(KS, BUDGETS)]
    run_again = labelled(database("again", settings))
    assert len(run_again) == len(data[0]) * len(settings)
    assert replayed(rows) == run_again


def test_more_k_and_more_budget_complete_more_evidence(rows):
    complete = {(one.setting.k, one.setting.budget): one.complete.mean for one in summarise(rows)}
    assert complete[1, 100] < complete[3, 300] < complete[10, 2_000]
    assert {row.label for row in rows} >= {"retrieval.below_k", "assembly.cut", "generation.wrong_answer", "pass"}

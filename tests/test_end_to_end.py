"""From the decorator to the answer of a query, through everything, with what real pipelines throw at it."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.sdk.trace import SpanLimits, TracerProvider

import otel_ragfault as rag
from otel_ragfault.cli.program import program

HOSTILE = [
    pytest.param('it\'s "quoted" `so` \\ and \\n', id="quotes and backslashes"),
    pytest.param("line\nline\r\nline\u2028line\ttab", id="line ends"),
    pytest.param("nul\0nul", id="NUL"),
    pytest.param("👩‍👩‍👧 🏳️‍🌈 ✓", id="emoji"),
    pytest.param("\u202eright to left\u202c שלום مرحبا", id="right to left"),
    pytest.param("'; DROP TABLE request; -- $k ? {0} %s", id="SQL fragment"),
    pytest.param("e\u0301 é ﬁ", id="composed and decomposed"),
    pytest.param('{"$bytes": "AA=="}', id="looks like our own JSON"),
    pytest.param("x" * 1_000_000, id="a megabyte"),
    pytest.param("", id="empty"),
    pytest.param("null", id="null"),
]


def run(*arguments):
    result = CliRunner().invoke(program, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def record(db, text, chunk_id, *, limits=None):
    provider = rag.configure(db=db, content=True, provider=TracerProvider(span_limits=limits))
    with rag.request(query=text, case_id="case"):
        with rag.retrieval(query=text, k=2, score_kind="similarity") as stage:
            stage.record_documents([(chunk_id, 0.5), ("other", 0.25)])
        with rag.assembly() as stage:
            stage.record_chunks([chunk_id])
        with rag.generation(prompt=text, model="m") as stage:
            stage.record_answer(text, citations=[chunk_id])
    provider.shutdown()
    rag.set_capture()


def gold(tmp_path, db, text, chunk_id):
    case = {"case_id": "case", "query": "q", "evidence": [[chunk_id]], "answer": {"must_contain": [text]}}
    (tmp_path / "gold.jsonl").write_text(json.dumps(case), encoding="utf-8")
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"chunk_id": chunk_id, "text": text}), encoding="utf-8")
    run("gold", "load", "--db", db, tmp_path / "gold.jsonl")
    run("corpus", "load", "--db", db, tmp_path / "corpus.jsonl")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_arrives_unharmed_as_query_prompt_answer_and_id(tmp_path, text):
    db = tmp_path / "rag.duckdb"
    chunk_id = f"id:{text[:1000]}"
    record(db, text, chunk_id)
    (row,) = json.loads(run("query", "--db", db, "--json", "--sql", "FROM request"))
    assert row["query"] == row["prompt_text"] == row["answer"] == text
    assert row["ranked_ids"] == [chunk_id, "other"]
    assert row["prompt_ids"] == row["cited_ids"] == [chunk_id]


@pytest.mark.parametrize("text", [text for text in HOSTILE if text.id not in {"empty", "a megabyte"}])
def test_hostile_ids_and_answers_are_joined_judged_and_shown(tmp_path, text):
    db = tmp_path / "rag.duckdb"
    chunk_id = f"id:{text}"
    record(db, f"the value is {text}", chunk_id)
    gold(tmp_path, db, text, chunk_id)
    assert json.loads(run("label", "--db", db, "--json"))["labels"] == {"pass": 1}
    (card,) = json.loads(run("show", "--db", db, "--json", "case"))
    assert card["evidence"][0]["chunk_id"] == chunk_id
    assert card["evidence"][0]["rank"] == 1
    printed = run("show", "--db", db, "case")
    assert not set(printed) & set("\0\x1b\r\u202e\u202c")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
def test_any_text_arrives_unharmed(tmp_path_factory, text):
    db = tmp_path_factory.mktemp("any") / "rag.duckdb"
    record(db, text, text)
    (row,) = json.loads(run("query", "--db", db, "--json", "--sql", "SELECT query, ranked_ids, answer FROM request"))
    assert row == {"query": text, "ranked_ids": [text, "other"], "answer": text}


def test_a_ranking_cut_by_a_limit_on_attribute_length_is_unknown_never_shorter(tmp_path):
    db = tmp_path / "rag.duckdb"
    record(db, "why?", "a", limits=SpanLimits(max_span_attribute_length=40))
    gold(tmp_path, db, "why?", "not there")
    assert json.loads(run("label", "--db", db, "--json"))["labels"] == {"unknown.ranking": 1}
    (row,) = json.loads(run("query", "--db", db, "--json", "--sql", "SELECT ranked_ids, missing FROM request"))
    assert row["ranked_ids"] is None
    assert {"ranking", "cut.ranking"} <= set(row["missing"])

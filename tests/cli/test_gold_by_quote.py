"""``ragfault gold resolve``, ``list``, ``history`` and ``import`` as a person runs them."""

import json

import pytest

from cli.files import write_lines
from otel_ragfault.store import connect

CHUNKS = (
    {"chunk_id": "c1", "doc_id": "d", "text": "The crew rests for 8 hours"},
    {"chunk_id": "c2", "doc_id": "d", "text": "in the long-haul cabin."},
)
GOLD = (
    {"case_id": "split", "query": "Where?", "evidence": [[{"doc_id": "d", "quote": "8 hours in the long-haul cabin"}]]},
    {"case_id": "typo", "query": "Who?", "evidence": [[{"quote": "The crew restss for 8 hours"}]]},
    {"case_id": "lost", "query": "Why?", "evidence": [[{"quote": "nobody says this"}]]},
)


@pytest.fixture
def filled(run, tmp_path):
    db = tmp_path / "quotes.duckdb"
    assert run("corpus", "load", "--db", db, "--snapshot", "s", write_lines(tmp_path / "c.jsonl", *CHUNKS)).code == 0
    loaded = run("gold", "load", "--db", db, write_lines(tmp_path / "g.jsonl", *GOLD))
    assert loaded.out.startswith("3 cases loaded with 0 evidence ids and 3 quotes")
    assert "1 quote is in no text of a loaded snapshot" in loaded.err
    return db


def test_resolve_counts_and_lists_what_a_person_should_look_at(run, filled):
    ran = run("gold", "resolve", "--db", filled)
    assert ran.code == 0
    for said in ("chunking: evidence split", "nobody says this", "0.9", "c1 c2"):
        assert said in ran.out


def test_resolve_json(run, filled):
    found = run("gold", "resolve", "--db", filled, "--snapshot", "s", "--json").json
    assert found["snapshots"]["s"] == {
        "exact": 1,
        "fuzzy": 1,
        "unresolved": 1,
        "ambiguous": 0,
        "no_text": 0,
        "split": 1,
    }
    quotes = {quote["case_id"]: quote for quote in found["quotes"]}
    assert (quotes["split"]["chunking"], quotes["split"]["chunk_ids"]) == ("evidence split", ["c1", "c2"])
    assert (quotes["lost"]["state"], quotes["lost"]["line"], quotes["lost"]["field"]) == (
        "unresolved",
        3,
        "evidence[0][0].quote",
    )


def test_a_stricter_threshold_is_taken_from_the_configuration(run, filled, tmp_path):
    config = tmp_path / "strict.toml"
    config.write_text("quote_threshold = 0.99\n")
    found = run("gold", "resolve", "--db", filled, "--config", config, "--json").json
    assert (found["threshold"], found["snapshots"]["s"]["fuzzy"]) == (0.99, 0)


def test_a_corpus_that_is_loaded_later_is_resolved_too(run, filled, tmp_path):
    whole = {
        "chunk_id": "w",
        "doc_id": "d",
        "text": "The crew rests for 8 hours in the long-haul cabin. But nobody says this.",
    }
    assert run("corpus", "load", "--db", filled, "--snapshot", "t", write_lines(tmp_path / "w.jsonl", whole)).code == 0
    assert run("gold", "list", "--db", filled, "--unresolved", "--json").json == []
    (lost,) = run("gold", "list", "--db", filled, "--snapshot", "s", "--unresolved", "--json").json
    assert (lost["case_id"], lost["lost"]) == ("lost", 1)
    assert "lost" in run("gold", "list", "--db", filled, "--snapshot", "s").out


def test_an_ambiguous_quote_ends_with_2_and_names_its_place(run, filled, tmp_path):
    twice = [{"chunk_id": f"x{n}", "doc_id": f"e{n}", "text": "nobody says this"} for n in range(2)]
    run("corpus", "load", "--db", filled, "--snapshot", "t", write_lines(tmp_path / "t.jsonl", *twice))
    ran = run("gold", "resolve", "--db", filled, "--snapshot", "t")
    assert ran.code == 2
    assert f"{tmp_path / 'g.jsonl'}:3: evidence[0][0].quote: is in several documents" in ran.err
    assert "'x0', 'x1'" in ran.err
    assert run("gold", "load", "--db", filled, tmp_path / "g.jsonl").code == 2
    checked = run("gold", "check", "--db", filled, tmp_path / "g.jsonl")
    assert (checked.code, "evidence[0][0].quote: is in several documents" in checked.err) == (2, True)


def test_history_shows_what_changed(run, filled, tmp_path):
    run("gold", "load", "--db", filled, write_lines(tmp_path / "g2.jsonl", GOLD[0] | {"tags": ["x"]}))
    newest, first = run("gold", "history", "--db", filled, "split", "--json").json
    assert (newest["in_force"], newest["changed"], first["in_force"]) == (True, ["tags"], False)
    assert "tags" in run("gold", "history", "--db", filled, "split").out
    assert run("gold", "history", "--db", filled, "spilt").code == 2


def test_check_against_a_database_finds_contradictions(run, filled, tmp_path):
    other = write_lines(tmp_path / "other.jsonl", {"case_id": "other", "query": "Why?", "expect": "refuse"})
    assert run("gold", "check", other).code == 0
    ran = run("gold", "check", "--db", filled, other)
    assert ran.code == 2
    assert f"{other}:1: expect: contradicts" in ran.err
    assert run("gold", "check", "--db", filled, "--allow-contradictions", other).code == 0


def test_import_writes_gold_that_loads(run, tmp_path):
    samples = [
        {"user_input": "Where?", "reference_contexts": ["in the cabin"], "response": "x"},
        {"user_input": "Why?", "reference": "because"},
    ]
    out = tmp_path / "made.jsonl"
    ran = run("gold", "import", "--format", "ragas", "--out", out, write_lines(tmp_path / "r.jsonl", *samples))
    assert ran.out == f"{out}: 1 case, 1 member named by quote; 1 problem\n"
    assert "r.jsonl:2: reference_contexts: is missing" in ran.err
    assert "response: not understood or no gold" in ran.err
    assert run("gold", "load", "--db", tmp_path / "new.duckdb", out).code == 0
    assert json.loads(out.read_text())["source"] == "ragas:r.jsonl"
    assert run("gold", "import", "--format", "beir", "--out", out, tmp_path / "r.jsonl").code == 2


def test_the_card_shows_evidence_by_quote(run, db, tmp_path):
    chunks = [
        {"chunk_id": "g", "doc_id": "d", "text": "the quick red"},
        {"chunk_id": "h", "doc_id": "d", "text": "fox ran"},
    ]
    run("corpus", "load", "--db", db, "--snapshot", "s", write_lines(tmp_path / "c.jsonl", *chunks))
    gold = {"case_id": "right", "query": "how?", "evidence": [[{"quote": "red fox"}], [{"quote": "nowhere"}]]}
    run("gold", "load", "--db", db, write_lines(tmp_path / "g.jsonl", gold))
    run("label", "--db", db)
    (card,) = run("show", "--db", db, "right", "--json").json
    members = {(one["chunk_id"], one["quote"], one["split"], one["indexed"]) for one in card["evidence"]}
    assert members == {("g", "red fox", True, True), ("h", "red fox", True, True), (None, "nowhere", False, False)}
    shown = " ".join(run("show", "--db", db, "right").out.split())  # however wide the terminal is
    assert "chunking: evidence split" in shown
    assert '"nowhere" (in no chunk)' in shown


@pytest.fixture
def empty(tmp_path):
    """A database that was created, and holds nothing."""
    path = tmp_path / "empty.duckdb"
    connect(path, create=True).close()
    return path


@pytest.mark.parametrize("words", [["resolve"], ["list"], ["list", "--unresolved"]], ids=" ".join)
def test_where_no_gold_is_loaded_that_is_what_is_said(run, empty, words):
    assert run("gold", *words, "--db", empty).out == "no gold is loaded; load it: ragfault gold load --db DB FILE\n"


def test_the_history_of_a_case_where_no_gold_is_loaded(run, empty):
    assert run("gold", "history", "--db", empty, "a").line.endswith(
        "was never loaded; no gold is loaded; load it: ragfault gold load --db DB FILE"
    )


def test_gold_without_quotes_and_quotes_without_a_snapshot_are_told_apart(run, empty, tmp_path):
    by_id = {"case_id": "a", "query": "a?", "evidence": [["c1"]]}
    run("gold", "load", "--db", empty, write_lines(tmp_path / "ids.jsonl", by_id))
    assert "named by chunk id" in run("gold", "resolve", "--db", empty).out
    by_quote = {"case_id": "b", "query": "b?", "evidence": [[{"quote": "eight hours of rest"}]]}
    run("gold", "load", "--db", empty, write_lines(tmp_path / "quotes.jsonl", by_quote))
    assert run("gold", "resolve", "--db", empty).out.startswith("no snapshot is loaded")


def test_a_list_of_a_snapshot_that_is_not_loaded_is_refused(run, empty):
    assert "snapshot 'x' is not loaded (none is)" in run("gold", "list", "--db", empty, "--snapshot", "x").line

import json

import pytest

from cli.files import GOLD, write_lines

BAD = ({"case_id": "a", "query": "q"}, {"case_id": "b", "query": "q", "evidence": [["g"]], "tag": []})


@pytest.fixture
def bad(tmp_path):
    return write_lines(tmp_path / "bad.jsonl", *BAD, GOLD[0])


@pytest.fixture
def chunks(tmp_path):
    return write_lines(tmp_path / "chunks.jsonl", {"chunk_id": "g", "text": "red"}, {"chunk_id": "x"})


def test_check_names_every_fault_of_a_file(run, bad):
    ran = run("gold", "check", bad)
    assert ran.code == 2
    assert ran.out == f"{bad}: 1 valid case, 2 invalid lines\n"
    first, second, last = ran.err.splitlines()
    assert first.startswith(f"{bad}:1: evidence: is missing")
    assert second == f"{bad}:2: tag: is not a known key; did you mean 'tags'?"
    assert last == f"ragfault: {bad}: 2 problems in 2 lines; correct what is named above"


def test_check_json(run, bad, gold):
    assert run("gold", "check", "--json", gold).json == {
        "file": str(gold),
        "cases": 2,
        "invalid_lines": 0,
        "problems": [],
        "warnings": [],
    }
    ran = run("gold", "check", "--json", bad)
    assert ran.code == 2
    assert [(p["line"], p["field"]) for p in ran.json["problems"]] == [(1, "evidence"), (2, "tag")]


def test_a_gold_file_with_faults_loads_nothing_and_creates_nothing(run, tmp_path, bad):
    ran = run("gold", "load", "--db", tmp_path / "new.duckdb", bad)
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 3
    assert ran.err.splitlines()[2].startswith("ragfault: 2 problems, nothing was loaded; first: ")
    assert not (tmp_path / "new.duckdb").exists()


def test_valid_lines_are_loaded_where_asked_and_the_others_are_counted(run, tmp_path, bad):
    ran = run("gold", "load", "--db", tmp_path / "new.duckdb", "--skip-invalid", bad)
    assert (ran.code, ran.out) == (
        0,
        "1 case loaded with 1 evidence id: 1 added, 0 changed, 0 unchanged; 2 invalid lines skipped\n",
    )


def test_gold_is_loaded_again_in_its_own_place(run, db, gold):
    assert run("gold", "load", "--db", db, "--json", gold).json == {
        "cases": 2,
        "evidence_members": 2,
        "added": 0,
        "changed": 0,
        "unchanged": 2,
        "skipped": 0,
        "quotes": 0,
        "lost": 0,
        "warnings": [],
    }


def test_a_load_tells_new_cases_from_changed_and_unchanged_ones(run, tmp_path, gold, db):
    again = write_lines(
        tmp_path / "again.jsonl", GOLD[0], GOLD[1] | {"tags": ["new"]}, GOLD[0] | {"case_id": "c", "query": "c"}
    )
    assert run("gold", "load", "--db", db, again).out == (
        "3 cases loaded with 3 evidence ids: 1 added, 1 changed, 1 unchanged; 0 invalid lines skipped\n"
    )


def test_a_file_without_cases_is_no_gold(run, tmp_path):
    assert "holds no case" in run("gold", "check", write_lines(tmp_path / "empty.jsonl")).line


def test_schema_is_a_json_schema(run):
    schema = run("gold", "schema").json
    assert schema["properties"].keys() >= {"case_id", "evidence", "gold_chunk_ids"}


def test_a_corpus_is_loaded_as_a_snapshot_and_a_second_time_is_unchanged(run, tmp_path, chunks):
    db = tmp_path / "new.duckdb"
    first = run("corpus", "load", "--db", db, "--snapshot", "s1", chunks)
    assert first.out == "snapshot s1 loaded with 2 chunks; 0 invalid lines skipped\n"
    again = run("corpus", "load", "--db", db, "--snapshot", "s1", "--json", chunks).json
    assert again == {
        "snapshot_id": "s1",
        "chunks": 2,
        "skipped": 0,
        "unchanged": True,
        "base_id": None,
        "stored": 0,
        "warnings": [],
    }


def test_other_chunks_take_the_place_of_a_snapshot_only_where_asked(run, tmp_path, chunks):
    db, other = tmp_path / "new.duckdb", write_lines(tmp_path / "other.jsonl", {"chunk_id": "z"})
    run("corpus", "load", "--db", db, "--snapshot", "s1", chunks)
    assert "--replace" in run("corpus", "load", "--db", db, "--snapshot", "s1", other).line
    assert run("corpus", "load", "--db", db, "--snapshot", "s1", "--replace", other).code == 0
    assert run("query", "--db", db, "--json", "--sql", "SELECT chunk_id FROM corpus_chunk").json == [{"chunk_id": "z"}]


@pytest.mark.parametrize(
    "words", [["gold", "check"], ["gold", "load", "--db", "x"], ["corpus", "load", "--db", "x"]], ids=" ".join
)
def test_a_file_that_is_not_there_is_one_line(run, tmp_path, words):
    assert "nowhere.jsonl: cannot be read (No such file or directory)" in run(*words, "nowhere.jsonl").line
    assert not (tmp_path / "x").exists()


def test_a_warning_does_not_stop_a_load(run, tmp_path):
    twice = write_lines(tmp_path / "gold.jsonl", GOLD[0], {**GOLD[0], "case_id": "again"})
    ran = run("gold", "load", "--db", tmp_path / "new.duckdb", twice)
    assert ran.code == 0
    assert ran.err.startswith("warning: ")
    assert json.loads(run("gold", "check", "--json", twice).out)["warnings"][0]["field"] == "query"

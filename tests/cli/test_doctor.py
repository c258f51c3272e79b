"""The command ``ragfault doctor``: its contract for scripts, and what people read."""

import pytest

from cli.files import TRACES, write_lines
from conventions.recorded import FOLDER
from otel_ragfault.store import connect

FIELDS = {
    "query",
    "ranking",
    "scores",
    "score_kind",
    "k",
    "prompt_ids",
    "prompt_text",
    "answer",
    "citations",
    "case_id",
}


def test_json_is_what_scripts_rely_on(run, db):
    ran = run("doctor", "--db", db, "--json")
    assert (ran.code, ran.err) == (0, "")
    found = ran.json
    assert (found["requests"], found["conventions"]) == (2, {"ragfault": 2})
    assert set(found["fields"]) > FIELDS
    assert found["fields"]["ranking"] == {"present": 2, "missing": 0}
    assert found["fields"]["corpus"] == {"present": 0, "missing": 2}
    assert found["gold"] == {"cases": 2, "requests": 2}
    assert found["prompt_ids"] == {"explicit": 2}
    problems = {problem["code"]: problem for problem in found["problems"]}
    assert problems["no_corpus"]["count"] == 2
    assert problems["no_corpus"]["fix"] == "ragfault corpus load --db DB corpus.jsonl"
    assert {"label": "source.not_indexed", "requests": 2, "missing": ["corpus"]} in found["unreachable"]
    (service,) = found["services"]
    assert (service["service"], service["requests"]) == ("shop", 2)


def test_text_names_service_field_label_and_fix(run, db):
    ran = run("doctor", "--db", db)
    lines = ran.out.splitlines()
    assert lines[0] == "2 requests, 2 with gold"
    assert "[1] shop: 2 requests in ragfault" in lines
    rows = {line.split()[0]: line.split()[1:] for line in lines if line}
    assert rows["ranking"] == ["2/2"]
    assert rows["corpus"] == ["-"]
    assert rows["source.not_indexed"] == ["2/2", "corpus"]
    assert "       ragfault corpus load --db DB corpus.jsonl" in lines


def test_no_gold_is_needed(run, tmp_path):
    db = tmp_path / "new.duckdb"
    run("import", "--db", db, write_lines(tmp_path / "t.jsonl", *TRACES))
    ran = run("doctor", "--db", db)
    assert ran.code == 0
    assert "no_gold: 2 requests of shop" in ran.out
    assert "ragfault gold load" in ran.out


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_an_empty_database_says_what_to_do(run, tmp_path, as_json):
    db = tmp_path / "empty.duckdb"
    connect(db, create=True).close()
    ran = run("doctor", "--db", db, *as_json)
    assert ran.code == 0
    assert "ragfault import --db DB" in ran.out


def test_no_database_is_one_line(run, tmp_path):
    assert "no such database" in run("doctor", "--db", tmp_path / "none.duckdb").line


def test_a_database_that_is_only_read_stays_as_it_is(run, db):
    before = db.read_bytes()
    assert run("doctor", "--db", db).code == 0
    assert db.read_bytes() == before


def test_hostile_names_cannot_disturb_the_terminal(run, tmp_path):
    traces = TRACES[0] | {}
    text = write_lines(tmp_path / "t.jsonl", traces).read_text(encoding="utf-8").replace('"shop"', '"sh\\u001b[2Jop"')
    db = tmp_path / "new.duckdb"
    run("import", "--db", db, write_lines(tmp_path / "t.jsonl", text.strip()))
    assert "\x1b" not in run("doctor", "--db", db).out


def test_a_recording_is_told_its_own_setting(run, tmp_path):
    db = tmp_path / "new.duckdb"
    run("import", "--db", db, FOLDER / "haystack-native.nocontent.jsonl")
    assert "export HAYSTACK_CONTENT_TRACING_ENABLED=true" in run("doctor", "--db", db).out


def test_the_configuration_counts(run, db, tmp_path):
    with connect(db) as con:
        con.execute("UPDATE request SET k = NULL")
    config = tmp_path / "own.toml"
    config.write_text("k = 3\n", encoding="utf-8")
    lost = {label["label"] for label in run("doctor", "--db", db, "--json").json["unreachable"]}
    kept = {label["label"] for label in run("doctor", "--db", db, "--json", "--config", config).json["unreachable"]}
    assert lost - kept == {"rerank.demoted", "retrieval.below_k"}

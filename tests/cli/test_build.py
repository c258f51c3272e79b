"""The command ``ragfault build``: records follow from spans at any time."""

import pytest

from cli.files import TRACES, otlp, write_lines
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.store import connect

COLUMNS = "SELECT * EXCLUDE (built_at) FROM request ORDER BY request_id"


def records(db):
    with connect(db, read_only=True) as con:
        return con.execute(COLUMNS).fetchall()


def change(db, *statements):
    with connect(db) as con:
        for statement in statements:
            con.execute(statement)


def test_all_restores_every_record_and_labels_stay(run, labelled):
    before = records(labelled)
    labels = run("query", "--db", labelled, "--json", "--sql", "SELECT * FROM current_label ORDER BY ALL").json
    change(labelled, "UPDATE request SET ranked_ids = ['wrong'], query = 'changed'")
    assert records(labelled) != before
    assert run("build", "--db", labelled, "--all", "--json").json == {"traces": 2, "requests": 2, "all": True}
    assert records(labelled) == before
    after = run("query", "--db", labelled, "--json", "--sql", "SELECT * FROM current_label ORDER BY ALL").json
    assert after == labels
    assert len(labels) == 2


def test_a_record_that_is_lost_comes_back(run, db):
    before = records(db)
    change(db, "DELETE FROM request")
    assert run("build", "--db", db).out == "0 requests built from 0 traces\n"
    assert run("build", "--db", db, "--all").out == "2 requests built from 2 traces\n"
    assert records(db) == before


def test_only_what_is_new_is_built_without_all(run, db):
    change(db, "UPDATE segment SET built = FALSE")
    assert run("build", "--db", db, "--json").json == {"traces": 2, "requests": 2, "all": False}
    assert run("build", "--db", db, "--json").json == {"traces": 0, "requests": 0, "all": False}


def test_all_of_an_empty_database(run, tmp_path):
    db = tmp_path / "empty.duckdb"
    connect(db, create=True).close()
    assert run("build", "--db", db, "--all", "--json").json == {"traces": 0, "requests": 0, "all": True}


def test_no_database_is_one_line(run, tmp_path):
    assert "no such database" in run("build", "--db", tmp_path / "none.duckdb", "--all").line


def test_a_failure_on_the_way_leaves_every_record_as_it_was(run, db, monkeypatch):
    change(db, "UPDATE request SET query = 'changed'")
    before = records(db)

    def fail(*args, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("otel_ragfault.jobs.build.recover", fail)
    assert "No space left" in run("build", "--db", db, "--all").line
    assert records(db) == before


MAPPING = """
[[mapping]]
name = "mine"
[[mapping.spans]]
match = { name = "search" }
stage = "retrieval"
hits = "found[*]"
"""


@pytest.fixture(
    params=[[], [{"key": "gen_ai.operation.name", "value": {"stringValue": "retrieval"}}]], ids=["own", "genai"]
)
def home_made(request, tmp_path):
    """A file with one span whose ranking no convention knows."""
    more = request.param
    request = otlp(3, case="c", query="q", ranked=[], prompt=[], answer="a")
    (scope,) = request["resourceSpans"][0]["scopeSpans"]
    found = {"stringValue": '[{"id": "a", "score": 2}, {"id": "b", "score": 1}]'}
    scope["spans"] = [{**scope["spans"][0], "name": "search", "attributes": [{"key": "found", "value": found}, *more]}]
    return write_lines(tmp_path / "own.jsonl", request)


def ranked(db):
    with connect(db, read_only=True) as con:
        return con.execute("SELECT convention, ranked_ids FROM request").fetchall()


def test_a_mapping_is_used_by_import(run, tmp_path, home_made):
    (tmp_path / "ragfault.toml").write_text(MAPPING, encoding="utf-8")
    run("import", "--db", tmp_path / "new.duckdb", home_made)
    assert ranked(tmp_path / "new.duckdb") == [("mine", ["a", "b"])]


def test_a_mapping_that_came_later_is_used_by_build(run, tmp_path, home_made):
    db, config = tmp_path / "new.duckdb", tmp_path / "own.toml"
    run("import", "--db", db, home_made)
    assert [ids for _, ids in ranked(db) if ids] == []
    config.write_text(MAPPING, encoding="utf-8")
    run("build", "--db", db, "--all", "--config", config)
    assert ranked(db) == [("mine", ["a", "b"])]


def test_ours_are_not_changed_by_a_mapping(run, tmp_path):
    (tmp_path / "ragfault.toml").write_text(MAPPING, encoding="utf-8")
    run("import", "--db", tmp_path / "new.duckdb", write_lines(tmp_path / "t.jsonl", *TRACES))
    assert {convention for convention, _ in ranked(tmp_path / "new.duckdb")} == {"ragfault"}


def test_a_mapping_is_used_by_label(run, tmp_path, home_made):
    db, config = tmp_path / "new.duckdb", tmp_path / "own.toml"
    run("import", "--db", db, home_made)
    change(db, "UPDATE segment SET built = FALSE")
    config.write_text(MAPPING, encoding="utf-8")
    gold = {"case_id": "c", "query": "q", "evidence": [["a"]]}
    run("gold", "load", "--db", db, write_lines(tmp_path / "gold.jsonl", gold))
    run("label", "--db", db, "--config", config)  # nothing joins: the span names no case
    assert ranked(db) == [("mine", ["a", "b"])]


def test_progress_is_told_batch_by_batch(db):
    steps = []
    with connect(db) as con:
        build_requests(con, anew=True, traces_at_a_time=1, on_progress=lambda *step: steps.append(step))
    assert steps == [(1, 2), (2, 2)]

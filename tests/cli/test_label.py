import json

import pytest

from cli.files import GOLD, write_lines


def test_json_is_what_scripts_rely_on(run, db):
    ran = run("label", "--db", db, "--json")
    assert (ran.code, ran.err) == (0, "")
    run_id = ran.json.pop("run_id")
    assert ran.json == {
        "run_id": run_id,
        "requests": 2,
        "joined": 2,
        "labels": {"pass": 1, "retrieval.below_k": 1},
        "outcomes": {"correct": 1, "wrong": 1},
        "judges": [],
        "warnings": [],
    }
    assert run("query", "--db", db, "--json", "label_runs").json[0]["run_id"] == run_id


def test_text_is_a_table_with_advice(run, db):
    lines = run("label", "--db", db).out.splitlines()
    assert lines[0].startswith("labelled 2 of 2 requests")
    assert lines[2].split() == ["label", "requests", "share", "try", "first"]
    row = next(line for line in lines if line.startswith("retrieval.below_k"))
    assert row.split()[:3] == ["retrieval.below_k", "1", "50.0%"]
    assert row.endswith("Reranking, or a larger k together with a larger context budget.")
    assert lines[-1] in ("outcomes: 1 correct, 1 wrong", "outcomes: 1 wrong, 1 correct")


@pytest.mark.parametrize(
    ("options", "labels"),
    [
        pytest.param(["--k", 3, "--override-k"], {"pass": 1, "assembly.cut": 1}, id="larger k"),
        pytest.param(["--k", 3], {"pass": 1, "retrieval.below_k": 1}, id="a recorded k stands"),
        pytest.param(["--floor", 0.5], {"pass": 1, "retrieval.below_floor": 1}, id="floor"),
        pytest.param(["--since", "2020-01-01"], {"pass": 1, "retrieval.below_k": 1}, id="since long ago"),
    ],
)
def test_options_change_the_labels(run, db, options, labels):
    assert run("label", "--db", db, "--json", *options).json["labels"] == labels


def test_a_configuration_file_counts_and_a_flag_outranks_it(run, db, tmp_path):
    file = tmp_path / "own.toml"
    file.write_text("similarity_floor = 0.5\n", encoding="utf-8")
    assert "retrieval.below_floor" in run("label", "--db", db, "--json", "--config", file).json["labels"]
    assert "retrieval.below_k" in run("label", "--db", db, "--json", "--config", file, "--floor", 0.1).json["labels"]


def test_gold_ids_that_match_nothing_are_warned_about(run, db, tmp_path):
    run("gold", "load", "--db", db, write_lines(tmp_path / "g.jsonl", {**GOLD[0], "evidence": [["G"]]}))
    ran = run("label", "--db", db, "--json")
    assert ran.code == 0
    assert ran.err.startswith("warning: ")
    assert len(ran.json["warnings"]) == 1


def test_without_gold_it_says_what_to_load(run, tmp_path, traces):
    run("import", "--db", tmp_path / "new.duckdb", traces)
    assert "ragfault gold load" in run("label", "--db", tmp_path / "new.duckdb").line


@pytest.mark.parametrize(
    ("since", "words"),
    [
        pytest.param([], "none of 2 requests has gold", id="nothing joined"),
        pytest.param(["--since", "2100-01-01"], "no request started since 2100", id="nothing since"),
    ],
)
def test_a_run_in_which_nothing_joined_is_a_failure(run, tmp_path, traces, since, words):
    db = tmp_path / "new.duckdb"
    run("import", "--db", db, traces)
    run("gold", "load", "--db", db, write_lines(tmp_path / "g.jsonl", {**GOLD[0], "case_id": "z", "query": "z"}))
    assert words in run("label", "--db", db, *since).line


def test_config_tells_each_value_and_its_source(run, tmp_path):
    (tmp_path / "ragfault.toml").write_text('k = 4\npacking = "skip"\n', encoding="utf-8")
    found = run("config", "--json", env={"RAGFAULT_K": "7"}).json
    assert found["file"] == str(tmp_path / "ragfault.toml")
    assert found["values"]["k"] == {"value": 7, "source": "env"}
    assert found["values"]["packing"] == {"value": "skip", "source": "file"}
    assert found["values"]["similarity_floor"] == {"value": None, "source": "default"}
    assert json.dumps(found["values"]["stopwords"]["value"])
    assert ["k", "env", "7"] in [line.split() for line in run("config", env={"RAGFAULT_K": "7"}).out.splitlines()]


def test_config_names_a_misspelt_key(run, tmp_path):
    (tmp_path / "ragfault.toml").write_text("packng = 1\n", encoding="utf-8")
    assert "did you mean 'packing'?" in run("config").line

"""The command says what it found, what it left out, and what it wrote."""

import json

import pytest
from click.testing import CliRunner

from floor.conftest import landing
from otel_ragfault.cli.config import config as config_command
from otel_ragfault.cli.floor import floor
from otel_ragfault.store import connect


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    """Twelve cases of two services of embeddings, and an unanswerable question."""
    folder = tmp_path_factory.mktemp("floor")
    requests = [
        {"case": f"case-{number}", "hits": [("g", 0.6 + number / 50), ("x", 0.55 - number / 50)], "source": source}
        for number, source in enumerate(["policies", "tickets"] * 6)
    ]
    with connect(folder / "floor.duckdb", create=True) as con:
        landing(con, folder)(*requests, {"case": "no", "refuse": True, "hits": [("x", 0.5)], "source": "tickets"})
    return folder / "floor.duckdb"


def run(db, *arguments, fails=False):
    result = CliRunner().invoke(floor, ["--db", str(db), *arguments], catch_exceptions=fails)
    assert bool(result.exit_code) == fails, result.output
    return result


def test_what_would_be_written_is_printed_and_nothing_is(db, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(db)
    first, *_ = result.stdout.splitlines()
    assert first.split()[:4] == ["floor", "interval", "evidence", "below"]
    assert "chosen by youden; intervals of 95%" in result.stdout
    assert "similarity_floor = 0.57" in result.stdout
    assert "[similarity_floor_provenance]" in result.stdout
    assert "few cases: 12" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_is_written_is_shown_by_the_configuration(db, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(db, "--write", "ragfault.toml", "--max-false-rejection", "0.1")
    shown = json.loads(CliRunner().invoke(config_command, ["--json"], catch_exceptions=False).stdout)["values"]
    assert shown["similarity_floor"]["source"] == "file"
    told = shown["similarity_floor_provenance"]["value"]
    assert told["floor"] == shown["similarity_floor"]["value"]
    assert (told["operating_point"], told["cases"], told["database"]) == (
        "false rejection of at most 0.1",
        12,
        "floor.duckdb",
    )


def test_a_floor_that_was_changed_since_is_told(db, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(db, "--write", "ragfault.toml")
    monkeypatch.setenv("RAGFAULT_SIMILARITY_FLOOR", "0.1")
    result = CliRunner().invoke(config_command, [], catch_exceptions=False)
    assert "similarity_floor is not the calibrated 0.57" in result.stderr


def test_json_holds_the_whole_curve(db):
    found = json.loads(run(db, "--json").stdout)
    (group,) = found["groups"]
    assert (group["auc"], len(group["roc"]), group["unanswerable_passed"]) == (1.0, 12, 0.0)
    assert found["provenance"]["floor"] == group["floor"]
    assert found["written"] is None


def test_of_several_floors_one_has_to_be_named_to_be_written(db, tmp_path):
    path = tmp_path / "ragfault.toml"
    refused = run(db, "--by", "data_source", "--write", str(path), fails=True)
    assert "there are 2 floors, of 'policies', 'tickets'" in str(refused.exception)
    assert not path.exists()
    run(db, "--by", "data_source", "--group", "tickets", "--write", str(path))
    assert 'group = "data_source tickets"' in path.read_text()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--max-false-rejection", "5"], "a share from 0 to less than 1"),
        (["--by", "data_source", "--group", "wiki"], "found 'wiki'; with --by data_source there are"),
        (["--depth", "0"], "0 is not in the range"),
        (["--by", "colour"], "colour"),
    ],
    ids=["share", "group", "depth", "dimension"],
)
def test_wrong_usage_is_told_in_one_line(db, arguments, why):
    result = run(db, *arguments, fails=True)
    assert why in f"{result.output} {result.exception}"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("ragfault.toml", "ragfault label uses it from now on", id="the file that is found"),
        pytest.param("rf 2.toml", "to use it: ragfault label --config 'rf 2.toml'", id="another name"),
        pytest.param("below/ragfault.toml", "to use it: ragfault label --config below/ragfault.toml", id="a folder"),
    ],
)
def test_it_says_whether_the_file_is_read_by_itself(db, tmp_path, monkeypatch, name, says):
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    assert says in run(db, "--write", name).stderr
    monkeypatch.chdir(tmp_path / "below")
    if name == "ragfault.toml":
        assert says in run(db, "--write", "../ragfault.toml").stderr

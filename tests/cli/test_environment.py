"""Variables of the environment: the database that every command uses, and what nobody reads."""

import re

import click
import pytest

from cli.files import GOLD, write_lines
from otel_ragfault.cli.environment import COLLECTOR, DEVELOPMENT, VARIABLES, unknown_variables
from otel_ragfault.cli.program import program
from otel_ragfault.model import Config
from paths import REPOSITORY


def leaves(command, path=()):
    """Yield every command that does something, with the words that call it."""
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    for name in command.list_commands(click.Context(command)):
        yield from leaves(command.get_command(click.Context(command), name), (*path, name))


COMMANDS = dict(leaves(program))


@pytest.mark.parametrize("words", sorted(COMMANDS))
def test_each_database_option_reads_the_environment(words):
    options = [param for param in COMMANDS[words].params if "--db" in param.opts]
    assert [param.envvar for param in options] == ["RAGFAULT_DB"] * len(options)


def test_gold_is_checked_against_the_database_of_the_environment(run, db, tmp_path, monkeypatch):
    other = write_lines(tmp_path / "other.jsonl", GOLD[0] | {"case_id": "other", "evidence": [["x"]]})
    assert run("gold", "check", other).code == 0
    monkeypatch.setenv("RAGFAULT_DB", str(db))
    ran = run("gold", "check", other)
    assert ran.code == 2
    assert "contradicts the loaded case" in ran.err


def test_gold_can_be_checked_before_the_database_of_the_environment_exists(run, gold, tmp_path, monkeypatch):
    monkeypatch.setenv("RAGFAULT_DB", str(tmp_path / "later.duckdb"))
    ran = run("gold", "check", gold)
    assert (ran.code, ran.err) == (
        0,
        f"note: RAGFAULT_DB: {tmp_path / 'later.duckdb'} is not there yet; the file is checked on its own\n",
    )


def test_a_database_that_is_named_for_a_check_has_to_be_there(run, gold, tmp_path):
    assert "later.duckdb" in run("gold", "check", "--db", tmp_path / "later.duckdb", gold).line


KNOWN = VARIABLES | COLLECTOR | DEVELOPMENT | {name.upper() for name in Config.model_fields}
LITERAL = re.compile(r'"RAGFAULT_([A-Z_]+)"')
ANYWHERE = re.compile(r"RAGFAULT_([A-Z_]+)")


def names(folder, pattern):
    texts = [path.read_text("utf-8", "ignore") for path in (REPOSITORY / folder).rglob("*") if path.is_file()]
    return {name for text in texts for name in pattern.findall(text)}


def test_every_variable_that_code_and_collector_read_is_known():
    assert names("otel_ragfault", LITERAL) - {""} <= KNOWN
    assert names("collector", ANYWHERE) == COLLECTOR


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        pytest.param("RAGFAULT_FOO", "ragfault config lists the keys; other variables are RAGFAULT_COLLECT_", id="foreign"),
        pytest.param("RAGFAULT_SCRUBB", "did you mean RAGFAULT_SCRUB?", id="nearly one of ours"),
    ],
)  # fmt: skip
def test_a_variable_that_nobody_reads_is_a_warning_and_no_more(run, gold, monkeypatch, name, advice):
    monkeypatch.setenv(name, "1")
    ran = run("gold", "check", gold)
    assert ran.code == 0
    assert ran.err.startswith(f"warning: environment {name}: is not known and has no effect; {advice}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("name", ["RAGFAULT_SCRUB", "RAGFAULT_QUEUE_DIR", "RAGFAULT_REALDATA", "RAGFAULT_K"])
def test_variables_that_are_known_are_no_warning(name):
    assert unknown_variables({name: "1", "HOME": "/", "RAGFAULT_FOO": " "}) == []


def test_what_is_nearly_a_key_is_refused_in_one_line(run, monkeypatch):
    monkeypatch.setenv("RAGFAULT_PACKIN", "skip")
    assert "did you mean RAGFAULT_PACKING?" in run("config").line

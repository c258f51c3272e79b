"""The database that the environment names is the one that every command uses."""

import click
import pytest

from cli.files import GOLD, write_lines
from otel_ragfault.cli.program import program


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

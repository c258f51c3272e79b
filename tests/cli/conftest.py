import json
from dataclasses import dataclass

import pytest
from click.testing import CliRunner

from cli.files import GOLD, otlp, write_lines
from otel_ragfault.cli.program import program


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str
    raw: bytes

    @property
    def json(self):
        return json.loads(self.out, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))

    @property
    def line(self):
        """The only line on stderr, of a command that refused."""
        assert self.code == 2, self
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("ragfault: "), self.err
        return self.err.strip()


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch, tmp_path):
    for name in ("RAGFAULT_DB", "RAGFAULT_K"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run():
    """Run ``ragfault`` in this process."""

    def call(*args, **options):
        found = CliRunner().invoke(program, [str(arg) for arg in args], **options)
        if found.exit_code == 70:
            pytest.fail(found.stderr)
        return Ran(found.exit_code, found.stdout, found.stderr, found.stdout_bytes)

    return call


@pytest.fixture
def gold(tmp_path):
    return write_lines(tmp_path / "gold.jsonl", *GOLD)


@pytest.fixture
def traces(tmp_path):
    """Two requests: case ``right`` with gold in the prompt, case ``below`` with gold at rank 3 and k 2."""
    lines = [
        otlp(1, case="right", query="how?", ranked=["g", "x"], prompt=["g"], answer="It is 8 hours."),
        otlp(2, case="below", query="why?", ranked=["x", "y", "g"], prompt=["x", "y"], answer="It is blue."),
    ]
    return write_lines(tmp_path / "traces.jsonl", *lines)


@pytest.fixture
def db(run, tmp_path, traces, gold):
    """A database with two requests and their gold, not labelled."""
    path = tmp_path / "rag.duckdb"
    assert run("import", "--db", path, traces).code == 0
    assert run("gold", "load", "--db", path, gold).code == 0
    return path


@pytest.fixture
def labelled(run, db):
    assert run("label", "--db", db).code == 0
    return db

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.files import GOLD, TRACES, write_lines
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
    return write_lines(tmp_path / "traces.jsonl", *TRACES)


@pytest.fixture(scope="session")
def templates(tmp_path_factory):
    """Two databases that tests copy: not labelled, and labelled."""
    folder = tmp_path_factory.mktemp("templates")
    plain, labelled = folder / "plain.duckdb", folder / "labelled.duckdb"
    for args in (["import", write_lines(folder / "t", *TRACES)], ["gold", "load", write_lines(folder / "g", *GOLD)]):
        assert CliRunner().invoke(program, [*map(str, args), "--db", str(plain)]).exit_code == 0
    shutil.copy(plain, labelled)
    assert CliRunner().invoke(program, ["label", "--db", str(labelled)]).exit_code == 0
    return plain, labelled


@pytest.fixture
def db(templates, tmp_path):
    """A database with two requests and their gold, not labelled."""
    return Path(shutil.copy(templates[0], tmp_path / "rag.duckdb"))


@pytest.fixture
def labelled(templates, tmp_path):
    return Path(shutil.copy(templates[1], tmp_path / "labelled.duckdb"))

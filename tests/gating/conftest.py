"""The pipeline with planted bugs, run through real capture into a database, and labelled; once for all tests."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from otel_ragfault.cli.program import program
from paths import REPOSITORY

EXAMPLE = REPOSITORY / "examples" / "planted_bugs"
BUGS = (
    "index a section away",
    "break the tokenizer",
    "lower k",
    "shrink the budget",
    "reverse the prompt order",
    "drop citations",
    "disable abstention",
)
_ASK = """
import sys
sys.path.insert(0, sys.argv[1])
sys.argv[0] = "run.py"
from run import main
db = sys.argv[2]
for run, bug in [("baseline", None), ("again", None), *((bug, bug) for bug in sys.argv[3:])]:
    sys.argv[1:] = [db, "--run", run, *(["--bug", bug] if bug else [])]
    main()
"""


def ragfault(*args, cwd=EXAMPLE):
    """Run a command in this process, where the configuration of the example is found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        return CliRunner().invoke(program, [str(arg) for arg in args])


@pytest.fixture(scope="session")
def _museum(tmp_path_factory):
    folder = tmp_path_factory.mktemp("museum")
    db = folder / "rag.duckdb"
    subprocess.run([sys.executable, "-c", _ASK, EXAMPLE, db, *BUGS], check=True, capture_output=True, cwd=folder)
    for corpus in sorted(folder.glob("handbook*.jsonl")):
        assert ragfault("corpus", "load", "--db", db, "--snapshot", corpus.stem, corpus).exit_code == 0
    assert ragfault("gold", "load", "--db", db, folder / "cases.jsonl").exit_code == 0
    assert ragfault("label", "--db", db).exit_code == 0
    return db


@pytest.fixture
def museum(_museum, tmp_path):
    """A database with the runs ``baseline``, ``again`` and one for each bug, labelled."""
    return Path(shutil.copy(_museum, tmp_path / "rag.duckdb"))


@pytest.fixture
def gate(museum, tmp_path):
    """Run ``ragfault gate`` over that database, in a folder of its own with the configuration of the example."""
    shutil.copy(EXAMPLE / "ragfault.toml", tmp_path)
    return lambda *args: ragfault("gate", "--db", museum, *args, cwd=tmp_path)

"""Projects that test a RAG pipeline with the plugin, in folders of their own."""

import json
import shutil
from importlib.metadata import entry_points
from textwrap import dedent

import pytest

from otel_ragfault.pytest_plugin import bench, capturing, case, keeping
from paths import TRAVEL_POLICY

KEPT = (bench, capturing, case, keeping)  # pytester forgets what a run imports, and some of it cannot be imported twice

PLUGIN = "otel_ragfault.pytest_plugin"
INSTALLED = any(one.value == PLUGIN for one in entry_points(group="pytest11"))
LOADED = [] if INSTALLED else ["-p", PLUGIN]
QUIET = ["-p", "no:cacheprovider", "-W", "error"]

PIPELINE_TEST = """
    import pipeline

    def test_rag(ragfault_case):
        ragfault_case.check(pipeline.ask)
"""


class Project:
    """A folder with the travel policy, its gold and its corpus, and pytest in it."""

    def __init__(self, pytester):
        self.pytester = pytester
        self.path = pytester.path
        for name in ("pipeline.py", "cases.jsonl", "corpus.jsonl"):
            shutil.copy(TRAVEL_POLICY / name, pytester.path / name)
        self.ini()

    def ini(self, **settings):
        told = {"ragfault_gold": "cases.jsonl", "ragfault_corpus": "corpus.jsonl", **settings}
        lines = [f"{name} = {value}" for name, value in told.items() if value is not None]
        (self.path / "pytest.ini").write_text(
            "\n".join(["[pytest]", "pythonpath = .", *lines]) + "\n", encoding="utf-8"
        )

    def keep(self, *case_ids):
        """Leave only these cases in the gold file."""
        path = self.path / "cases.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(one for one in lines if json.loads(one)["case_id"] in case_ids), encoding="utf-8")

    def test(self, text=PIPELINE_TEST, *, name="test_rag"):
        (self.path / f"{name}.py").write_text(dedent(text), encoding="utf-8")

    def run(self, *arguments):
        """Run pytest in this process."""
        return self.pytester.runpytest_inprocess(*LOADED, *QUIET, "-n", "0", *arguments)

    def run_apart(self, *arguments):
        """Run pytest in a process of its own."""
        return self.pytester.runpytest_subprocess(*LOADED, *QUIET, *arguments)

    def labels(self, result):
        """What the summary says: label -> cases."""
        found = {}
        for line in result.outlines:
            parts = line.split()
            if len(parts) > 3 and any(part in {"pass", "pass.correct_refusal"} or "." in part for part in parts[1:4]):
                place = next((i for i, part in enumerate(parts) if part.isdecimal()), None)
                if place is not None and line[:11].strip() in BOUNDARIES:
                    found[parts[place - 1]] = [part.rstrip(",") for part in parts[place + 1 :]]
        return found


BOUNDARIES = {"-", "source set", "retrieval", "assembly", "generation", "citation", "decision"}


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.delenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", raising=False)
    return Project(pytester)

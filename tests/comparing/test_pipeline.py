"""The example pipeline under two settings, through capture, landing and labelling, and compared."""

import subprocess
import sys

import pytest

from otel_ragfault.corpus import load_corpus
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.comparing import Source, compare_runs
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.model import Config
from otel_ragfault.store import connect
from paths import REPOSITORY

EXAMPLE = REPOSITORY / "examples" / "travel_policy"
_ASK = """
import sys
import otel_ragfault
otel_ragfault.configure(db=sys.argv[2], content=True)
sys.path.insert(0, sys.argv[1])
from pipeline import ask, read_jsonl
for run, k, budget in (("k2", 2, 50), ("k3", 3, 50), ("k3b80", 3, 80)):
    for case in read_jsonl("cases.jsonl"):
        ask(case["query"], case["case_id"], run, k, budget)
"""


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    path = tmp_path_factory.mktemp("compared") / "rag.duckdb"
    subprocess.run([sys.executable, "-c", _ASK, EXAMPLE, path], check=True, cwd=path.parent)
    with connect(path) as con:
        load_corpus(con, EXAMPLE / "corpus.jsonl", snapshot_id="travel-policy-1")
        load_gold(con, EXAMPLE / "cases.jsonl")
        label_requests(con, Config())
    return path


def test_a_larger_k_alone_moves_the_fault_and_helps_nobody(db):
    found = compare_runs(Source(db, "k2"), Source(db, "k3"), Config(), expectations=["retrieval.below_k decreases"])
    assert found.changed_settings == {"k": (["2"], ["3"])}
    assert found.warnings == []
    changed = {
        case.case_id: (case.before.label, case.after.label, case.change)
        for case in found.cases
        if case.change != "unchanged"
    }
    assert changed == {"long-haul-cabin": ("retrieval.below_k", "assembly.cut", "moved")}
    boundaries = {one.boundary: one for one in found.boundaries}
    assert (boundaries["retrieval"].improved, boundaries["retrieval"].regressed) == (1, 0)
    assert (boundaries["assembly"].improved, boundaries["assembly"].regressed) == (0, 0)
    assert (found.pass_test.only_before, found.pass_test.only_after) == (0, 0)
    (hypothesis,) = found.hypotheses
    assert (hypothesis.answer, hypothesis.before, hypothesis.after) == ("not decidable", 1 / 8, 0)
    assert hypothesis.cases_needed == 61  # (1.95996 * sqrt(1/8) + 0.84162 * sqrt(1/8 - 1/64)) ** 2 * 64 = 60.4


def test_both_together_are_two_variables(db):
    found = compare_runs(Source(db, "k2"), Source(db, "k3b80"), Config())
    assert set(found.changed_settings) == {"budget", "k"}
    assert found.warnings[0].startswith("2 variables changed between the runs (budget, k)")
    labels = {case.case_id: case.after.label for case in found.cases}
    assert labels["long-haul-cabin"] == "generation.wrong_answer"
    shown = next(one for one in found.differences if one.name == "evidence_in_prompt")
    assert shown.change > 0
    assert (shown.cases, shown.left_out) == (6, 2)

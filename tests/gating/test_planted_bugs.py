"""A bug planted at each boundary is found by the gate, put into the right boundary, and named in the Markdown."""

import json

import pytest

PLANTED = [
    pytest.param(
        "index a section away", "source set", "source.not_indexed", 12, "snapshot", id="a section is not indexed"
    ),
    pytest.param("break the tokenizer", "retrieval", "retrieval.below_k", 32, None, id="the tokenizer is broken"),
    pytest.param("lower k", "retrieval", "retrieval.below_k", 12, "k", id="k is lower"),
    pytest.param("shrink the budget", "assembly", "assembly.cut", 12, "budget", id="the budget is smaller"),
    pytest.param(
        "reverse the prompt order", "generation", "generation.wrong_answer", 12, None, id="the prompt is reversed"
    ),
    pytest.param("drop citations", "citation", "citation.missing", 36, None, id="citations are dropped"),
    pytest.param(
        "disable abstention", "decision", "decision.answered_unanswerable", 12, None, id="nothing is declined"
    ),
]


@pytest.mark.parametrize(("bug", "boundary", "label", "cases", "setting"), PLANTED)
def test_a_planted_bug_fails_the_gate_at_its_boundary(gate, tmp_path, bug, boundary, label, cases, setting):
    ran = gate("--baseline", "baseline", "--run", bug, "--markdown", tmp_path / "gate.md", "--json")
    assert ran.exit_code == 1, ran.output
    found = json.loads(ran.stdout)
    assert [(one["boundary"], len(one["case_ids"]), one["labels"]) for one in found["blames"]] == [
        (boundary, cases, {label: cases})
    ]
    assert f"boundary:{boundary}" in [rule["figure"] for rule in found["rules"] if rule["answer"] == "failed"]
    assert [name for name in found["changed_settings"] if name == setting] == ([setting] if setting else [])
    markdown = (tmp_path / "gate.md").read_text(encoding="utf-8")
    assert markdown.splitlines()[1] == f"## ❌ RAG gate: failed, lost at {boundary}"
    assert f"- **{boundary}**: {cases} cases (`{label}` {cases}). Try first: " in markdown


def test_the_unplanted_pipeline_run_again_passes(gate, tmp_path):
    ran = gate("--baseline", "baseline", "--run", "again", "--markdown", tmp_path / "gate.md", "--no-new-failures")
    assert ran.exit_code == 0, ran.output
    assert (tmp_path / "gate.md").read_text(encoding="utf-8").splitlines()[1] == "## ✅ RAG gate: passed"
    assert ran.stdout.splitlines()[-1] == "gate: passed"


def test_a_bug_that_is_repaired_passes_too(gate):
    ran = gate("--baseline", "lower k", "--run", "again", "--json")
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    assert found["blames"] == []
    assert sum(case["change"] == "improved" for case in found["cases"]) == 12

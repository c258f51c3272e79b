"""Transitions, boundaries, means: by hand."""

import pytest

from comparing.runs import AFTER, BEFORE, put_pairs, put_side
from queries.world import put, put_case, put_run

LOW, CUT, WRONG, PASS = "retrieval.below_k", "assembly.cut", "generation.wrong_answer", "pass"


def kept(*boundaries):
    return dict.fromkeys(boundaries, "unchanged")


def test_transitions_are_counted_those_that_changed_first(con, compared):
    put_pairs(con, {"a": (LOW, PASS), "b": (LOW, PASS), "c": (LOW, CUT), "d": (PASS, PASS), "e": (PASS, LOW)})
    found = compared()
    assert [tuple(one) for one in found.labels] == [(LOW, PASS, 2), (PASS, LOW, 1), (LOW, CUT, 1), (PASS, PASS, 1)]
    assert [tuple(one) for one in found.outcomes] == [
        ("wrong", "correct", 2),
        ("correct", "wrong", 1),
        ("correct", "correct", 1),
        ("wrong", "wrong", 1),
    ]
    assert [one.change for one in found.cases] == ["improved", "improved", "moved", "unchanged", "regressed"]


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        pytest.param(LOW, CUT, kept("source set") | {"retrieval": "improved"}, id="lost later: better there, unseen behind"),
        pytest.param(CUT, LOW, kept("source set") | {"retrieval": "regressed"}, id="lost earlier"),
        pytest.param(WRONG, PASS, kept("source set", "retrieval", "assembly", "decision") | {"generation": "improved"}, id="generation repaired"),
        pytest.param(PASS, "citation.missing", kept("source set", "retrieval", "assembly", "decision", "generation") | {"citation": "regressed"}, id="citation lost"),
        pytest.param(PASS, "decision.refused_answerable", kept("source set", "retrieval", "assembly") | {"decision": "regressed"}, id="refuses what was shown"),
        pytest.param("pass.correct_refusal", "decision.answered_unanswerable", {"decision": "regressed"}, id="nothing but the decision counts"),
        pytest.param("error.generation", PASS, {}, id="an error says nothing of any boundary"),
        pytest.param("unknown.ranking", PASS, {}, id="nor does what is not known"),
        pytest.param(PASS, PASS, kept("source set", "retrieval", "assembly", "decision", "generation", "citation"), id="nothing changed"),
    ],
)  # fmt: skip
def test_each_boundary_is_held_against_itself(con, compared, before, after, changed):
    boundary = {"source": "source set", "grounding": "generation"}
    put_run(con)
    put_case(con, "a", "g")
    for run, number, label in ((BEFORE, 1, before), (AFTER, 2, after)):
        put_side(con, run, {"a": label}, first=number)
        family = label.split(".")[0]
        known = None if family in {"pass", "error", "unknown"} else boundary.get(family, family)
        con.execute("UPDATE label SET boundary = ? WHERE request_id = ?", [known, f"{number:032x}"])
    for one in compared().boundaries:
        counts = {"improved": one.improved, "unchanged": one.unchanged, "regressed": one.regressed}
        assert {name for name, count in counts.items() if count} == (
            {changed[one.boundary]} if one.boundary in changed else set()
        )
        assert sum(counts.values()) + one.not_reached == 1
    assert set(changed) <= {one.boundary for one in compared().boundaries}


def test_what_is_not_known_is_left_out_and_never_zero(con, compared):
    put_pairs(con, {"a": (LOW, PASS), "b": (PASS, PASS), "c": (PASS, "pass?"), "d": ("pass?", LOW)})
    found = compared()
    passed = found.differences[0]
    assert (passed.name, passed.cases, passed.left_out) == ("passed", 2, 2)
    assert (passed.before, passed.after, passed.change) == (0.5, 1.0, 0.5)
    grounded = next(one for one in found.differences if one.name == "grounded")
    assert (grounded.cases, grounded.before, grounded.low, grounded.p_value, grounded.left_out) == (
        0,
        None,
        None,
        None,
        4,
    )
    test = found.pass_test
    assert (test.both_pass, test.both_fail, test.only_before, test.only_after, test.left_out) == (1, 0, 0, 1, 2)


def test_the_exact_test_counts_the_cases_that_changed(con, compared):
    pairs = {f"up {n}": (LOW, PASS) for n in range(6)} | {"same": (PASS, PASS)}
    put_pairs(con, pairs)
    found = compared()
    assert found.pass_test.p_value == pytest.approx(2 / 64)
    assert found.differences[0].p_value == pytest.approx(2 / 64)


def test_measures_of_rankings_and_prompts(con, compared):
    put_run(con)
    put_case(con, "a", "g", "h")
    put_case(con, "b", "g", "h")
    put(con, 1, "a", LOW, run_id=BEFORE, ranked_ids=["g", "x", "h"], prompt_ids=["g", "x"])
    put(con, 2, "b", LOW, run_id=BEFORE, ranked_ids=None, prompt_ids=["x"])
    put(con, 3, "a", PASS, run_id=AFTER, ranked_ids=["g", "h", "x"], prompt_ids=["g", "h"])
    put(con, 4, "b", PASS, run_id=AFTER, ranked_ids=["x", "g", "h"], prompt_ids=None)
    found = {one.name: one for one in compared().differences}
    recall, shown, mrr = found["recall_groups@1"], found["evidence_in_prompt"], found["mrr"]
    assert (found["recall_groups@3"].cases, found["recall_groups@3"].left_out) == (1, 1)
    assert (recall.before, recall.after) == (0.5, 0.5)
    assert (shown.cases, shown.before, shown.after, shown.left_out) == (1, 0.5, 1.0, 1)
    assert (mrr.before, mrr.after, mrr.change) == (1.0, 1.0, 0.0)
    assert found["ndcg@3"].change == pytest.approx(1 - (1 + 1 / 2) / (1 + 0.6309298), abs=1e-6)


def test_slices_are_corrected_for_their_number(con, compared):
    pairs = {f"t{n}": (LOW, PASS) for n in range(6)} | {f"u{n}": (PASS, PASS) for n in range(4)}
    put_pairs(con, pairs, before={"service": "web"}, after={"service": "web"})
    con.execute("UPDATE gold_case SET tags = ['tables', 'old'] WHERE case_id LIKE 't%'")
    found = compared(by=["tag", "service", "expect", "tag"]).slices
    passed = {one.slice: one for one in found if one.name == "passed"}
    assert list(passed) == ["tag=(none)", "tag=old", "tag=tables", "service=web", "expect=answer"]
    assert {name: one.cases for name, one in passed.items()} == {
        "tag=(none)": 4,
        "tag=old": 6,
        "tag=tables": 6,
        "service=web": 10,
        "expect=answer": 10,
    }
    assert passed["tag=tables"].p_value == pytest.approx(2 / 64)
    assert passed["tag=tables"].adjusted_p == pytest.approx(5 * 2 / 64)
    assert passed["tag=(none)"].adjusted_p == 1.0


def test_a_case_that_another_service_answers_belongs_to_neither(con, compared):
    put_pairs(con, {"a": (PASS, PASS)}, before={"service": "web"}, after={"service": "app"})
    assert {one.slice for one in compared(by=["service"]).slices} == {"service=(several)"}

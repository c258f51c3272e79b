"""What a case is where several requests asked it."""

import pytest

from comparing.runs import AFTER, BEFORE, put_cases, put_side
from queries.world import put, put_run

CUT, LOW, PASS = "assembly.cut", "retrieval.below_k", "pass"


@pytest.mark.parametrize(
    ("labels", "passed", "label", "share"),
    [
        pytest.param([PASS, CUT, PASS], True, PASS, 2 / 3, id="two of three pass"),
        pytest.param([CUT, PASS], False, CUT, 1 / 2, id="a tie is not passed"),
        pytest.param([CUT, LOW, LOW], False, LOW, 0, id="the most frequent label"),
        pytest.param([CUT, LOW], False, LOW, 0, id="the newest of equals"),
        pytest.param([CUT, LOW, "grounding.unsupported", PASS, PASS], False, "grounding.unsupported", 2 / 5, id="a label of the majority"),
        pytest.param(["pass?", CUT], False, CUT, 0, id="what is not known has no vote"),
        pytest.param(["pass?", "pass?"], None, PASS, None, id="nothing is known"),
    ],
)  # fmt: skip
def test_the_majority_gives_the_label_and_the_mean_counts(con, compared, labels, passed, label, share):
    put_run(con)
    put_cases(con, "a")
    put_side(con, BEFORE, {"a": PASS}, first=1)
    for number, one in enumerate(labels, start=10):
        put_side(con, AFTER, {"a": one}, first=number)
    found = compared()
    (case,) = found.cases
    assert (case.after.passed, case.after.label, case.after.requests) == (passed, label, len(labels))
    assert sum(case.after.labels.values()) == len(labels)
    difference = next(one for one in found.differences if one.name == "passed")
    assert difference.after == (share if share is None else pytest.approx(share))
    assert difference.left_out == (share is None)


def test_the_newest_request_is_told_by_its_start(con, compared):
    put_run(con)
    put_cases(con, "a")
    put_side(con, BEFORE, {"a": CUT}, first=1)
    put(con, 11, "a", LOW, run_id=AFTER, started_at="2026-02-02")
    put(con, 12, "a", CUT, run_id=AFTER, started_at="2026-02-01")
    (case,) = compared().cases
    assert case.after.label == LOW
    assert case.after.request_id == f"{11:032x}"

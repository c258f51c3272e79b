"""Expected labels: known failures are expected, what gets worse fails, and any number of runs may write them."""

import json
from concurrent.futures import ProcessPoolExecutor
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.errors import InputError
from otel_ragfault.faults import RULES
from otel_ragfault.pytest_plugin.baseline import Expected, read_baseline, update_baseline
from otel_ragfault.pytest_plugin.verdict import Change, Verdict, change_of, judged

BASELINE = "ragfault-baseline.json"
LABELS = [*dict.fromkeys(rule.key for rule in RULES), "unknown.ranking", "unknown.answer"]
OUTCOMES = ["correct", "wrong", "refused", "unjudged"]
labels = st.builds(Expected, st.sampled_from(LABELS), st.sampled_from(OUTCOMES))


def found(label, outcome="wrong"):
    return SimpleNamespace(
        label=label,
        outcome=outcome,
        boundary=None,
        passed=label == "pass" or label.startswith("pass."),
    )


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        pytest.param(None, ("retrieval.below_k", "wrong"), Change.NEW, id="not in the baseline"),
        pytest.param(("retrieval.below_k", "wrong"), ("retrieval.below_k", "wrong"), Change.SAME, id="the same"),
        pytest.param(("pass", "correct"), ("pass", "correct"), Change.SAME, id="a pass"),
        pytest.param(("pass", "correct"), ("retrieval.below_k", "wrong"), Change.WORSE, id="a pass is lost"),
        pytest.param(("retrieval.below_k", "wrong"), ("pass", "correct"), Change.BETTER, id="a pass is won"),
        pytest.param(("retrieval.below_k", "wrong"), ("assembly.cut", "wrong"), Change.LATER, id="the next fault"),
        pytest.param(("assembly.cut", "wrong"), ("retrieval.below_k", "wrong"), Change.WORSE, id="an earlier fault"),
        pytest.param(("assembly.cut", "wrong"), ("unknown.ranking", "wrong"), Change.WORSE, id="not recorded any more"),
        pytest.param(("unknown.ranking", "wrong"), ("assembly.cut", "wrong"), Change.LATER, id="recorded now"),
        pytest.param(
            ("retrieval.below_k", "correct"), ("retrieval.below_k", "wrong"), Change.WORSE, id="a right answer is lost"
        ),
        pytest.param(
            ("retrieval.below_k", "wrong"), ("retrieval.below_k", "correct"), Change.BETTER, id="a right answer is won"
        ),
        pytest.param(
            ("retrieval.below_k", "wrong"), ("retrieval.below_k", "refused"), Change.SAME, id="wrong otherwise"
        ),
        pytest.param(
            ("retrieval.below_k", "correct"),
            ("assembly.cut", "wrong"),
            Change.WORSE,
            id="later, but not right any more",
        ),
    ],
)
def test_how_a_label_stands_to_the_baseline(before, now, change):
    assert change_of(found(*now), None if before is None else Expected(*before)) is change


@given(labels, labels)
def test_a_change_and_its_opposite_are_never_both_worse_nor_both_better(one, other):
    there, back = change_of(found(one.label, one.outcome), other), change_of(found(other.label, other.outcome), one)
    good = {Change.BETTER, Change.LATER}
    assert not (there in good and back in good)
    assert (there is Change.SAME) == (back is Change.SAME) or {one.outcome, other.outcome} & {"correct"}


@given(labels)
def test_what_the_baseline_expects_never_fails(expected):
    assert judged(found(expected.label, expected.outcome), expected, None, recording=False).kind is not Verdict.FAILS


@given(labels, st.none() | labels)
def test_nothing_fails_while_a_baseline_is_written_and_a_pass_never_does(one, expected):
    assert judged(found(one.label, one.outcome), expected, None, recording=True).kind is not Verdict.FAILS
    if one.passed:
        assert judged(found(one.label, one.outcome), expected, None, recording=False).kind is Verdict.PASSES


def test_a_baseline_makes_known_failures_expected(project):
    project.keep("gym-fee", "taxi-receipt", "long-haul-cabin")
    project.test()
    project.run("--ragfault-update").assert_outcomes(passed=1, xfailed=2)
    text = (project.path / BASELINE).read_text(encoding="utf-8")
    assert '    "test_rag.py::test_rag[taxi-receipt]": {"label": "assembly.cut", "outcome": "wrong"}' in text
    result = project.run("-rx")
    result.assert_outcomes(passed=1, xfailed=2)
    result.stdout.fnmatch_lines(
        [
            "against the baseline: 3 as before",
            "XFAIL test_rag.py::test_rag?long-haul-cabin? - retrieval.below_k, as in the baseline",
        ]
    )


def test_what_gets_worse_fails_and_what_gets_better_asks_for_a_new_baseline(project):
    project.keep("business-10h", "long-haul-cabin", "lie-flat-seat")
    project.test()
    project.run("--ragfault-update")
    source = (project.path / "pipeline.py").read_text(encoding="utf-8")
    (project.path / "pipeline.py").write_text(source.replace("K = 2", "K = 1"), encoding="utf-8")
    result = project.run("-k", "business-10h or lie-flat-seat")
    result.assert_outcomes(xfailed=1, failed=1, deselected=1)
    result.stdout.fnmatch_lines(
        [
            "retrieval.below_k (boundary: retrieval)",
            "worse than the baseline, which has generation.wrong_answer and an answer that is wrong",
            "against the baseline: 1 as before, 1 worse",
        ]
    )
    repaired = source.replace("K = 2", "K = 3").replace("BUDGET = 50", "BUDGET = 80")
    (project.path / "pipeline.py").write_text(repaired, encoding="utf-8")
    result = project.run("-k", "long-haul-cabin", "-rx")
    result.assert_outcomes(xfailed=1, deselected=2)
    result.stdout.fnmatch_lines(
        [
            "against the baseline: 1 at a later fault; record it with --ragfault-update",
            "XFAIL *long-haul-cabin? - generation.wrong_answer, which is later than retrieval.below_k of the baseline",
        ]
    )


def test_an_update_of_some_tests_leaves_the_others_as_they_were(project):
    project.test()
    project.run("--ragfault-update", "-k", "gym-fee")
    project.run("--ragfault-update", "-k", "zurich-hotel")
    assert sorted(read_baseline(project.path / BASELINE)) == [
        "test_rag.py::test_rag[gym-fee]",
        "test_rag.py::test_rag[zurich-hotel]",
    ]
    result = project.run("-k", "gym-fee or zurich-hotel or mileage-rate")
    result.assert_outcomes(passed=1, xfailed=1, failed=1, deselected=5)
    result.stdout.fnmatch_lines(["against the baseline: 2 as before, 1 not in it; record it with --ragfault-update"])


def test_the_ini_file_may_name_the_baseline(project):
    project.ini(ragfault_baseline="expected/labels.json")
    (project.path / "expected").mkdir()
    project.test()
    project.run("--ragfault-update", "-k", "gym-fee")
    assert set(read_baseline(project.path / "expected" / "labels.json")) == {"test_rag.py::test_rag[gym-fee]"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("{", "is no baseline of ragfault", id="no JSON"),
        pytest.param("[]", "is no baseline of ragfault", id="a list"),
        pytest.param('{"format": 2, "tests": {}}', "found format 2, this release reads 1", id="another format"),
        pytest.param('{"format": 1, "tests": {"a": "pass"}}', "is no baseline of ragfault", id="another shape"),
    ],
)
@pytest.mark.parametrize("workers", ["0", "2"], ids=["one process", "workers"])
def test_a_file_that_is_no_baseline_is_one_usage_error_and_is_not_overwritten(project, text, said, workers):
    (project.path / BASELINE).write_text(text, encoding="utf-8")
    project.test()
    for arguments in ([], ["--ragfault-update"]):
        result = project.run_apart("-n", workers, "-k", "gym-fee", *arguments)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        (line,) = [line for line in (*result.outlines, *result.errlines) if said in line]
        assert line.startswith("ERROR: ragfault: ")
        assert "Traceback" not in result.stdout.str() + result.stderr.str()
    assert (project.path / BASELINE).read_text(encoding="utf-8") == text


def test_workers_of_a_run_write_one_baseline_and_print_one_summary(project):
    project.keep("gym-fee", "taxi-receipt", "long-haul-cabin", "meal-allowance")
    project.test()
    result = project.run_apart("-n", "2", "--ragfault-update")
    result.assert_outcomes(passed=2, xfailed=2)
    result.stdout.fnmatch_lines(["*= ragfault: 2 of 4 cases pass =*"])
    assert sum(len(cases) for cases in project.labels(result).values()) == 4
    assert {one.label for one in read_baseline(project.path / BASELINE).values()} == set(project.labels(result))


def _put(path, number):
    update_baseline(path, {f"test_{number}_{place}": Expected("pass", "correct") for place in range(20)})


def test_runs_that_write_at_once_lose_nothing(tmp_path):
    path = tmp_path / BASELINE
    with ProcessPoolExecutor(4) as pool:
        list(pool.map(_put, [path] * 12, range(12)))
    assert len(read_baseline(path)) == 240
    assert sorted(one.name for one in tmp_path.iterdir()) == [BASELINE]


def test_a_whole_run_drops_what_is_there_no_more_and_a_part_of_it_drops_nothing(project):
    project.keep("gym-fee", "taxi-receipt", "long-haul-cabin")
    project.test()
    project.run("--ragfault-update")
    gone, skipped, elsewhere = (
        "test_rag.py::test_rag[gone]",
        "test_skipped.py::test_rag[a]",
        "test_gone.py::test_rag[a]",
    )
    update_baseline(project.path / BASELINE, dict.fromkeys([gone, skipped, elsewhere], Expected("pass", "correct")))
    project.test("import pytest\npytest.skip('later', allow_module_level=True)\n", name="test_skipped")
    for part in (["-k", "gym-fee"], ["test_rag.py"], ["-x"], ["--deselect", "test_rag.py::test_rag[gym-fee]"]):
        project.run("--ragfault-update", *part)
        assert {gone, skipped, elsewhere} < set(read_baseline(project.path / BASELINE))
    result = project.run("--ragfault-update")
    result.stdout.fnmatch_lines(["baseline written: *; dropped 2 tests that are there no more"])
    assert set(read_baseline(project.path / BASELINE)) == {
        *(f"test_rag.py::test_rag[{case}]" for case in ("gym-fee", "taxi-receipt", "long-haul-cabin")),
        skipped,
    }


@given(st.dictionaries(st.text(), labels))
def test_a_baseline_is_read_as_it_was_written(tmp_path_factory, tests):
    path = tmp_path_factory.mktemp("b") / BASELINE
    update_baseline(path, tests)
    assert read_baseline(path) == tests
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(tests) + 5 or not tests
    assert json.loads(path.read_text(encoding="utf-8"))["format"] == 1


def test_a_folder_that_is_not_there_is_said_in_one_line(tmp_path):
    with pytest.raises(InputError, match="No such file or directory; a file to write the baseline to was wanted"):
        update_baseline(tmp_path / "none" / BASELINE, {})

"""What is compared with what: runs by name, the same cases, one database or two."""

import pytest

from comparing.runs import AFTER, BEFORE, put_cases, put_pairs, put_side
from otel_ragfault.errors import InputError, NothingJoinedError
from otel_ragfault.jobs.comparing import Source, compare_runs, read_side
from otel_ragfault.model import Config
from otel_ragfault.store import connect
from queries.world import LABELLING, put_label, put_request, put_run

LATER = "20260102T000000Z-bb"


def test_cases_are_paired_by_their_id_whatever_their_order(con, compared):
    put_pairs(con, {"b": ("pass", "assembly.cut"), "a": ("assembly.cut", "pass")})
    found = compared()
    assert [(one.case_id, one.before.label, one.after.label, one.change) for one in found.cases] == [
        ("a", "assembly.cut", "pass", "improved"),
        ("b", "pass", "assembly.cut", "regressed"),
    ]
    assert (found.before.run, found.before.kind, found.before.cases, found.before.requests) == (
        BEFORE,
        "pipeline",
        2,
        2,
    )


def test_different_cases_are_refused_with_their_names(con, compared):
    put_pairs(con, {"a": ("pass", "pass")})
    put_cases(con, "only-b", "c1", "c2", "c3", "c4", "c5", "c6")
    put_side(con, BEFORE, {"only-b": "pass"}, first=50)
    put_side(con, AFTER, {f"c{n}": "pass" for n in range(1, 7)}, first=60)
    with pytest.raises(InputError) as caught:
        compared()
    assert str(caught.value) == (
        "the runs are not of the same cases: 1 (only-b) only in 'main', 6 (c1, c2, c3, c4, c5, …) only in 'next'; "
        "identical case ids were wanted; run both on the same cases, or compare the 1 that both have: "
        "--allow-different-cases, in Python allow_different_cases=True"
    )


def test_different_cases_are_reported_where_they_are_allowed(con, compared):
    put_pairs(con, {"a": ("pass", "pass")})
    put_cases(con, "b", "c")
    put_side(con, BEFORE, {"b": "pass"}, first=50)
    put_side(con, AFTER, {"c": "assembly.cut"}, first=60)
    found = compared(allow_different_cases=True)
    assert (found.only_before, found.only_after, [one.case_id for one in found.cases]) == (["b"], ["c"], ["a"])
    assert any(line.startswith("2 cases are on one side only") for line in found.warnings)


def test_runs_without_a_case_in_common_are_refused_even_then(con, compared):
    put_run(con)
    put_cases(con, "a", "b")
    put_side(con, BEFORE, {"a": "pass"}, first=1)
    put_side(con, AFTER, {"b": "pass"}, first=2)
    with pytest.raises(InputError, match="name two runs of the same cases"):
        compared(allow_different_cases=True)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param(
            "mian",
            "no run 'mian'; known are pipeline: next, main; labelling: 20260101T000000Z-aa; did you mean 'main'?",
            id="a slip",
        ),
        pytest.param("'; DROP TABLE label; --", "name one of these", id="hostile"),
        pytest.param("labelling:main", "no run 'labelling:main'", id="the other kind"),
    ],
)
def test_a_run_that_is_not_there_is_told_beside_those_that_are(con, compared, name, says):
    put_pairs(con, {"a": ("pass", "pass")})
    with pytest.raises(InputError) as caught:
        compared(before=name)
    assert says in str(caught.value)
    assert con.execute("SELECT count(*) FROM label").fetchone() == (2,)


def test_a_database_without_runs_says_how_to_get_one(compared):
    with pytest.raises(InputError, match="the database names no run and holds no labelling"):
        compared()


def test_requests_without_labels_ask_for_labelling(con, compared):
    put_pairs(con, {"a": ("pass", "pass")})
    put_request(con, 900, run_id="fresh")
    with pytest.raises(NothingJoinedError) as caught:
        compared(after="fresh")
    assert str(caught.value) == (
        "run 'fresh' holds 1 request and no label of them; labelled requests were wanted; run: ragfault label --db DB"
    )


def test_some_requests_without_labels_are_left_out_and_counted(con, compared):
    put_pairs(con, {"a": ("pass", "pass")})
    put_request(con, 900, run_id=AFTER)
    (warning,) = compared().warnings
    assert warning == (
        "1 request of run 'next' has no label and is left out: without gold, or newer than the newest labelling "
        "(ragfault label --db DB)"
    )


def test_labellings_can_be_compared_with_each_other(con, compared):
    put_pairs(con, {"a": ("pass", "pass"), "b": ("assembly.cut", "pass")})
    put_run(con, LATER, config='{"k": 5}')
    for number, case in ((1, "a"), (2, "b")):
        put_label(con, number, case, "pass", labelling=LATER, outcome="correct")
    found = compared(before=LABELLING, after=LATER)
    assert (found.before.kind, found.after.kind) == ("labelling", "labelling")
    assert {one.case_id: (one.before.requests, one.after.requests) for one in found.cases} == {"a": (2, 1), "b": (2, 1)}
    assert found.changed_settings["labelling.k"] == (["3"], ["5"])


def test_the_newest_label_of_each_request_counts(con, compared):
    put_pairs(con, {"a": ("assembly.cut", "assembly.cut")})
    put_run(con, LATER)
    put_label(con, 10_001, "a", "pass", labelling=LATER, outcome="correct")
    (case,) = compared().cases
    assert (case.before.label, case.after.label) == ("assembly.cut", "pass")


def test_a_name_of_both_kinds_has_to_be_told_apart(con, compared):
    put_pairs(con, {"a": ("pass", "pass")})
    con.execute("UPDATE request SET run_id = ? WHERE run_id = ?", [LABELLING, AFTER])
    with pytest.raises(InputError) as caught:
        compared(after=LABELLING)
    assert f"write pipeline:{LABELLING} or labelling:{LABELLING}" in str(caught.value)
    assert compared(after=f"pipeline:{LABELLING}").after.kind == "pipeline"
    assert compared(before=f"labelling:{LABELLING}", after=f"labelling:{LABELLING}").before.kind == "labelling"


def test_a_name_with_a_colon_is_a_name(con, compared):
    put_pairs(con, {"a": ("pass", "pass")})
    con.execute("UPDATE request SET run_id = 'pipeline:7' WHERE run_id = ?", [AFTER])
    assert compared(after="pipeline:7").after.run == "pipeline:7"


@pytest.fixture
def two_files(tmp_path):
    paths = [tmp_path / "before.duckdb", tmp_path / "after.duckdb"]
    for path, label in zip(paths, ("assembly.cut", "pass"), strict=True):
        with connect(path, create=True) as con:
            put_run(con)
            put_cases(con, "a")
            put_side(con, "night", {"a": label}, first=1)
    return paths


@pytest.mark.parametrize("run", ["night", None], ids=["a run", "all requests"])
def test_two_files_are_compared(two_files, run):
    before, after = two_files
    found = compare_runs(Source(before, run), Source(after, run), Config())
    assert [(one.before.label, one.after.label) for one in found.cases] == [("assembly.cut", "pass")]
    assert (found.before.database, found.after.database, found.after.run) == (before, after, run)


def test_one_side_can_be_read_alone(two_files):
    read = read_side(Source(two_files[1], "night"), Config())
    assert {name: case.state.label for name, case in read.cases.items()} == {"a": "pass"}
    with connect(two_files[1]):  # nothing holds the file any more
        pass

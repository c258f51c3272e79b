"""A comparison in a notebook: cases, settings, measures and hypotheses as tables."""

import pytest

from otel_ragfault import Run
from otel_ragfault.errors import InputError


def test_it_tells_what_became_of_each_case_and_which_settings_differ(compared):
    assert compared.cases.rows()[0] | {"request_before": "", "request_after": ""} == {
        "case_id": "long-haul-cabin",
        "query": "Which class do staff fly, how far ahead is a flight reserved, and does a long one change that?",
        "change": "moved",
        "label_before": "retrieval.below_k",
        "label_after": "generation.wrong_answer",
        "boundary_before": "retrieval",
        "boundary_after": "generation",
        "outcome_before": "wrong",
        "outcome_after": "wrong",
        "passed_before": False,
        "passed_after": False,
        "request_before": "",
        "request_after": "",
    }
    assert {name: compared.changed_settings[name] for name in ("k", "budget")} == {
        "k": (["2"], ["3"]),
        "budget": (["50 words"], ["80 words"]),
    }
    assert (compared.improved, compared.regressed) == ([], [])
    assert compared.warnings == compared.result.warnings
    assert repr(compared) == "<Comparison of 1 case: 0 improved, 0 regressed, 1 moved, 0 unchanged>"


def test_its_tables_are_those_of_the_comparison(compared):
    assert compared.labels.rows() == [{"before": "retrieval.below_k", "after": "generation.wrong_answer", "cases": 1}]
    assert compared.differences["name"] == [one.name for one in compared.result.differences]
    assert [row["regressed"] for row in compared.boundaries] == [one.regressed for one in compared.result.boundaries]
    assert compared.hypotheses.rows()[0]["text"] == "retrieval.below_k decreases"
    assert compared.slices.rows() == []
    assert compared.slices.columns == compared.differences.columns


def test_slices_are_asked_for(demo):
    run = Run.open(demo.db)
    found = run.compare(run, by=["expect"])
    assert set(found.slices["change"]) == {0.0}
    assert len(found.cases) == 8
    assert "no case changed" in found._repr_html_()


def test_the_other_run_may_be_named(demo, compared):
    before = Run.open(demo.experiments_db, run="k=2 budget=50")
    named = before.compare("k=3 budget=80", expect="retrieval.below_k decreases", by="expect")
    assert named.cases.rows() == compared.cases.rows()
    assert named.hypotheses.rows() == compared.hypotheses.rows()
    assert set(named.slices["slice"]) == {"expect=answer"}


@pytest.mark.parametrize(
    ("other", "options", "says"),
    [
        pytest.param("k=3 budget=8", {}, "did you mean 'k=3 budget=80'?", id="a misspelt name"),
        pytest.param(3, {}, "other: found 3 (a number); a Run, or the name of a run", id="no run"),
        pytest.param("k=3 budget=80", {"expect": "banana"}, "expect 'banana': found no hypothesis", id="no hypothesis"),
        pytest.param("k=3 budget=80", {"by": "banana"}, "by: found 'banana'; wanted one of tag", id="no dimension"),
    ],
)
def test_what_cannot_be_compared_is_one_line_in_the_words_of_python(demo, other, options, says):
    before = Run.open(demo.experiments_db, run="k=2 budget=50")
    with pytest.raises(InputError) as caught:
        before.compare(other, **options)
    assert says in str(caught.value)
    assert "--" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_different_cases_are_refused_with_what_to_write_in_python(demo):
    with pytest.raises(InputError, match="in Python allow_different_cases=True"):
        Run.open(demo.db).compare(Run.open(demo.experiments_db, run="k=2 budget=50"))

"""Which scores of which requests a floor is calibrated from."""

import pytest

from otel_ragfault.errors import InputError, NothingJoinedError
from otel_ragfault.jobs.calibrating import calibrate
from otel_ragfault.model import Config


def hits(**scores):
    return sorted(scores.items(), key=lambda hit: -hit[1])


APART = {"hits": hits(g=0.8, x=0.4, y=0.3)}


def calibrated(con, **options):
    (found,) = calibrate(con, Config(), **options).groups
    return found


def test_evidence_is_held_against_everything_else_that_was_ranked(con, asked_about):
    asked_about(APART, {"hits": hits(g=0.7, x=0.5)}, {"hits": hits(x=0.6, g=0.55)})
    found = calibrated(con)
    assert [(point.false_rejection, round(point.false_acceptance, 4)) for point in found.curve.points] == [
        (0.0, 0.3333),
        (pytest.approx(1 / 3), 0.0),
        (pytest.approx(2 / 3), 0.0),
    ]
    assert (found.cases, found.requests, found.runs) == (3, 3, ("monday",))
    assert found.curve.chosen.floor == pytest.approx(0.53, abs=0.021)


def test_the_best_score_of_an_unanswerable_question_is_none_of_evidence(con, asked_about):
    asked_about(APART, APART | {"case": "other"}, {"refuse": True, "hits": hits(x=0.9, y=0.1)})
    found = calibrated(con)
    assert (found.cases, found.unanswerable, found.unanswerable_passed) == (2, 1, 1.0)
    assert found.curve.points[0].false_acceptance == pytest.approx(1 / 3)


def test_of_alternatives_the_best_ranked_counts_and_no_other_is_called_irrelevant(con, asked_about):
    either = {"hits": hits(h=0.9, g=0.8, x=0.2), "evidence": [["g", "h"]]}
    asked_about(either, either | {"case": "other"})
    curve = calibrated(con).curve
    assert [point.false_acceptance for point in curve.points] == [0.0]
    assert 0.2 < curve.chosen.floor <= 0.9


def test_chunks_that_a_person_calls_relevant_are_on_neither_side(con, asked_about):
    graded = {"hits": hits(x=0.95, g=0.8, y=0.2), "relevance": {"x": 1, "y": 0}}
    asked_about(graded, graded | {"case": "other"})
    assert calibrated(con).curve.points[0].false_acceptance == 0.0


def test_the_scores_before_reranking_count(con, asked_about):
    reranked = APART | {"reranked": [("x", 0.99), ("g", 0.01)]}
    asked_about(reranked, reranked | {"case": "other"})
    assert calibrated(con).curve.auc == 1.0


def test_a_depth_leaves_out_what_is_ranked_below_it(con, asked_about):
    deep = {"hits": hits(x=0.9, g=0.8, **{f"y{number}": 0.1 for number in range(8)})}
    asked_about(deep, deep | {"case": "other"})
    assert calibrated(con).curve.points[0].false_acceptance == pytest.approx(1 / 9)
    assert calibrated(con, depth=3).curve.points[0].false_acceptance == 0.5


def test_evidence_that_was_not_ranked_has_no_score_and_is_told(con, asked_about):
    asked_about(APART, APART | {"case": "other"}, {"hits": hits(x=0.5)})
    found = calibrated(con)
    assert (found.cases, found.unranked) == (2, 1)
    assert any("1 required group was not ranked" in warning for warning in found.warnings)


def test_two_runs_of_a_case_are_one_case(con, asked_about):
    asked_about(APART, APART | {"case": "case-1", "run": "tuesday"}, {"hits": hits(g=0.7, x=0.1)})
    found = calibrated(con)
    assert (found.cases, found.requests, found.runs) == (2, 3, ("monday", "tuesday"))


def test_few_cases_are_told(con, asked_about):
    asked_about(APART, APART | {"case": "other"})
    assert any(warning.startswith("few cases: 2") for warning in calibrated(con).warnings)


def test_scores_that_tell_nothing_are_told(con, asked_about):
    asked_about(*[{"hits": hits(g=0.5 + number / 10, x=0.6)} for number in range(3)])
    assert any("a floor would reject at random" in warning for warning in calibrated(con).warnings)


@pytest.mark.parametrize(
    ("requests", "problem"),
    [
        ([APART], "1 case with evidence that was ranked; 2 or more were wanted"),
        ([{"hits": hits(g=0.8)}, {"hits": hits(g=0.7)}], "0 cases with a ranked chunk that is no evidence"),
    ],
    ids=["one case", "nothing else was ranked"],
)
def test_too_little_is_no_floor(con, asked_about, requests, problem):
    asked_about(*requests)
    found = calibrated(con)
    assert found.curve is None
    assert problem in found.problem


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("bm25", "BM25 scores cannot be compared between questions"),
        ("distance", "record similarities, such as 1 - distance"),
        (None, "what kind of score it is, is not recorded"),
    ],
    ids=["bm25", "distance", "no kind"],
)
def test_other_scores_are_refused_with_what_to_do(con, asked_about, kind, why):
    asked_about(APART | {"kind": kind}, APART | {"kind": kind, "case": "other"})
    with pytest.raises(InputError, match=why):
        calibrate(con, Config())


def test_among_similarities_others_are_left_out_and_counted(con, asked_about):
    asked_about(APART, APART | {"case": "other"}, APART | {"kind": "distance", "case": "third"})
    found = calibrated(con)
    assert (found.requests, found.unused) == (2, {"distances": 1})


@pytest.mark.parametrize(
    ("by", "named"), [("data_source", "source"), ("embedding_model", "model")], ids=["data source", "embedding model"]
)
def test_groups_have_floors_of_their_own(con, asked_about, by, named):
    low = {"hits": hits(g=0.4, x=0.2)}
    asked_about(
        *[APART | {"case": f"a{number}", named: "one"} for number in range(2)],
        *[low | {"case": f"b{number}", named: "two"} for number in range(2)],
        APART | {"case": "c"},
    )
    found = {group.group: group for group in calibrate(con, Config(), by=by).groups}
    assert list(found) == ["one", "two", None]
    assert found["one"].curve.chosen.floor == pytest.approx(0.6)
    assert found["two"].curve.chosen.floor == pytest.approx(0.3)
    assert found[None].curve is None


def test_services_are_groups(con, asked_about):
    asked_about(APART, APART | {"case": "other"})
    (found,) = calibrate(con, Config(), by="service").groups
    assert (found.group, found.cases) == ("shop", 2)


def test_without_gold_there_is_nothing_to_calibrate(con, asked_about):
    with pytest.raises(InputError, match="no gold case is loaded"):
        calibrate(con, Config())


def test_requests_without_gold_are_none(con, asked_about):
    asked_about(APART)
    con.execute("UPDATE gold_case SET case_id = 'another', query_key = 'another'")
    con.execute("UPDATE gold_evidence SET case_id = 'another'")
    with pytest.raises(NothingJoinedError, match="labelled requests were wanted"):
        calibrate(con, Config())

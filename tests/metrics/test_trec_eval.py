"""The measures are those of trec_eval, on rankings of every shape."""

import math

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metrics.judged import KS, SHARES, agrees, clear, measured, put_topic, put_topics, trec_eval

IDS = st.sampled_from([f"c{number}" for number in range(8)] + ["é", "Z", "c10", "日本", ""])
GRADES = st.dictionaries(IDS, st.integers(0, 4), min_size=1, max_size=9)
SCORES = st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 1.5, 2.0, -3.25, 1e30, 1e300, 22.028504437998])
RANKINGS = st.lists(st.tuples(IDS, SCORES), max_size=14)
LEVELS = st.integers(1, 3)
TOPICS = st.lists(st.tuples(GRADES, RANKINGS), min_size=1, max_size=8)
POOL = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def descending(ids):
    """A run that trec_eval orders as the ids stand."""
    return {chunk: float(len(ids) - place) for place, chunk in enumerate(ids)}


def stored(con, topics, *, with_scores=False):
    """Store the topics, and return them by their names: topic -> (grades, ids, scores)."""
    clear(con)
    named = {
        f"t{number}": (judgments, [chunk for chunk, _ in ranking], [score for _, score in ranking])
        for number, (judgments, ranking) in enumerate(topics)
    }
    put_topics(con, named if with_scores else {name: (*parts[:2], None) for name, parts in named.items()})
    return named


def compare(ours, qrels, runs, level=1, *, judged_only=False):
    wanted = trec_eval(qrels, runs, level=level, judged_only=judged_only)
    for topic, judgments in qrels.items():
        if not runs[topic] or (judged_only and not set(runs[topic]) & set(judgments)):
            assert ours[topic]["hit", None] == ours[topic]["reciprocal_rank", None] == 0
            continue  # trec_eval measures no empty ranking
        relevant = any(grade >= level for grade in judgments.values())
        gained = {key: value for key, value in wanted[topic].items() if key[0] == "ndcg"}
        others = {key: value for key, value in wanted[topic].items() if key[0] != "ndcg"}
        assert agrees(ours[topic], others, relevant=relevant) == {}
        # a grade below the level is not relevant, and still worth something
        assert agrees(ours[topic], gained, relevant=max(judgments.values()) > 0) == {}


@POOL
@given(topics=TOPICS, level=LEVELS, unjudged=st.sampled_from(["nonrelevant", "leave_out"]))
def test_recorded_order_with_repeats_equals_trec_eval_over_the_ids_once_each(memory, topics, level, unjudged):
    named = stored(memory, topics)
    runs = {topic: descending(list(dict.fromkeys(ids))) for topic, (_, ids, _) in named.items()}
    ours = measured(memory, ks=list(KS), relevant_from=level, unjudged=unjudged)
    qrels = {topic: parts[0] for topic, parts in named.items()}
    compare(ours, qrels, runs, level, judged_only=unjudged == "leave_out")


@POOL
@given(topics=TOPICS, level=LEVELS, unjudged=st.sampled_from(["nonrelevant", "leave_out"]))
def test_order_by_score_breaks_ties_as_trec_eval_does(memory, topics, level, unjudged):
    named = stored(memory, topics, with_scores=True)
    runs = {topic: best_scores(ids, scores) for topic, (_, ids, scores) in named.items()}
    ours = measured(memory, ks=list(KS), hit_order="trec", relevant_from=level, unjudged=unjudged)
    qrels = {topic: parts[0] for topic, parts in named.items()}
    compare(ours, qrels, runs, level, judged_only=unjudged == "leave_out")


def best_scores(ids, scores):
    best = {}
    for chunk, score in zip(ids, scores, strict=True):
        best[chunk] = max(score, best.get(chunk, -math.inf))
    return best


@POOL
@given(topics=TOPICS)
def test_a_repeat_that_keeps_its_place_is_like_a_chunk_that_nobody_judged(memory, topics):
    named = stored(memory, topics)
    runs = {topic: descending(with_stand_ins(ids)) for topic, (_, ids, _) in named.items()}
    ours = measured(memory, ks=list(KS), repeats="keep")
    compare(ours, {topic: parts[0] for topic, parts in named.items()}, runs)


def with_stand_ins(ids):
    return [f"repeat {place}" if chunk in ids[:place] else chunk for place, chunk in enumerate(ids)]


@POOL
@given(
    topics=TOPICS,
    gain=st.sampled_from(["linear", "exponential"]),
    discount=st.sampled_from(["log2", "jarvelin", "reciprocal"]),
    repeats=st.sampled_from(["drop", "keep"]),
)
def test_no_measure_leaves_zero_to_one_whatever_is_chosen(memory, topics, gain, discount, repeats):
    stored(memory, topics)
    for ours in measured(memory, ks=list(KS), gain=gain, discount=discount, repeats=repeats).values():
        shares = {key: value for key, value in ours.items() if key[0] in SHARES and value is not None}
        assert all(0 <= value <= 1 + 1e-12 for value in shares.values()), shares


@POOL
@given(judged=st.lists(GRADES, min_size=1, max_size=8), gain=st.sampled_from(["linear", "exponential"]))
def test_the_best_ranking_has_ndcg_one_at_every_cutoff(memory, judged, gain):
    best = [(grades, [(chunk, 0.0) for chunk in sorted(grades, key=lambda one: -grades[one])]) for grades in judged]
    named = stored(memory, best)
    ours = measured(memory, ks=list(KS), gain=gain)
    for topic, (grades, _, _) in named.items():
        wanted = pytest.approx(1) if max(grades.values()) else None
        assert all(ours[topic]["ndcg", k] == wanted for k in (*KS, None))


def test_exponential_gain_and_other_discounts_are_what_their_formulas_say(memory):
    clear(memory)
    put_topic(memory, 1, "t", {"a": 3, "b": 1, "c": 2}, ["b", "x", "a"])
    gains = {"linear": float, "exponential": lambda grade: 2.0**grade - 1}
    discounts = {
        "log2": lambda rank: math.log2(rank + 1),
        "jarvelin": lambda rank: max(1, math.log2(rank)),
        "reciprocal": float,
    }
    for gain, worth in gains.items():
        for discount, divided in discounts.items():
            ideal = worth(3) / divided(1) + worth(2) / divided(2) + worth(1) / divided(3)
            wanted = (worth(1) / divided(1) + worth(3) / divided(3)) / ideal
            ours = measured(memory, gain=gain, discount=discount)["t"]
            assert ours["ndcg", None] == pytest.approx(wanted), (gain, discount)


def test_a_distance_is_better_when_it_is_smaller(memory):
    clear(memory)
    put_topic(memory, 1, "t", {"near": 1}, ["far", "near"], [0.9, 0.1], score_kind="distance")
    assert measured(memory, hit_order="trec")["t"]["reciprocal_rank", None] == 1
    assert measured(memory)["t"]["reciprocal_rank", None] == 0.5


@pytest.mark.parametrize("scores", [None, [1.0, None], [1.0, math.nan]], ids=["none", "one missing", "not a number"])
def test_without_all_scores_the_order_by_score_is_not_known(memory, scores):
    clear(memory)
    put_topic(memory, 1, "t", {"a": 1}, ["a", "b"], scores)
    by_score, recorded = measured(memory, hit_order="trec")["t"], measured(memory)["t"]
    assert (by_score["ranking_known", 1], by_score["ndcg", 1], by_score["hit", 1]) == (False, None, None)
    assert (recorded["ranking_known", 1], recorded["ndcg", 1], recorded["hit", 1]) == (True, 1, 1)


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        ({"gain": "cubic"}, "gain: found cubic, wanted linear or exponential"),
        ({"discount": "ln"}, "discount: found ln, wanted log2, jarvelin or reciprocal"),
        ({"unjudged": "relevant"}, "unjudged: found relevant, wanted nonrelevant or leave_out"),
        ({"hit_order": "reverse"}, "hit_order: found reverse, wanted recorded or trec"),
        ({"repeats": "count"}, "repeats: found count, wanted drop or keep"),
        ({"ks": [0]}, "k: found 0, wanted 1 or more"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_choice_that_is_none_is_refused_with_what_was_wanted(memory, choice, wanted):
    clear(memory)
    put_topic(memory, 1, "t", {"a": 1}, ["a", "a"])
    with pytest.raises(duckdb.InvalidInputException, match=wanted):
        measured(memory, **choice)

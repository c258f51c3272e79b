"""Which chunks assembly would have taken, and where it would have placed them."""

import pytest

from otel_ragfault.jobs.replaying import ORDERINGS, PACKINGS, Grid, Setting, replay
from otel_ragfault.model import Config
from whatif.conftest import recording

# Sizes in words: a 4, b 3, c 1, d 2. Scores as `scored` gives them: a 1, b 1/2, c 1/3, d 1/4.
TEXTS = {"a": "one two three four", "b": "one two three", "c": "one", "d": "one two"}


@pytest.fixture(scope="module")
def shown(memory, tmp_path_factory):
    """The prompts of a request that ranked a, b, c, d and showed all of them: a function of the setting."""
    recording(memory, tmp_path_factory.mktemp("shown"))("abcd", "abcd", k=4, complete=True, texts=TEXTS)
    grids = [Grid(budgets=(None, 0, 3, 4, 6, 7, 10), packings=PACKINGS), Grid(ks=(1, 2, 3, 4), orderings=ORDERINGS)]
    grids.append(Grid(budgets=(6,), packings=("skip",), orderings=("reversed",)))
    found = {row.setting: "".join(row.prompt) for grid in grids for row in replay(memory, Config(), grid)}
    return lambda **tried: found[Setting(**tried)]


@pytest.mark.parametrize(
    ("packing", "budget", "prompt"),
    [
        ("stop", 6, "a"),
        ("skip", 6, "ac"),  # b does not fit behind a, c does, d does not any more
        ("skip", 7, "ab"),
        ("shortest", 6, "bcd"),  # c 1, d 2, b 3
        ("shortest", 3, "cd"),
        ("score_density", 6, "ac"),  # c 1/3, a 1/4, b 1/6, d 1/8 for a word
        ("score_density", 4, "bc"),  # a does not fit behind c
        ("stop", 0, ""),
        ("stop", 10, "abcd"),
        ("shortest", 10, "abcd"),
    ],
)
def test_packing_chooses_and_shows_by_rank(shown, packing, budget, prompt):
    assert shown(packing=packing, budget=budget) == prompt


@pytest.mark.parametrize(
    ("ordering", "k", "prompt"),
    [
        ("ranked", 4, "abcd"),
        ("reversed", 4, "dcba"),
        ("sides", 4, "acdb"),  # the best two at the ends
        ("sides", 3, "acb"),
        ("sides", 1, "a"),
        ("reversed", 2, "ba"),
    ],
)
def test_ordering_places_what_was_chosen(shown, ordering, k, prompt):
    assert shown(ordering=ordering, k=k) == prompt


def test_ordering_places_what_a_budget_left(shown):
    assert shown(packing="skip", ordering="reversed", budget=6) == "ca"


def test_without_a_budget_every_packing_takes_all(shown):
    assert {shown(packing=packing) for packing in PACKINGS} == {"abcd"}


def test_score_density_needs_scores_where_more_is_better(recorded, replayed):
    recorded("abcd", "abcd", k=4, complete=True, texts=TEXTS, kind="distance")
    assert replayed(packing="skip", budget=6).prompt == ["a", "c"]
    row = replayed(packing="score_density", budget=6)
    assert row.prompt is None
    assert "a kind where more is better" in row.not_known


def test_the_rule_of_the_pipeline_is_that_of_the_configuration(recorded, replayed):
    recorded("abcd", "dcba", k=4, complete=True, texts=TEXTS)
    row = replayed(k=2)
    assert row.prompt is None
    assert row.not_known.startswith(
        "the recorded prompt was packed by another rule: packing stop with ordering reversed makes it"
    )
    reversing = Config.model_validate({"replaying": {"ordering": "reversed"}})
    assert replayed(k=2, config=reversing).prompt == ["b", "a"]
    assert replayed(k=2, config=reversing, ordering="ranked").prompt == ["a", "b"]


def test_a_pipeline_that_skips_is_replayed_as_one(recorded, replayed):
    recorded("abcd", "ac", k=4, complete=True, texts=TEXTS, budget=6)
    assert "packing skip with ordering ranked makes it" in replayed(budget=3).not_known
    assert replayed(budget=3, config=Config(packing="skip")).prompt == ["b"]


@pytest.mark.parametrize(
    ("floor", "k", "prompt", "label"),
    [
        (0.3, 4, "abc", "generation.wrong_answer"),
        (0.5, 4, "ab", "retrieval.below_floor"),
        (0.5, 2, "ab", "retrieval.below_floor"),
        (0.0, 4, "abcd", "generation.wrong_answer"),
        (2.0, 4, "", "retrieval.below_floor"),
    ],
)
def test_a_floor_drops_chunks_before_k(recorded, replayed, floor, k, prompt, label):
    recorded("abcd", "abcd", k=4, complete=True, texts=TEXTS, case={"evidence": [["c"]]})
    row = replayed(floor=floor, k=k)
    assert "".join(row.prompt) == prompt
    assert row.label == ("unknown.answer" if row.needs_generator else label)
    assert row.complete == ("c" in prompt)


def test_a_floor_makes_room_where_the_ranking_is_not_in_the_order_of_its_scores(recorded, replayed):
    recorded("bac", "ba", k=2, complete=True, scores=(0.2, 0.9, 0.8), case={"evidence": [["c"]]})
    assert replayed().label == "retrieval.below_k"
    assert replayed(floor=0.5).prompt == ["a", "c"]


def test_a_floor_over_bm25_scores_puts_what_it_drops_beyond_the_cutoff(recorded, replayed):
    recorded("abc", "abc", k=3, complete=True, texts=TEXTS, kind="bm25", case={"evidence": [["c"]]})
    assert replayed(floor=0.5).label == "retrieval.below_k"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"kind": "distance"}, "distances"),
        ({"kind": None}, "what kind of score"),
        ({"scores": (0.9, None, 0.7)}, "the score of a ranked chunk is not recorded"),
    ],
    ids=["distances", "no kind", "a score is missing"],
)
def test_a_floor_over_scores_that_cannot_be_read_is_not_known(recorded, replayed, more, why):
    recorded("abc", "abc", k=3, complete=True, texts=TEXTS, **more)
    row = replayed(floor=0.5)
    assert (row.prompt, row.complete, row.label) == (None, None, "unknown.ranking")
    assert why in row.not_known


def test_a_ranking_that_ended_below_the_floor_hides_nothing_above_it(recorded, replayed):
    recorded("abc", "ab", k=2, complete=False, scores=(0.9, 0.6, 0.4))
    assert replayed(floor=0.5, k=20).prompt == ["a", "b"]
    assert replayed(floor=0.3, k=20).not_known == "k is beyond what was recorded of the ranking"


RERANKED = {"reranked": (("b", 0.9), ("a", 0.8)), "case": {"evidence": [["c"]]}}


def test_without_reranking_the_first_ranking_is_passed_on(recorded, replayed):
    recorded("cab", "b", k=1, complete=True, **RERANKED)
    on, off = replayed(rerank=True), replayed(rerank=False)
    assert (on.prompt, on.label, on.reranked) == (["b"], "rerank.demoted", True)
    assert (off.prompt, off.label, off.complete, off.reranked) == (["c"], "unknown.answer", True, False)
    assert off.needs_generator


def test_where_nothing_was_reranked_off_is_what_was_recorded(recorded, replayed):
    recorded("ab", "ab", k=2, complete=True)
    row = replayed(rerank=False)
    assert (row.prompt, row.same_prompt, row.reranked) == (["a", "b"], True, False)


def test_a_first_ranking_that_was_not_recorded_is_not_made_up(recorded, replayed):
    recorded(None, "b", k=1, reranked=(("b", 0.9),))
    row = replayed(rerank=False)
    assert (row.prompt, row.not_known) == (None, "the ranking before reranking is not recorded")


def test_a_floor_looks_at_the_scores_before_reranking(recorded, replayed):
    recorded("cab", "b", k=1, complete=True, scores=(0.9, 0.6, 0.3), **RERANKED)
    assert replayed(floor=0.5).prompt == ["a"]  # b, which reranking prefers, is below


def test_attributes_that_were_dropped_are_named(recorded, replayed):
    recorded(None, "a", k=1, dropped=3)
    assert replayed(k=2).not_known == "no ranking is recorded, and attributes of a span were dropped"

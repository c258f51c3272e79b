"""What each intervention makes of a request: one change, told in words, or the reason why it says nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.generators import Chunk
from otel_ragfault.jobs.probing import INTERVENTIONS, DoesNotApplyError, Material
from otel_ragfault.jobs.probing.interventions import chosen
from otel_ragfault.model import AnswerCheck

TEXTS = {
    "a": "Flights are in economy class.",
    "g": "Business class is open from 8 hours, since 1 March 2024.",
    "h": "A vice president has to agree within 3 days.",
    "b": "Trains are in second class.",
    "c": "Hotels cost 120 euros.",
    "d": "Meals cost 48 euros.",
    "e": "Taxis need a receipt.",
}
PURE = [name for name, one in INTERVENTIONS.items() if one.make is not None]


def chunk(name):
    return Chunk(name, TEXTS[name])


def material(prompt="a g", required="g", ranking="a g b c d e", required_texts=None, **more):
    named = tuple(tuple(group.split("|")) for group in required.split())
    given = {
        "question": "When is business class open?",
        "prompt": None if prompt is None else tuple(chunk(name) for name in prompt.split()),
        "named": named,
        "required": required_texts or tuple(tuple(chunk(one) for one in group) for group in named),
        "ranking": tuple(chunk(name) for name in ranking.split()),
        "check": AnswerCheck(must_contain=("8 hours",)),
    }
    return Material(**given | more)


def made(name, of):
    return [" ".join(one.id for one in variant.chunks) for variant in INTERVENTIONS[name].make(of)]


@pytest.mark.parametrize(
    ("name", "of", "prompts"),
    [
        ("original", material(), ["a g"]),
        ("gold_only", material(), ["g"]),
        ("gold_only", material("h a g", "g h"), ["h g"]),
        ("gold_only", material("a", "g"), ["g"]),
        ("gold_only", material("a b", "g|h"), ["g"]),
        ("gold_only", material("a h", "g|h"), ["h"]),
        ("gold_only", material(None), ["g"]),
        ("gold_first", material(), ["g a"]),
        ("gold_first", material("a g b h", "h g"), ["g h a b"]),
        ("gold_last", material("g a b"), ["a b g"]),
        ("gold_middle", material("g a b c"), ["a g b c"]),
        ("gold_middle", material("a b c d g"), ["a b g c d"]),
        ("drop_required", material(), ["a"]),
        ("drop_required", material("a g h", "g h"), ["a h", "a g"]),
        ("drop_required", material("g h a", "g|h"), ["a"]),
        ("distractors", material(), ["a g b", "a g b c", "a g b c d e"]),
        ("distractors", material(ranking="a g b h", required="g|h"), ["a g b"]),
        ("distractors", material(steps=(3,)), ["a g b c d"]),
        ("no_support", material(), ["a b"]),
        ("no_support", material("g"), ["a"]),
        ("no_support", material("a g", ranking="a g"), ["a"]),
        ("no_support", material("", ranking="b c", required="g"), ["b"]),
        ("closed_book", material(), [""]),
        ("closed_book", material(None), [""]),
        ("shift_number", material(), ["a g"]),
        ("shift_date", material(), ["a g"]),
        ("contradiction", material("g a"), ["g contradicting-passage a"]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)  # fmt: skip
def test_each_makes_one_change(name, of, prompts):
    assert made(name, of) == prompts


@pytest.mark.parametrize(
    ("name", "of", "reason"),
    [
        ("original", material(None), "it is not known which chunks were in the prompt"),
        ("gold_only", material("g"), "the prompt holds nothing else already"),
        ("gold_only", material(required=""), "gold requires no evidence"),
        ("gold_only", material(named=(("x",),), required_texts=((),)), "the text of the required passage x is not known"),
        ("gold_first", material("g a"), "the required passages stand first already"),
        ("gold_first", material("a b"), "g was not in the prompt"),
        ("gold_last", material("a g"), "the required passages stand last already"),
        ("gold_middle", material("a g"), "no two other chunks"),
        ("gold_middle", material("a g b"), "stand in the middle already"),
        ("drop_required", material("a b"), "no required passage was in the prompt"),
        ("drop_required", material(required=""), "gold requires no evidence"),
        ("distractors", material(ranking="a g"), "no further ranked chunk"),
        ("distractors", material(ranking="a g b", steps=(2, 4)), "1 further ranked chunk is there, 2 were wanted"),
        ("no_support", material("a b"), "nothing that gold requires: that is the original"),
        ("no_support", material("g", ranking="g"), "no further ranked chunk"),
        ("closed_book", material(""), "the prompt was empty"),
        ("shift_number", material(check=AnswerCheck(must_contain=("9 hours",))), "no required passage gives 9, which gold expects"),
        ("shift_number", material("a e", "e", check=AnswerCheck()), "no number stands in the required passages"),
        ("shift_date", material("a d", "d", check=AnswerCheck()), "no date stands in the required passages"),
        ("contradiction", material("a e", "e", check=AnswerCheck()), "no number or date stands"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)  # fmt: skip
def test_one_that_says_nothing_says_why(name, of, reason):
    with pytest.raises(DoesNotApplyError) as told:
        INTERVENTIONS[name].make(of)
    assert re.search(reason, str(told.value)), str(told.value)


def test_a_chunk_whose_text_is_not_known_is_told():
    with pytest.raises(DoesNotApplyError, match="the text of 1 chunk of the prompt is not known; load the corpus"):
        INTERVENTIONS["original"].make(Material("q", (chunk("a"), None)))


prompts = st.lists(st.sampled_from(list(TEXTS)), min_size=1, max_size=7, unique=True).map(" ".join)
golds = st.lists(st.sampled_from(list(TEXTS)), min_size=1, max_size=3, unique=True).map(" ".join)


@given(prompts, golds, st.sampled_from(["gold_first", "gold_last", "gold_middle"]))
def test_another_order_is_the_same_chunks(prompt, gold, name):
    of = material(prompt, gold, ranking=" ".join(TEXTS))
    try:
        (variant,) = INTERVENTIONS[name].make(of)
    except DoesNotApplyError:
        return
    ids = [one.id for one in variant.chunks]
    assert sorted(ids) == sorted(prompt.split())
    assert ids != prompt.split()
    others = [one for one in prompt.split() if one not in gold.split()]
    assert [one for one in ids if one in others] == others, "what is not moved keeps its order"


@given(prompts, golds, st.sampled_from(PURE), st.integers(0, 5))
def test_the_same_material_makes_the_same_and_no_text_changes_but_the_planted_one(prompt, gold, name, seed):
    of = material(prompt, gold, ranking=" ".join(TEXTS), seed=seed)
    try:
        variants = INTERVENTIONS[name].make(of)
    except DoesNotApplyError:
        return
    again = INTERVENTIONS[name].make(of)
    assert [(v.step, v.changed, v.planted, [(c.id, c.text) for c in v.chunks]) for v in variants] == [
        (v.step, v.changed, v.planted, [(c.id, c.text) for c in v.chunks]) for v in again
    ]
    assert len({variant.step for variant in variants}) == len(variants)
    for variant in variants:
        changed = [one for one in variant.chunks if TEXTS.get(one.id) != one.text]
        assert len(changed) == (variant.planted is not None)
        if name.startswith("shift"):
            assert changed[0].text.replace(variant.planted, variant.replaced) == TEXTS[changed[0].id]


@given(prompts, golds)
def test_without_support_there_is_no_required_chunk(prompt, gold):
    of = material(prompt, gold, ranking=" ".join(TEXTS))
    try:
        (variant,) = INTERVENTIONS["no_support"].make(of)
    except DoesNotApplyError:
        return
    ids = [one.id for one in variant.chunks]
    assert not set(ids) & set(gold.split())
    assert len(ids) <= len(prompt.split())
    assert ids


def test_every_intervention_says_what_it_asks():
    assert all(one.asks.endswith((".", "?")) for one in INTERVENTIONS.values())
    assert [one.name for one in chosen(["gold_first", "original"])] == ["original", "gold_first"], "in their own order"
    assert [one.name for one in chosen(None)] == list(INTERVENTIONS)


@pytest.mark.parametrize(("name", "hint"), [("gold_fist", "did you mean 'gold_first'?"), ("zzz", "known are original")])
def test_a_probe_that_is_none_is_told(name, hint):
    with pytest.raises(InputError, match=re.escape(hint)):
        chosen([name])

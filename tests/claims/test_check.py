"""Claims of a request, judged by rule: found, supported, correct, held by what they cite; or left to others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.judging.claims import Cut, Judgeable, judge_claims
from otel_ragfault.judging.verdicts import claims_of

CABIN = "The cabin limit is eight hours. Crew may swap."
LUNCH = "Lunch for the crews is served in the canteen of the airport from 11:30 on."
GOLD = [("k1", "The cabin limit is 8 hours")]


def request(answer, *, cites=(), chunks=None, **fields):
    """A request whose answer is cut by the extractor; ``cites`` are the citations of each claim."""
    texts = {"g": CABIN, "h": LUNCH} if chunks is None else chunks
    cut = [
        Cut(claim.claim_id, claim.text, cites[at] if at < len(cites) else (), claim.needs_support)
        for at, claim in enumerate(claims_of(answer))
    ]
    row = {"expected": GOLD, "prompt_ids": list(texts), "texts": texts} | fields
    return Judgeable(answer=answer, cut=cut, **row)


def verdicts(judgeable, subject):
    return {
        (one.target, one.claim_id) if subject == "citation" else one.target: one.value
        for one in judge_claims(judgeable)
        if one.subject == subject
    }


FOUND = [
    pytest.param("The cabin limit is 480 minutes.", {}, True, id="said in another unit"),
    pytest.param("The limit for cabins is eight hours.", {}, True, id="said in another order"),
    pytest.param("The cabin limit is 10 hours.", {}, False, id="another value"),
    pytest.param("Crew may swap in the cabin, and it is 2020.", {}, False, id="its value is nowhere"),
    pytest.param("The cabin limit is in the handbook, and the crew is on it.", {}, False, id="no value in English"),
    pytest.param("Die Kabine hat eine Grenze.", {}, None, id="no value in a language whose number words are not read"),
    pytest.param(
        "It is a third of a day, the half of which is 240 minutes.", {}, None, id="a word that stands for a number"
    ),
    pytest.param("The cabin limit is about 8.1 hours.", {}, None, id="nearly the value"),
    pytest.param("Die Grenze ist 8,0 Stunden.", {}, None, id="a number that may be read in two ways"),
    pytest.param("The cabin has a limit of not more than 8 hours.", {}, None, id="turned"),
    pytest.param("I do not know.", {"refused": True}, False, id="a refusal"),
    pytest.param("", {}, False, id="an empty answer"),
    pytest.param("Yes.", {"question": "Is the cabin limit 8 hours?"}, None, id="a value that the question has"),
]


@pytest.mark.parametrize(("answer", "fields", "value"), FOUND)
def test_an_expected_claim_is_found_or_not_or_it_is_not_told(answer, fields, value):
    assert verdicts(request(answer, **fields), "claim_found").get("k1") is value


def test_a_claim_of_two_sentences_is_found_only_as_a_whole():
    expected = [("k1", "The cabin limit is 8 hours. The cockpit limit is 10 hours.")]
    both = "The cockpit limit is 10 hours. The cabin limit is 8 hours."
    assert verdicts(request(both, expected=expected), "claim_found") == {"k1": True}
    assert verdicts(request("The cabin limit is 8 hours.", expected=expected), "claim_found") == {"k1": False}


SUPPORT = [
    pytest.param("The cabin limit is 8 hours [1].", {}, True, id="a chunk says it"),
    pytest.param("The cabin limit is 9 hours.", {}, False, id="a chunk gives another value"),
    pytest.param("The cockpit limit is 9 hours.", {}, None, id="of something else"),
    pytest.param("Pilots sleep on board.", {}, None, id="in none of the words"),
    pytest.param(
        "The cabin limit is 9 hours.",
        {"chunks": {"g": CABIN, "new": "From 2024 on, the limit is 9 hours."}},
        None,
        id="one chunk gives another value and one gives this",
    ),
    pytest.param(
        "The cabin limit is 8 hours.",
        {"chunks": {}, "prompt_ids": ["g"], "prompt_text": f"Context: {CABIN}"},
        None,
        id="the text of the chunk is not known and the prompt words it otherwise",
    ),
    pytest.param(
        "The cabin limit is eight hours.",
        {"chunks": {}, "prompt_ids": ["g"], "prompt_text": f"Context:\n{CABIN}\nQuestion: What is it?"},
        True,
        id="the prompt says it",
    ),
    pytest.param(
        "The cabin limit is eight hours.",
        {"chunks": {}, "prompt_text": "Is it true that the cabin limit is eight hours?"},
        None,
        id="the question of the prompt asks it",
    ),
]


@pytest.mark.parametrize(("answer", "fields", "value"), SUPPORT)
def test_a_claim_is_supported_denied_by_a_value_or_left_open(answer, fields, value):
    assert verdicts(request(answer, **fields), "claim_support").get("s1") is value


def test_a_claim_is_correct_by_gold_claims_and_by_quotes_and_wrong_by_their_values():
    quoted = {"expected": [], "quotes": ["the cabin limit is eight hours"]}
    for fields in ({}, quoted):
        assert verdicts(request("The cabin limit is 8 hours.", **fields), "claim_correct") == {"s1": True}
        assert verdicts(request("The cabin limit is 9 hours.", **fields), "claim_correct") == {"s1": False}
        assert verdicts(request("The cabin is quiet.", **fields), "claim_correct") == {}


CITED = [
    pytest.param("The cabin limit is 8 hours [1].", [["g"]], {("g", "s1"): True}, id="held"),
    pytest.param("The cabin limit is 9 hours [1].", [["g"]], {("g", "s1"): False}, id="another value"),
    pytest.param("The cabin limit is 8 hours [2].", [["h"]], {("h", "s1"): False}, id="held by another chunk"),
    pytest.param(
        "The passengers sleep well and long in the quiet rear of the airport [2].",
        [["h"]],
        {},
        id="shares no more than a word",
    ),
    pytest.param(
        "Passengers of tourist class sleep well and long in the rear rows [2].",
        [["h"]],
        {("h", "s1"): False},
        id="shares nothing",
    ),
    pytest.param("The cabin limit is 8 hours [7].", [["unknown"]], {}, id="a text that is not known"),
]


@pytest.mark.parametrize(("answer", "cites", "expected"), CITED)
def test_a_citation_is_held_or_not_or_left_open(answer, cites, expected):
    assert verdicts(request(answer, cites=cites), "citation") == expected


def test_an_answer_that_marks_no_claim_cites_for_all_of_them():
    said = request("The cabin limit is 8 hours. The cabin limit is 9 hours.", cited_ids=["g"])
    assert verdicts(said, "citation") == {("g", "s1"): True, ("g", "s2"): False}
    marked = request("The cabin limit is 8 hours [1]. The cabin limit is 9 hours.", cites=[["g"]], cited_ids=["g"])
    assert verdicts(marked, "citation") == {("g", "s1"): True}


def test_questions_headings_and_overlong_sentences_are_not_judged():
    for answer in (
        "Is the cabin limit 8 hours?",
        "# The cabin limit is 8 hours",
        "The cabin limit is: " + "8 " * 2_000,
    ):
        assert verdicts(request(answer), "claim_support") == {}


SENTENCES = st.lists(
    st.sampled_from(
        ["The cabin limit is 8 hours.", "The cabin limit is 9 hours.", "Crew may swap.", "Lunch is late.", "It is not."]
    ),
    max_size=5,
)


@given(SENTENCES, st.randoms(use_true_random=False))
def test_another_order_of_claims_gives_the_same_verdicts(sentences, random):
    other = random.sample(sentences, len(sentences))

    def told(order):
        judged = judge_claims(request(" ".join(order), cites=[["g"]] * len(order)))
        return sorted(
            (one.subject, one.claim, one.value, one.target if one.subject == "citation" else "") for one in judged
        )

    assert told(sentences) == told(other)


@given(SENTENCES, SENTENCES)
def test_more_sentences_never_unfind_a_claim(sentences, more):
    if verdicts(request(" ".join(sentences)), "claim_found").get("k1"):
        assert verdicts(request(" ".join(sentences + more)), "claim_found") == {"k1": True}


@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=300))
def test_no_texts_are_too_strange_to_be_judged(answer, chunk, expected):
    hostile = request(answer, chunks={"g": chunk}, expected=[("k", expected)], prompt_text=chunk, question=expected)
    for one in judge_claims(hostile):
        assert one.value in {True, False}


@pytest.mark.parametrize(
    "text",
    [
        "1" * 50_000,
        "1," * 20_000,
        "one hundred " * 5_000,
        "a" * 100_000,
        "[1]" * 20_000,
        "1.1.1." * 10_000,
        "(" * 50_000,
    ],
    ids=["digits", "commas", "number words", "one word", "marks", "points", "brackets"],
)
def test_long_runs_cost_little(text):
    judge_claims(request(text, chunks={"g": text}, expected=[("k", text)], question=text))

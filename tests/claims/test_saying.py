"""Whether a sentence says a claim, denies it, or leaves it open: never guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.judging.claims.reading import statement
from otel_ragfault.judging.claims.saying import denies, given_by, says

QUESTION = "What is the limit for long-haul cabins?"

SAID = [
    ("The limit for long-haul cabin crew is eight hours.", "Long-haul cabin crew limit is 8 h", None),
    ("The Eiffel Tower was completed on 31 March 1889.", "The Eiffel Tower was completed on March 31, 1889.", None),
    ("The Eiffel Tower was completed on March 31, 1889.", "The Eiffel Tower was completed in 1889", None),
    ("Crew on long flights rest for 480 minutes [3].", "Crew on long flights rest for eight hours", None),
    ("Paris.", "Paris is the capital of France", "What is the capital of France?"),
    ("8 hours.", "The long-haul cabin limit is 8 hours", QUESTION),
    ("It's **eight hours** [1].", "The limit for long-haul cabins is 8 hours", QUESTION),
    ("Flights must not be refunded.", "Flights must not be refunded", None),
    ("Die Grenze liegt bei 8 Stunden.", "Die Grenze liegt bei 8 Stunden", None),
    ("制限は8時間です。", "制限は8時間です", None),
]


@pytest.mark.parametrize(("sentence", "claim", "question"), SAID)
def test_what_is_said_in_other_spellings_and_another_order_is_said(sentence, claim, question):
    asked = given_by(statement(question) if question else None)
    assert says(statement(sentence), statement(claim), asked)
    assert not denies(statement(sentence), statement(claim))


OPEN = [
    pytest.param("The limit is not 8 hours.", "The limit is 8 hours", id="a negation"),
    pytest.param("The limit isn't 8 hours.", "The limit is 8 hours", id="a contracted negation"),
    pytest.param("Die Grenze liegt nicht bei 8 Stunden.", "Die Grenze liegt bei 8 Stunden", id="a German negation"),
    pytest.param("制限は8時間ではない。", "制限は8時間", id="a Japanese negation"),
    pytest.param("Some believe that the cabin limit is 8 hours.", "The cabin limit is 8 hours", id="hearsay"),
    pytest.param("The cabin limit is at least 8 hours.", "The cabin limit is 8 hours", id="a bound"),
    pytest.param("The cabin limit may be 8 hours.", "The cabin limit is 8 hours", id="a possibility"),
    pytest.param("Is the cabin limit 8 hours?", "The cabin limit is 8 hours", id="a question"),
    pytest.param("If the crew is full, the cabin limit is 8 hours.", "The cabin limit is 8 hours", id="a condition"),
    pytest.param("Paris beat London 3-1.", "London beat Paris 3-1", id="names changed places"),
    pytest.param("Man bites dog.", "Dog bites man.", id="words changed places"),
    pytest.param("Paris defeated London.", "Paris was defeated by London", id="a passive"),
    pytest.param(
        "The cabin limit is 10 hours, the cockpit limit 8 hours.", "The cabin limit is 8 hours", id="another's value"
    ),
    pytest.param("10 hours for cabin, 8 for cockpit", "cabin 8 hours, cockpit 10 hours", id="values changed places"),
    pytest.param("Paris hosted the games and London lost the bid.", "Paris lost the bid", id="another's deed"),
    pytest.param("The limit is 1,500,000 points.", "The limit is 1,500 points", id="the beginning of a number"),
    pytest.param("The limit is 18 hours in all.", "The limit is 8 hours in all", id="the end of a number"),
    pytest.param("The tower was completed in 1889.", "The tower was completed on 31 March 1889", id="less exact"),
    pytest.param("Lunch is at one.", "Dinner is at seven", id="something else"),
    pytest.param("I visited Paris.", "Paris is the capital of France", id="a name alone"),
]


@pytest.mark.parametrize(("sentence", "claim"), OPEN)
def test_what_turns_limits_or_swaps_is_not_said(sentence, claim):
    assert not says(statement(sentence), statement(claim), given_by(statement("What is the capital of France?")))


DENIED = [
    ("The cabin limit is 10 hours.", "The cabin limit is 8 hours", True),
    ("The tower was completed on 1 April 1889.", "The tower was completed on 31 March 1889", True),
    ("The cabin limit is 480 minutes.", "The cabin limit is 8 hours", False),
    ("The cabin limit is 10 km.", "The cabin limit is 8 hours", False),
    ("The cockpit limit is 10 hours.", "The cabin limit is 8 hours", False),
    ("The cabin limit is not 10 hours.", "The cabin limit is 8 hours", False),
    ("The cabin crew limit is 10 hours.", "The cabin limit is 8 hours", False),
    ("The peak is about 8,849 m high.", "The peak is about 8,848.86 m high", False),
    ("The limit is 10 hours.", "The limit is 8 hours", False),
    ("Die Grenze der Kabine liegt bei 1,5 Stunden.", "Die Grenze der Kabine liegt bei 2 Stunden", False),
]


@pytest.mark.parametrize(("sentence", "claim", "denied"), DENIED)
def test_only_another_value_of_the_same_thing_is_a_denial(sentence, claim, denied):
    assert denies(statement(sentence), statement(claim)) is denied


def test_a_question_that_compares_gives_nothing_to_its_answer():
    asked = given_by(statement("Is the cabin limit lower than the cockpit limit?"))
    assert not says(statement("The limit is 8 hours."), statement("The cockpit limit is 8 hours"), asked)


WORDS = st.lists(
    st.sampled_from(["crew", "cabin", "limit", "8 hours", "not", "London", "rests", "is", "the"]), max_size=8
)


@given(WORDS)
def test_a_statement_of_some_substance_says_itself_and_never_denies_itself(words):
    read = statement(" ".join(words))
    assert not denies(read, read)
    if len(set(read.tokens)) >= 3:
        assert says(read, read)


@given(WORDS, WORDS)
def test_nothing_is_both_said_and_denied(one, other):
    sentence, claim = statement(" ".join(one)), statement(" ".join(other))
    assert not (says(sentence, claim) and denies(sentence, claim))


@given(WORDS, WORDS)
def test_a_sentence_never_says_a_claim_with_another_number_of_negations(one, other):
    sentence, claim = statement(" ".join(one)), statement(" ".join(other))
    if one.count("not") != other.count("not"):
        assert not says(sentence, claim)


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_two_texts_are_too_strange_to_be_compared(one, other):
    assert says(statement(one), statement(other)) in {True, False}
    assert denies(statement(one), statement(other)) in {True, False}

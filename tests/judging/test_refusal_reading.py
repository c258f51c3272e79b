"""How an answer is read: parts that refuse, where they stand, what is quoted, and how it is dressed."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judging.refusal_set import labelled
from otel_ragfault.judging import detect_clarification, detect_refusal
from otel_ragfault.judging.refusals.languages import LANGUAGES, languages_of

REFUSALS = [row.answer for row in labelled("dev", "en") if row.kind == "refusal" and "\n" not in row.answer]
ANSWERS = [row.answer for row in labelled("dev", "en") if row.kind == "answer"]


@pytest.mark.parametrize(
    ("answer", "value", "partial", "construction"),
    [
        pytest.param(
            "I can't say when, but the office reopens in May.", False, True, "the speaker cannot", id="but an answer"
        ),
        pytest.param(
            "The text does not name her. However, it says that she was born in Bath in 1790.",
            False,
            True,
            "the source does not say",
            id="however an answer",
        ),
        pytest.param(
            "The text does not name her. It only describes the house.",
            True,
            False,
            "the source does not say",
            id="only what the source is about",
        ),
        pytest.param(
            "The text does not name her. However, you can ask the museum.",
            True,
            False,
            "the source does not say",
            id="however a redirection",
        ),
        pytest.param(
            "Rent is due on the first of the month. I found nothing about fees.",
            False,
            True,
            "the speaker does not know",
            id="an answer, then a refusal of a part",
        ),
        pytest.param(
            "Passage 1 is about the harvest. Passage 2 names some breeds. So I cannot answer the question.",
            True,
            False,
            "the speaker cannot",
            id="long, and ends in a refusal",
        ),
        pytest.param(
            "The first chapter tells how the king was crowned in Reims. Therefore, I am unable to answer the question.",
            True,
            False,
            "the speaker cannot",
            id="concludes that it cannot answer",
        ),
        pytest.param(
            "I can't help with that. It is important that everybody feels safe, and everyone deserves respect.",
            True,
            False,
            "the speaker cannot",
            id="a lecture is no answer",
        ),
        pytest.param("Although the text is long, it does not say.", True, False, None, id="concedes, then refuses"),
        pytest.param(
            "Although the text does not say so, the king was ten years old.",
            False,
            True,
            "the source does not say",
            id="concedes a gap, then answers",
        ),
        pytest.param("The abstract stops early, so I can't say.", True, False, "the speaker cannot", id="a reason"),
        pytest.param("No, the policy does not mention such a right.", False, True, None, id="no is an answer"),
        pytest.param('The witness said, "I don\'t know," and left.', False, False, None, id="quoted"),
        pytest.param('"I don\'t know."', True, False, None, id="all of it in quotes"),
        pytest.param("If the text does not say so, ask.", False, False, None, id="a condition"),
    ],
)
def test_what_a_refusal_is_the_answer_to(answer, value, partial, construction):
    refusal = detect_refusal(answer)
    assert (refusal.value, refusal.partial) == (value, partial), refusal
    if construction:
        assert refusal.construction == construction
    if refusal.construction:
        assert refusal.construction in refusal.reason
        assert refusal.sentence


@pytest.mark.parametrize(
    ("answer", "refuses", "asks"),
    [
        pytest.param("Which plan do you have?", False, True, id="asks"),
        pytest.param("I'm not sure what you mean. Can you rephrase that?", True, True, id="says so, and asks"),
        pytest.param("The limit is 8 hours. Would you like to see the table?", False, False, id="an offer"),
        pytest.param("I don't know. Is there anything else I can help with?", True, False, id="a refusal, an offer"),
        pytest.param("Why is it late? Because the bridge was closed.", False, False, id="asked of nobody"),
        pytest.param("Please specify which contract you mean.", False, True, id="without a question mark"),
    ],
)
def test_questions_back(answer, refuses, asks):
    refusal = detect_refusal(answer)
    assert (refusal.value, detect_clarification(refusal).value) == (refuses, asks)


DRESSES = {
    "typographic apostrophes": lambda text: text.replace("'", "\u2019"),
    "bold": lambda text: f"**{text}**",
    "quoted block": lambda text: f"> {text}",
    "a heading before": lambda text: f"### Answer\n\n{text}",
    "answer before": lambda text: f"Answer: {text}",
    "capitals": str.upper,
    "blanks": lambda text: f"\n\n  {text.replace(' ', '  ')}  \n",
    "no-break blanks": lambda text: text.replace(" ", "\u00a0"),
    "a citation behind": lambda text: f"{text} [3]",
    "thanks before": lambda text: f"Thank you for your question! {text}",
    "an offer behind": lambda text: f"{text}\n\nIs there anything else I can help you with?",
}


@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES.keys())
def test_how_an_answer_is_dressed_changes_little(dress):
    refusing = [answer for answer in REFUSALS if not answer.endswith(("?", ">", "}", '"', "|"))]
    lost = [answer for answer in refusing if not detect_refusal(dress(answer)).value]
    made = [answer for answer in ANSWERS if detect_refusal(dress(answer)).value]
    assert len(lost) <= 0.04 * len(refusing), lost
    assert len(made) <= 0.02 * len(ANSWERS), made


@given(answer=st.sampled_from(REFUSALS))
@settings(max_examples=100, deadline=None)
def test_who_reports_a_refusal_does_not_refuse(answer):
    assert detect_refusal(f'The program then prints "{answer}" and ends with code 3.').value is False


@given(answer=st.sampled_from(ANSWERS), behind=st.sampled_from(REFUSALS))
@settings(max_examples=100, deadline=None)
def test_a_long_answer_stays_one_when_it_leaves_something_open_at_its_end(answer, behind):
    long = "The wall was built in 1240 by order of the bishop and stood for three hundred years. " * 2
    refusal = detect_refusal(f"{long}{answer}\nI could not find the name of the mason.")
    assert refusal.value is False
    assert detect_refusal(f"{behind} However, {long}").value is False


@given(answer=st.text())
@settings(deadline=None)
def test_every_text_is_read(answer):
    refusal = detect_refusal(answer)
    assert refusal.value in {True, False}
    assert not (refusal.value and refusal.partial)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_text_is_told_to_be_of_its_language(language):
    texts = [row.answer for row in labelled(language=language.name) if len(row.answer) > 20]
    told = [language in languages_of(text.casefold()) for text in texts]
    assert sum(told) >= 0.97 * len(told)


HOSTILE = {
    "not": "not ",
    "the": "the ",
    "sorry": "sorry ",
    "one word": "a",
    "quotes": '"',
    "brackets": "(",
    "open citations": "[a",
    "lines": "\n",
    "but": ", but ",
    "sources": "the document ",
    "none": "there is no ",
    "leads": "as an ai, ",
    "names": "the a-b' ",
    "questions": "which ? ",
    "German": "ich kann in dem text ",
    "French": "je ne peux pas dans le texte ",
    "Spanish": "no se puede en el texto ",
    "Japanese": "\u6587\u66f8\u306b\u306f",
    "Chinese": "\u6211\u4e0d",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("end", ["", " x is not"], ids=["plain", "with an end"])
def test_a_megabyte_of_anything_takes_no_time(piece, end):
    text = piece * (1_000_000 // len(piece)) + end
    started = time.process_time()
    detect_refusal(text)
    assert time.process_time() - started < 2

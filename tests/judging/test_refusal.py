import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.judging import detect_refusal

REFUSALS = """\
I don't know.
I'm sorry, but I cannot help with that.
Sorry, I couldn't find that in the policy.
The policy does not say.
The policy does not mention gym fees.
No information about gym fees is available in the documents.
I do not have enough information to answer this question.
Unable to answer.
N/A
I can\u2019t answer that based on the provided context.
Unfortunately, the documents do not contain information about pets.
We could not find an answer.
There is no information on this in the handbook.
There isn't enough information to answer.
This question cannot be answered from the context.
Gym fees are not covered in the provided documents.
I'm not able to find this, but you can contact HR for details.
Hello! Thank you for your question. I was unable to find the policy.
**I don't know.**
Based on the context, I cannot determine the rate.
My apologies, I don't have information about that.
That is outside the scope of what I can help with.
The answer is not in the context.
I found nothing about this in the documents.
The information you are looking for is not available.""".splitlines()

ANSWERS = """\
I don't know why people say 10 hours, but the limit is 8 hours.
The policy does not cover pets.
Gym fees are not covered by the policy.
We do not provide meals on short flights.
No, you cannot claim it.
You cannot book business class under 8 hours.
There is no limit.
No receipt is required under 25 euros.
No details are needed.
The limit is 8 hours. I could not find the exception.
The context does not mention X. However, the limit for Y is 8 hours a day.
We don't have a limit on baggage.
No.
The handbook states that no information may be shared.
Sorry for the wait! The limit is 8 hours.
This service is not available on Sundays.
The system does not provide access to guests without a badge.
There is no policy document required for travel.
Unknown devices are blocked.
The answer is no.""".splitlines()


@pytest.mark.parametrize("answer", REFUSALS)
def test_a_refusal_is_recognised(answer):
    assert detect_refusal(answer).value is True


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_is_not_taken_for_a_refusal(answer):
    refusal = detect_refusal(answer)
    assert refusal.value is False, refusal.reason


@pytest.mark.parametrize(
    ("answer", "decision", "finish", "value", "reason"),
    [
        pytest.param("I don't know.", "answer", ["content_filter"], False, "decision", id="decision wins"),
        pytest.param("The limit is 8.", " Refuse ", ["stop"], True, "decision", id="decision without case"),
        pytest.param("Which trip?", "clarify", None, False, "decision", id="asking back is no refusal"),
        pytest.param("I don't know.", "perhaps", ["stop"], True, "does not know", id="unknown decision is passed over"),
        pytest.param("The limit", None, ["content_filter"], True, "finish reason", id="filter"),
        pytest.param(None, None, ["FinishReason.SAFETY"], True, "finish reason", id="filter without answer"),
        pytest.param(
            "The limit is 8.", None, ["stop", "content_filter"], False, "nothing in it refuses", id="one choice of two"
        ),
        pytest.param(None, None, [None], None, "not recorded", id="nothing known"),
        pytest.param(" \n", None, None, True, "empty", id="empty answer"),
    ],
)
def test_order_of_evidence(answer, decision, finish, value, reason):
    refusal = detect_refusal(answer, decision=decision, finish_reasons=finish)
    assert refusal.value is value
    assert reason in refusal.reason


@pytest.mark.parametrize(
    ("phrase", "answer", "value"),
    [
        pytest.param("No can do", "no can do, boss", True, id="literal without case"),
        pytest.param("a.b", "axb", False, id="a literal is no pattern"),
        pytest.param("art", "party time", False, id="a literal is whole words"),
        pytest.param("/^nope+$/", "NOPEEE!", True, id="pattern"),
        pytest.param("Kein Wort", "Dazu steht kein Wort.", True, id="another language"),
    ],
)
def test_users_bring_their_own_phrases(phrase, answer, value):
    assert detect_refusal(answer, phrases=[phrase]).value is value


@given(answer=st.text())
def test_any_text_is_decided(answer):
    assert detect_refusal(answer).value in {True, False}


@pytest.mark.parametrize(
    "answer",
    ["not " * 50_000, "the " * 50_000 + "document", "sorry " * 20_000, "a" * 1_000_000, "is not found in " * 9_000],
    ids=["not", "the", "sorry", "one word", "in"],
)
@pytest.mark.timeout(10)
def test_long_answers_are_judged_quickly(answer):
    assert detect_refusal(answer).value in {True, False}

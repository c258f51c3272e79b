"""Is the answer a refusal, or a question back? By what the system says, why the model stopped, then what is said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from otel_ragfault.judging.refusals import Reading, read_answer
from otel_ragfault.judging.refusals.own import Detector
from otel_ragfault.model.answer_check import compile_pattern
from otel_ragfault.model.compared import compared_text
from otel_ragfault.model.config import pattern_of
from otel_ragfault.model.wording import shown

DECISIONS: Final = {
    "answer": "answer",
    "answered": "answer",
    "refuse": "refuse",
    "refused": "refuse",
    "refusal": "refuse",
    "abstain": "refuse",
    "abstained": "refuse",
    "clarify": "clarify",
    "clarification": "clarify",
}
"""Words that systems use for their decision, and which of ours each is."""

_STOPPED: Final = frozenset(
    {
        "blocklist",
        "content_filter",
        "content_filtered",
        "error_toxic",
        "guardrail_intervened",
        "image_safety",
        "language_filter",
        "prohibited_content",
        "recitation",
        "refusal",
        "safety",
        "spii",
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Whether an answer refuses; of a question back, whether it is one.

    Attributes:
        value: ``None`` when that cannot be told.
        reason: what says so: the system, the model's stop, or which construction in which sentence.
        partial: whether the answer answers, and refuses a part.
        asks: whether the answer asks back for what is missing; ``None`` when that cannot be told.
        construction: how the refusal is built, where the text says so.
        sentence: the sentence that says so, normalised.
    """

    value: bool | None
    reason: str
    partial: bool = False
    asks: bool | None = False
    construction: str | None = None
    sentence: str | None = None


def detect_refusal(
    answer: str | None,
    *,
    decision: str | None = None,
    finish_reasons: Sequence[str | None] | None = None,
    phrases: Sequence[str] = (),
    built_in: bool = True,
    own: Detector | None = None,
) -> Refusal:
    """Decide whether an answer is a refusal, and whether it asks back.

    The system's own decision wins when it is a word of :data:`DECISIONS`; then finish reasons, when every choice was
    stopped by a filter or a refusal; then a detector of the user's; then the text: how its sentences are built, in the
    language that it is written in. A refusal counts only as the main point of the answer: where an answer follows
    (``I don't know why, but the limit is 8 hours``) or goes before, the answer is partial.

    Args:
        answer: the answer's text; ``None`` when it was not recorded. An empty answer answers nothing: a refusal.
        decision: the decision that the system recorded.
        finish_reasons: why the model stopped, one value a choice.
        phrases: the user's own: literal texts, or regular expressions written ``/like this/``; case does not count.
        built_in: whether the constructions of the languages count beside the phrases.
        own: the user's own detector.
    """
    decided = DECISIONS.get((decision or "").strip().casefold())
    if decided:
        return Refusal(decided == "refuse", f"the system's decision: {decided}", asks=decided == "clarify")
    stopped = _stopped(finish_reasons)
    if stopped:
        return Refusal(value=True, reason=f"finish reason: {stopped}")
    if answer is None:
        return Refusal(value=None, reason="the answer was not recorded", asks=None)
    if not answer.strip():
        return Refusal(value=True, reason="the answer is empty")
    told = own(answer) if own else None
    if told is not None:
        return Refusal(value=told, reason="the configured detector")
    return _as_refusal(read_answer(answer, _compiled(tuple(phrases)), built_in=built_in))


def detect_clarification(refusal: Refusal) -> Refusal:
    """Turn what was found about an answer into a verdict on whether it is a clarifying question.

    An answer that says that something is missing and asks for it is both: a refusal, and a question back.
    """
    if refusal.asks is None:
        return Refusal(value=None, reason="no answer is recorded", asks=None)
    if refusal.reason.startswith("the system's decision") or (refusal.value and not refusal.asks):
        reason = refusal.reason if not refusal.value else "the answer is a refusal"
        return Refusal(value=refusal.asks, reason=reason, asks=refusal.asks)
    reason = "the answer asks for what is missing" if refusal.asks else "the answer asks nothing that it needs"
    return Refusal(value=refusal.asks, reason=reason, asks=refusal.asks)


def _as_refusal(reading: Reading) -> Refusal:
    found = None if reading.construction is None else f"{reading.construction}: {shown(reading.sentence)}"
    if reading.refuses:
        reason = found or "a refusal"
    elif reading.partial:
        reason = f"an answer, although in part {found}"
    else:
        reason = "nothing in it refuses"
    return Refusal(
        value=reading.refuses,
        reason=reason,
        partial=reading.partial,
        asks=reading.asks,
        construction=reading.construction,
        sentence=reading.sentence,
    )


def _stopped(finish_reasons: Sequence[str | None] | None) -> str | None:
    """Return the last finish reason when all of them say that a filter or a refusal stopped the answer."""
    words = [_reason_word(reason) for reason in finish_reasons or () if reason]
    return words[-1] if words and all(word in _STOPPED for word in words) else None


def _reason_word(reason: str) -> str:
    return reason.strip().casefold().rsplit(".", 1)[-1].replace("-", "_").replace(" ", "_")


@lru_cache(maxsize=32)
def _compiled(phrases: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(_own_pattern(phrase) for phrase in phrases)


def _own_pattern(phrase: str) -> re.Pattern[str]:
    pattern = pattern_of(phrase)
    if pattern is not None:
        return compile_pattern(pattern)
    return re.compile(rf"(?<!\w){re.escape(compared_text(phrase).strip(' .,;:!?'))}(?!\w)")

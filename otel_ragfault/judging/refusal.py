"""Is the answer a refusal? By what the system says itself, then by why the model stopped, then by phrases."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from otel_ragfault.judging.sentences import sentences_of
from otel_ragfault.judging.text import compared_text
from otel_ragfault.model.answer_check import compile_pattern
from otel_ragfault.model.config import pattern_of
from otel_ragfault.model.phrases import REFUSAL_PHRASES
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
        "guardrail_intervened",
        "image_safety",
        "prohibited_content",
        "refusal",
        "safety",
        "spii",
    }
)
_CUE: Final = re.compile(
    r"not\b|n't\b|\bno\b|unable|insufficient|nothing|none|neither|unanswerable|unknown|decline|rather|prefer|outside|"
    r"beyond|out of|n/a|idk|lack|fail|unclear|difficult|impossible"
)
_TURN: Final = re.compile(
    r"^(?:however|but|that said|nevertheless|nonetheless|still|yet|instead)\b|,? (?:but|however|although|though)\b"
)
_REDIRECT: Final = re.compile(
    r"^[\s,;:]*(?:please|you (?:can|may|might|could|should|will)|"
    r"i (?:can|could|would|will|am|'d|'ll|recommend|suggest)|i'd|i'll|i'm|if you|feel free|contact|consult|check|"
    r"let me|would you|perhaps|try|it (?:is|would be) (?:best|advisable|recommended)|for (?:more|further|specific)|"
    r"we (?:recommend|suggest|can)|happy to)"
)
_MANY_WORDS: Final = 4
_SHORT_SENTENCE: Final = 400


@dataclass(frozen=True, slots=True)
class Refusal:
    """Whether an answer refuses; ``None`` when that cannot be told. ``reason`` says by what."""

    value: bool | None
    reason: str


def detect_refusal(
    answer: str | None,
    *,
    decision: str | None = None,
    finish_reasons: Sequence[str | None] | None = None,
    phrases: Sequence[str] = REFUSAL_PHRASES,
) -> Refusal:
    """Decide whether an answer is a refusal.

    The system's own decision wins when it is a word of :data:`DECISIONS`; then finish reasons, when every choice was
    stopped by a filter or a refusal; then the phrases. A phrase counts only in the main point of the answer: its first
    sentence after greetings and apologies, unless an answer follows (``I don't know why, but the limit is 8 hours``).

    Args:
        answer: the answer's text; ``None`` when it was not recorded. An empty answer answers nothing: a refusal.
        decision: the decision that the system recorded.
        finish_reasons: why the model stopped, one value a choice.
        phrases: literal texts, or regular expressions written ``/like this/``; case does not count.
    """
    decided = DECISIONS.get((decision or "").strip().casefold())
    if decided:
        return Refusal(decided == "refuse", f"the system's decision: {decided}")
    stopped = _stopped(finish_reasons)
    if stopped:
        return Refusal(value=True, reason=f"finish reason: {stopped}")
    if answer is None:
        return Refusal(value=None, reason="the answer was not recorded")
    if not answer.strip():
        return Refusal(value=True, reason="the answer is empty")
    phrase = _main_phrase(sentences_of(answer), _compiled(tuple(phrases)))
    reason = "no phrase of a refusal" if phrase is None else f"phrase: {shown(phrase)}"
    return Refusal(value=phrase is not None, reason=reason)


def _stopped(finish_reasons: Sequence[str | None] | None) -> str | None:
    """Return the last finish reason when all of them say that a filter or a refusal stopped the answer."""
    words = [_reason_word(reason) for reason in finish_reasons or () if reason]
    return words[-1] if words and all(word in _STOPPED for word in words) else None


def _reason_word(reason: str) -> str:
    return reason.strip().casefold().rsplit(".", 1)[-1].replace("-", "_").replace(" ", "_")


@dataclass(frozen=True, slots=True)
class _Phrases:
    built_in: re.Pattern[str] | None
    own: tuple[re.Pattern[str], ...]


@lru_cache(maxsize=32)
def _compiled(phrases: tuple[str, ...]) -> _Phrases:
    ours = [phrase for phrase in phrases if phrase in REFUSAL_PHRASES]
    built_in = "|".join(f"(?:{pattern_of(phrase)})" for phrase in ours)
    own = tuple(_own_pattern(phrase) for phrase in phrases if phrase not in REFUSAL_PHRASES)
    return _Phrases(re.compile(built_in) if built_in else None, own)


def _own_pattern(phrase: str) -> re.Pattern[str]:
    pattern = pattern_of(phrase)
    if pattern is not None:
        return compile_pattern(pattern)
    return re.compile(rf"(?<!\w){re.escape(compared_text(phrase).strip(' .,;:!?'))}(?!\w)")


def _main_phrase(sentences: Sequence[str], phrases: _Phrases) -> str | None:
    """Return what in the main sentence refuses, unless the answer goes on to answer."""
    if not sentences:
        return None
    main = sentences[0][:_SHORT_SENTENCE]
    refuses = _search(main, phrases)
    if refuses is None or _turns(main, refuses.end(), phrases) or _goes_on(sentences, phrases):
        return None
    return refuses[0].strip()


def _search(sentence: str, phrases: _Phrases) -> re.Match[str] | None:
    if phrases.built_in is not None and _CUE.search(sentence) and (found := phrases.built_in.search(sentence)):
        return found
    return next((found for pattern in phrases.own if (found := pattern.search(sentence))), None)


def _turns(main: str, start: int, phrases: _Phrases) -> bool:
    """Say whether the sentence turns from its refusal to an answer (``…, but the limit is 8 hours``)."""
    turn = _TURN.search(main, start) or _TURN.search(main)
    return turn is not None and turn.start() > 0 and _answers(main[turn.end() :], phrases)


def _goes_on(sentences: Sequence[str], phrases: _Phrases) -> bool:
    """Say whether a later sentence turns to an answer (``However, the limit is 8 hours``)."""
    turns = ((sentence, _TURN.match(sentence)) for sentence in sentences[1:])
    return any(turn and _answers(sentence[turn.end() :], phrases) for sentence, turn in turns)


def _answers(rest: str, phrases: _Phrases) -> bool:
    """Say whether what follows a turn says something, and neither refuses again nor points somewhere else."""
    rest = rest.strip(" ,;:")
    return len(rest.split()) >= _MANY_WORDS and not _REDIRECT.match(rest) and _search(rest, phrases) is None

"""What a text does not say: told only where every number in it could be read, and no word may stand for one."""

from collections.abc import Sequence
from typing import Final

from otel_ragfault.judging.claims.reading import Statement
from otel_ragfault.judging.claims.saying import names_value
from otel_ragfault.judging.claims.values import Value, is_near
from otel_ragfault.judging.claims.words import is_vague

_ENGLISH: Final = frozenset(
    {"the", "of", "is", "are", "was", "were", "and", "to", "in", "for", "it", "be", "with", "that"}
)
_FUNCTION_WORDS: Final = 2
_ENOUGH: Final = 4
_NOT_COMPARED: Final = frozenset({"ordinal", "time of day"})


def absent_value(claim: Statement, answer: Sequence[Statement], question: Statement | None) -> str | None:
    """Return a value of a claim, as text, that an answer certainly does not give; ``None`` without one.

    A value that the question names need not be repeated. A rounded value may be the claimed one.
    """
    if not claim.clear or not _is_clear(answer):
        return None
    if not any(sentence.values for sentence in answer) and not _is_english(answer):
        return None
    asked = [] if question is None else [question]
    absent = (value for value in claim.values if not names_value(asked, value) and _is_absent(value, answer))
    return next((value.text for value in absent), None)


def lacks_value(claim: Statement, chunk: Sequence[Statement]) -> bool:
    """Whether a chunk certainly does not give a value of a claim."""
    if not chunk or not claim.clear or not _is_clear(chunk):
        return False
    return any(_is_absent(value, chunk) for value in claim.values)


def differs_wholly(claim: Statement, chunk: Sequence[Statement]) -> bool:
    """Whether a chunk shares nothing with a claim that has enough to share, both in English."""
    if len(claim.tokens) < _ENOUGH or not _is_english([claim]) or not _is_english(chunk):
        return False
    if not claim.clear or not _is_clear(chunk):
        return False
    shares_word = any(claim.known & sentence.known for sentence in chunk)
    return not shares_word and not any(names_value(chunk, value) for value in claim.values)


def _is_absent(value: Value, sentences: Sequence[Statement]) -> bool:
    if value.kind in _NOT_COMPARED or names_value(sentences, value):
        return False
    return not any(is_near(value, said) for sentence in sentences for said in sentence.values)


def _is_clear(sentences: Sequence[Statement]) -> bool:
    return all(sentence.clear and not is_vague(frozenset(sentence.run.split())) for sentence in sentences)


def _is_english(sentences: Sequence[Statement]) -> bool:
    found = {word for sentence in sentences for word in sentence.run.split() if word in _ENGLISH}
    return len(found) >= _FUNCTION_WORDS

"""How verdicts of ours are told in evaluation events: names and words that other tools know too, and back again."""

from typing import Final

EVENT_NAMES: Final[dict[str, str]] = {
    "answer": "correctness",
    "grounded": "groundedness",
    "refusal": "refusal",
    "clarification": "clarification",
    "claim_support": "claim_support",
    "claim_correct": "claim_correctness",
    "claim_found": "claim_recall",
    "citation": "citation_support",
}
"""The name of the evaluation, by the subject of the verdict."""

_WORDS: Final[dict[str, tuple[str, str]]] = {
    "answer": ("correct", "incorrect"),
    "grounded": ("grounded", "not_grounded"),
    "refusal": ("refused", "answered"),
    "clarification": ("clarification", "answered"),
    "claim_support": ("supported", "not_supported"),
    "claim_correct": ("correct", "incorrect"),
    "claim_found": ("found", "not_found"),
    "citation": ("supported", "not_supported"),
}
_UNKNOWN: Final = "unknown"


def word_of(subject: str, value: bool | None) -> str:  # noqa: FBT001 - a judgement is a value here, not a switch
    """Return the label of a verdict; ``unknown`` where the judge could not tell."""
    yes, no = _WORDS[subject]
    return _UNKNOWN if value is None else yes if value else no


def value_of(subject: str, word: str | None) -> bool | None:
    """Return the judgement that :func:`word_of` told; ``None`` for any other word."""
    return {word_of(subject, value): value for value in (True, False)}.get(word or "")

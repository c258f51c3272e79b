"""What a model judge is asked: a few questions that yes or no answers, for each subject.

Narrow questions are answered more alike, by one model twice and by two models, than one question for a grade.
"""

from dataclasses import dataclass
from typing import Final

from otel_ragfault.model.judging import Subject

PROMPT_VERSION: Final = "checklist-1"
"""Raised with every change of a question or of the words around it."""


@dataclass(frozen=True, slots=True)
class Check:
    """One question; ``wanted`` is the reply that speaks for the subject."""

    key: str
    ask: str
    wanted: bool


@dataclass(frozen=True, slots=True)
class Checklist:
    """The questions on one subject, and the texts that they are about, in the order in which they are shown."""

    subject: Subject
    parts: tuple[str, ...]
    checks: tuple[Check, ...]


_LISTS: Final = (
    Checklist(
        "answer",
        ("question", "reference", "answer"),
        (
            Check(
                "states_required", "Does the answer state everything that the reference requires of it?", wanted=True
            ),
            Check("contradicts", "Does the answer say anything that contradicts the reference?", wanted=False),
            Check("to_the_question", "Is the answer a reply to the question that was asked?", wanted=True),
        ),
    ),
    Checklist(
        "refusal",
        ("question", "answer"),
        (
            Check("declines", "Does the answer decline to answer, or say that it cannot be answered?", wanted=True),
            Check(
                "answers_anyway", "Does the answer give the information that was asked for all the same?", wanted=False
            ),
        ),
    ),
    Checklist(
        "clarification",
        ("question", "answer"),
        (
            Check(
                "asks_back", "Does the answer ask the user for something it needs before it can answer?", wanted=True
            ),
            Check(
                "answers_anyway", "Does the answer give the information that was asked for all the same?", wanted=False
            ),
        ),
    ),
    Checklist(
        "grounded",
        ("question", "context", "answer"),
        (
            Check("all_in_context", "Is every statement of fact in the answer supported by the context?", wanted=True),
            Check("contradicts", "Does the answer say anything that contradicts the context?", wanted=False),
        ),
    ),
    Checklist(
        "claim_support",
        ("question", "context", "claim"),
        (
            Check("in_context", "Does the context say what the claim says, numbers and names included?", wanted=True),
            Check("contradicts", "Does the context contradict the claim?", wanted=False),
        ),
    ),
    Checklist(
        "claim_correct",
        ("question", "reference", "claim"),
        (
            Check("agrees", "Does the claim agree with the reference?", wanted=True),
            Check("contradicts", "Does the reference contradict the claim?", wanted=False),
        ),
    ),
    Checklist(
        "claim_found",
        ("question", "answer", "claim"),
        (Check("made", "Does the answer say what the claim says, in whatever words?", wanted=True),),
    ),
    Checklist(
        "citation",
        ("claim", "cited"),
        (
            Check("supports", "Does the cited text, taken alone, support the claim?", wanted=True),
            Check("contradicts", "Does the cited text contradict the claim?", wanted=False),
        ),
    ),
)
CHECKLISTS: Final[dict[Subject, Checklist]] = {one.subject: one for one in _LISTS}
"""The checklist of each subject."""

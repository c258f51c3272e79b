"""What an evaluation in a trace says as a verdict: yes, no, or that it cannot be told."""

from dataclasses import dataclass
from typing import Final

from otel_ragfault.model.judging import EvaluationMapping, Source, evaluation_key
from otel_ragfault.model.wording import shown

_PASSES: Final = frozenset({"pass", "passed", "good", "ok", "success", "acceptable"})
_FAILS: Final = frozenset({"fail", "failed", "bad", "notok", "failure", "unacceptable"})
_YES: Final = frozenset({"true", "yes", "y", "1", "present", "detected"})
_NO: Final = frozenset({"false", "no", "n", "0", "absent", "notdetected", "none"})
_WORDS: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    "answer": (frozenset({"correct", "right", "accurate"}), frozenset({"incorrect", "wrong", "inaccurate"})),
    "grounded": (
        frozenset({"grounded", "faithful", "supported", "factual", "entailed", "nothallucinated"}),
        frozenset(
            {"ungrounded", "notgrounded", "unfaithful", "unsupported", "hallucinated", "hallucination", "contradicted"}
        ),
    ),
    "refusal": (frozenset({"refused", "refusal", "declined", "abstained"}), frozenset({"answered", "complied"})),
    "clarification": (frozenset({"clarification", "clarify", "asks"}), frozenset({"answered", "answer"})),
}
_QUALITY: Final = ("answer", "grounded")
_MIDDLE: Final = 0.5
_KINDS: Final[dict[str, Source]] = {"HUMAN": "human", "LLM": "model", "CODE": "code"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an evaluation says, and why that is read from it."""

    value: bool | None
    reason: str


def meaning_of(label: str | None, score: float | None, mapping: EvaluationMapping) -> Meaning:
    """Read an evaluation: by its label where the word is known, else by its score.

    ``pass`` speaks for the answer, whatever the name; ``yes`` and scores speak for what the name says, so that they are
    turned around where the mapping is inverted. A score outside of 0 to 1 says nothing without a threshold.
    """
    said = None if label is None else _by_label(evaluation_key(label), mapping)
    if said is not None:
        return Meaning(said, f"label {shown(label)}")
    if score is None:
        return Meaning(None, "neither score nor label" if label is None else f"label {shown(label)} is not known")
    if mapping.threshold is None and not 0 <= score <= 1:
        return Meaning(None, f"score {score:g} has no threshold; set one for this name in [judging.evaluations]")
    reaches = score >= (_MIDDLE if mapping.threshold is None else mapping.threshold)
    return Meaning(reaches is not mapping.inverted, f"score {score:g}")


def _by_label(word: str, mapping: EvaluationMapping) -> bool | None:
    for_it, against = _WORDS[mapping.subject]
    if mapping.subject in _QUALITY:
        for_it, against = for_it | _PASSES, against | _FAILS
    if word in for_it or word in against:
        return word in for_it
    if word in _YES or word in _NO:
        return (word in _YES) is not mapping.inverted
    return None


def source_of(kind: str | None, mapping: EvaluationMapping) -> Source:
    """Return who judged: as the evaluation says, else as the mapping says."""
    return _KINDS.get((kind or "").upper(), mapping.source)

"""What there is to ask of a request: one task for each thing to be judged, with the texts that its checklist needs.

What lacks a text is skipped, and counted with the reason: without it a judge could only guess.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import orjson

from otel_ragfault.judging.model.checklists import CHECKLISTS
from otel_ragfault.model.judging import Subject

_NO_REFERENCE: Final = "gold says nothing of what is right"
_NO_CONTEXT: Final = "the texts that were shown are not known"
_NO_CITED: Final = "the text of the cited chunk is not known"
_NO_CLAIM: Final = "there is no claim to judge"
_NOT_EXPECTED: Final = "gold expects no answer"
_NO_QUESTION: Final = "the question was not recorded"


@dataclass(frozen=True, slots=True)
class Task:
    """A thing to be judged."""

    request_id: UUID
    subject: Subject
    texts: Mapping[str, str]
    target: str | None = None
    claim_id: str | None = None
    claim: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A thing that cannot be judged, and why."""

    subject: Subject
    reason: str


@dataclass(frozen=True, slots=True)
class JudgeInput:
    """A request as a judge is shown it: the columns of ``queries/judging/model_input.sql``."""

    request_id: UUID
    query: str | None
    answer: str
    prompt_text: str | None
    prompt_ids: Sequence[str | None] | None
    expect: str | None
    answer_check: str | None
    claims: str | None
    evidence_ids: Sequence[str] | None
    quotes: Sequence[str] | None
    texts: Mapping[str, str] | None
    answer_claims: Sequence[Mapping[str, Any]] | None


def tasks_of(shown: JudgeInput, subjects: Sequence[Subject]) -> Iterator[Task | Skipped]:
    """Yield what is to be asked of a request."""
    known = {
        "question": shown.query,
        "answer": shown.answer,
        "reference": _reference(shown),
        "context": _context(shown),
    }
    for subject in subjects:
        if subject in ("answer", "claim_correct", "claim_found") and shown.expect in ("refuse", "clarify"):
            yield Skipped(subject, _NOT_EXPECTED)
            continue
        things = list(_things(shown, subject))
        if not things:
            yield Skipped(subject, _NO_CLAIM)
        for target, claim_id, claim, more in things:
            texts = {part: text for part in CHECKLISTS[subject].parts if (text := (known | more).get(part)) is not None}
            missing = [part for part in CHECKLISTS[subject].parts if part not in texts]
            if missing:
                yield Skipped(subject, _REASONS[missing[0]])
            else:
                yield Task(shown.request_id, subject, texts, target, claim_id, claim)


_REASONS: Final = {
    "question": _NO_QUESTION,
    "reference": _NO_REFERENCE,
    "context": _NO_CONTEXT,
    "cited": _NO_CITED,
    "claim": _NO_CLAIM,
}
_Thing = tuple[str | None, str | None, str | None, dict[str, str | None]]


def _things(shown: JudgeInput, subject: Subject) -> Iterator[_Thing]:
    cut = shown.answer_claims or ()
    if subject in ("claim_support", "claim_correct"):
        for claim in cut:
            if claim["states"]:
                yield claim["id"], None, claim["text"], {"claim": claim["text"]}
    elif subject == "claim_found":
        for claim in orjson.loads(shown.claims or "[]"):
            yield str(claim["id"]), None, claim["text"], {"claim": claim["text"]}
    elif subject == "citation":
        for claim in cut:
            for cited in claim["cited"]:
                text = (shown.texts or {}).get(cited)
                yield cited, claim["id"], claim["text"], {"claim": claim["text"], "cited": text}
    else:
        yield None, None, None, {}


def _reference(shown: JudgeInput) -> str | None:
    """What gold says is right: the conditions on the answer, the claims it should make, the evidence for it."""
    check = orjson.loads(shown.answer_check or "{}")
    claims = orjson.loads(shown.claims or "[]")
    known = shown.texts or {}
    evidence = [known[one] for one in shown.evidence_ids or () if one in known] + list(shown.quotes or ())
    lines = [*_conditions(check), *(f"The answer should say: {claim['text']}" for claim in claims)]
    lines += [f"Evidence: {text}" for text in evidence]
    return "\n".join(lines) or None


def _conditions(check: Mapping[str, Any]) -> Iterator[str]:
    for text in check.get("must_contain") or ():
        yield f"The answer must give: {text}"
    for text in check.get("must_not_contain") or ():
        yield f"The answer must not say: {text}"
    if check.get("equals") is not None:
        yield f"The answer is: {check['equals']}"
    if check.get("matches") is not None:
        yield f"The answer must match the regular expression: {check['matches']}"
    if (number := check.get("number")) is not None:
        value, tolerance = (number.get("value"), number.get("tolerance")) if isinstance(number, dict) else (number, 0)
        yield f"The answer must give the number {value}" + (f", give or take {tolerance}" if tolerance else "")


def _context(shown: JudgeInput) -> str | None:
    """The chunks that were shown, each under its id; the prompt as it was sent where a text is not known."""
    known = shown.texts or {}
    ids = shown.prompt_ids
    if ids is not None and all(one is not None and one in known for one in ids):
        return "\n\n".join(f"[{one}] {known[one]}" for one in ids if one is not None) or "(nothing was shown)"
    return shown.prompt_text

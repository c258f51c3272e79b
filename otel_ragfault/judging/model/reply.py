"""Read the reply of a model judge."""

import re
from dataclasses import dataclass
from typing import Final

import orjson

from otel_ragfault.judging.model.checklists import Checklist
from otel_ragfault.model.wording import shown

_FENCED: Final = re.compile(r"\s*```(?:json)?\s*\n(?P<inside>.*?)\n\s*```\s*", re.DOTALL)
_WORDS: Final = {"yes": True, "no": False, "unclear": None}
_LONGEST_REASON: Final = 500


class MalformedReplyError(ValueError):
    """A reply is not what was asked for."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a reply says: yes, no, or that it cannot be told; the share of questions answered as wanted; why."""

    value: bool | None
    score: float
    reason: str


def judgement_of(text: str, checklist: Checklist) -> Judgement:
    """Read a reply: yes if every question is answered as wanted, no if one is answered the other way.

    Raises:
        MalformedReplyError: it is no JSON object with exactly one known word for each question.
    """
    told = _object(text)
    replies = {check.key: _word(told, check.key) for check in checklist.checks}
    against = [
        check.key
        for check in checklist.checks
        if replies[check.key] is not None and replies[check.key] is not check.wanted
    ]
    unclear = [check.key for check in checklist.checks if replies[check.key] is None]
    value = False if against else None if unclear else True
    score = 1 - (len(against) + len(unclear)) / len(checklist.checks)
    reason = told.get("reason")
    said = reason.strip()[:_LONGEST_REASON] if isinstance(reason, str) else ""
    failing = "".join(f" [{key}]" for key in against or unclear)
    return Judgement(value, score, f"{said}{failing}".strip() or "every question is answered as wanted")


def _object(text: str) -> dict[str, object]:
    fenced = _FENCED.fullmatch(text)
    try:
        told = orjson.loads(fenced["inside"] if fenced else text)
    except orjson.JSONDecodeError:
        raise MalformedReplyError(f"found {shown(text)}, wanted a JSON object") from None
    if not isinstance(told, dict):
        raise MalformedReplyError(f"found {shown(told)}, wanted a JSON object")
    return told


def _word(told: dict[str, object], key: str) -> bool | None:
    word = told.get(key)
    plain = (
        word.strip().lower()
        if isinstance(word, str)
        else {True: "yes", False: "no"}.get(word)
        if isinstance(word, bool)
        else None
    )
    if plain not in _WORDS:
        raise MalformedReplyError(f"{key}: found {shown(word)}, wanted yes, no or unclear")
    return _WORDS[plain]

"""Labels and verdicts as evaluation events of the GenAI conventions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import orjson

from otel_ragfault import semconv as s
from otel_ragfault.faults import Advice, advice_for, is_pass
from otel_ragfault.judging.verdicts import EVENT_NAMES, word_of

LABEL_NAME: Final = "ragfault.label"
"""The name of the evaluation whose label is one of the fault tree."""

Value = str | bool | int | float


@dataclass(frozen=True, slots=True)
class Event:
    """One event: ``event_id`` is the same whenever it is sent, ``at`` is UTC without a zone."""

    event_id: str
    request_id: str
    subject: str
    trace_id: UUID
    span_id: int | None
    at: datetime
    attributes: dict[str, Value]


def label_event(row: Mapping[str, Any], *, content: bool) -> Event:
    """Return the event of a row of ``queries/emitting/label_events.sql``.

    Its score is 1 for a pass and 0 for a fault; what could not be told has none.
    """
    label: str = row["label"]
    told: dict[str, Any] = {
        s.GEN_AI_EVALUATION_NAME: LABEL_NAME,
        s.GEN_AI_EVALUATION_SCORE_LABEL: label,
        s.GEN_AI_EVALUATION_SCORE_VALUE: None if label.startswith("unknown.") else float(is_pass(label)),
        s.GEN_AI_EVALUATION_EXPLANATION: _explained(label, orjson.loads(row["detail"])) if content else None,
        s.RAGFAULT_EVALUATION_SOURCE: "rule",
        s.RAGFAULT_LABEL_BOUNDARY: row["boundary"],
        s.RAGFAULT_LABEL_OUTCOME: row["outcome"],
        s.RAGFAULT_LABEL_LATENT: row["latent"],
        s.RAGFAULT_LABELLING_ID: row["labelling_id"],
    }
    return _event(row, s.EVALUATION_SUBJECT_LABEL, told)


def verdict_event(row: Mapping[str, Any], *, content: bool) -> Event:
    """Return the event of a row of ``queries/emitting/verdict_events.sql``.

    Its score is the degree that the judge gave, else 1 for yes and 0 for no.
    """
    subject, value = row["subject"], row["value"]
    failed = row["failure"] is not None
    score = row["score"] if row["score"] is not None or value is None else float(value)
    told: dict[str, Any] = {
        s.GEN_AI_EVALUATION_NAME: EVENT_NAMES[subject],
        s.GEN_AI_EVALUATION_SCORE_LABEL: None if failed else word_of(subject, value),
        s.GEN_AI_EVALUATION_SCORE_VALUE: None if failed else score,
        s.GEN_AI_EVALUATION_EXPLANATION: row["reason"] if content else None,
        s.ERROR_TYPE: row["failure"],
        s.RAGFAULT_EVALUATION_SOURCE: row["source"],
        s.RAGFAULT_EVALUATION_JUDGE: row["judge"],
        s.RAGFAULT_EVALUATION_REPEAT: row["repeat_no"],
        s.RAGFAULT_EVALUATION_TARGET: row["target"],
        s.RAGFAULT_EVALUATION_CLAIM_ID: row["claim_id"],
        s.RAGFAULT_EVALUATION_CLAIM: row["claim"] if content else None,
    }
    return _event(row, subject, told)


def _event(row: Mapping[str, Any], subject: str, told: dict[str, Any]) -> Event:
    shared = {
        s.GEN_AI_RESPONSE_ID: row["response_id"],
        s.RAGFAULT_CASE_ID: row["case_id"],
        s.RAGFAULT_EVALUATION_ID: row["event_id"],
        s.RAGFAULT_EVALUATION_SUBJECT: subject,
    }
    return Event(
        event_id=row["event_id"],
        request_id=row["request_id"],
        subject=subject,
        trace_id=row["trace_id"],
        span_id=row["span_id"],
        at=row["at"],
        attributes={name: value for name, value in (told | shared).items() if value is not None},
    )


def _explained(label: str, detail: Mapping[str, Any]) -> str:
    advice = _advice(label)
    seen = [text for group in detail.get("failing") or () if (text := _seen(group))]
    parts = [label if advice is None else advice.meaning, *seen]
    if advice is not None and not is_pass(label):
        parts.append(f"Try first: {advice.try_first}")
    return " ".join(parts)


def _advice(label: str) -> Advice | None:
    try:
        return advice_for(label)
    except KeyError:  # a labelling of another release
        return None


def _seen(group: Mapping[str, Any]) -> str:
    """Return what was seen of a required group that failed."""
    parts = []
    if group.get("rank") is not None:
        parts.append(f"ranked {group['rank']}")
    if group.get("score") is not None:
        parts.append(f"score {group['score']:.4g}")
    if group.get("reason") is not None:
        parts.append(f"left out for {group['reason']}")
    return f"Group {group['group']}: {', '.join(parts)}." if parts else ""

"""What an evaluation event that ``ragfault emit`` sent says beside the convention: whose it is, and of what.

By that it can be told when it comes back to the database that sent it, and is taken elsewhere for what it is there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from otel_ragfault import semconv
from otel_ragfault.conventions.parsing import name_of, number_of, text_of
from otel_ragfault.model.judging import SOURCES


@dataclass(frozen=True, slots=True)
class OwnEvent:
    """Fields as in the table ``verdict``; ``subject`` is ``label`` for a label, and ``event_id`` the identity."""

    event_id: str
    subject: str
    source: str
    target: str | None
    claim_id: str | None
    claim: str | None
    repeat_no: int


def own_event(attributes: Mapping[str, Any]) -> OwnEvent | None:
    """Read the attributes of an event; ``None`` for an event of another tool."""
    event_id = name_of(attributes.get(semconv.RAGFAULT_EVALUATION_ID))
    subject = name_of(attributes.get(semconv.RAGFAULT_EVALUATION_SUBJECT))
    source = name_of(attributes.get(semconv.RAGFAULT_EVALUATION_SOURCE))
    if event_id is None or subject is None or source not in SOURCES:
        return None
    repeat_no = number_of(attributes.get(semconv.RAGFAULT_EVALUATION_REPEAT))
    return OwnEvent(
        event_id=event_id,
        subject=subject,
        source=source,
        target=name_of(attributes.get(semconv.RAGFAULT_EVALUATION_TARGET)),
        claim_id=name_of(attributes.get(semconv.RAGFAULT_EVALUATION_CLAIM_ID)),
        claim=text_of(attributes.get(semconv.RAGFAULT_EVALUATION_CLAIM)),
        repeat_no=int(repeat_no) if repeat_no is not None and 1 <= repeat_no < 2**31 else 1,
    )

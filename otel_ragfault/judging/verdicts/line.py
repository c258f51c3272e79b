"""One line of a file of verdicts: which request, what is judged, and what is said of it."""

from typing import Annotated, Any, Final, Self
from uuid import UUID

from pydantic import BeforeValidator, Field, model_validator

from otel_ragfault.model.fields import Id, StrictModel, Text, Time
from otel_ragfault.model.judging import ANSWER_SUBJECTS, Subject
from otel_ragfault.model.problems import at_field
from otel_ragfault.model.wording import shown

_YES: Final = ("true", "yes", "y", "1")
_NO: Final = ("false", "no", "n", "0")
_OPEN: Final = ("unclear", "unknown", "null", "cannot tell")


def _judgement(value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    word = str(value).strip().lower() if isinstance(value, str | int) else ""
    if word in _YES or word in _NO:
        return word in _YES
    if word in _OPEN:
        return None
    raise ValueError(f"found {shown(value)}, wanted true, false or unclear")


def _hex(value: object) -> UUID | None:
    if value is None:
        return None
    try:
        return UUID(str(value).strip())
    except ValueError:
        raise ValueError(f"found {shown(value)}, wanted an id of 32 hex digits") from None


def _number(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        return value


def _count(value: object) -> object:
    return int(value) if isinstance(value, str) and value.strip().isdecimal() else value


HexId = Annotated[UUID | None, BeforeValidator(_hex)]


class VerdictLine(StrictModel):
    """A verdict as people write it down.

    The request is named by ``request_id``, by ``trace_id`` while its trace holds one request, or by ``case_id``, with
    ``run_id`` where the case was asked in several runs. ``value`` is true, false, or unclear.
    """

    request_id: HexId = None
    trace_id: HexId = None
    case_id: Id | None = None
    run_id: Text | None = None
    subject: Subject
    value: Annotated[bool | None, BeforeValidator(_judgement)]
    target: Id | None = None
    claim_id: Id | None = None
    claim: Text | None = None
    score: Annotated[float | None, BeforeValidator(_number)] = None
    reason: Text | None = None
    judge: Text | None = None
    judged_at: Time = None
    repeat_no: Annotated[int, BeforeValidator(_count), Field(ge=1, lt=2**31)] = 1

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, value: Any) -> Any:
        """Count a key that is null as not given, but for the verdict itself."""
        if not isinstance(value, dict):
            return value
        return {key: item for key, item in value.items() if item is not None or key == "value"}

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.request_id is None and self.trace_id is None and self.case_id is None:
            raise at_field("request_id", "is missing; name the request by request_id, trace_id, or case_id and run_id")
        if self.subject in ANSWER_SUBJECTS and self.target is not None:
            raise at_field("target", f"{self.subject!r} is about the whole answer; leave the target out")
        if self.subject not in ANSWER_SUBJECTS and self.target is None:
            what = "the cited chunk" if self.subject == "citation" else "the claim"
            raise at_field("target", f"is missing; {self.subject!r} needs the id of {what}")
        if self.claim_id is not None and self.subject != "citation":
            raise at_field("claim_id", "belongs to citations only; name the claim as target")
        return self

    @property
    def named(self) -> str:
        """The request as the line names it."""
        if self.request_id is not None:
            return f"request_id {self.request_id.hex}"
        if self.trace_id is not None:
            return f"trace_id {self.trace_id.hex}"
        return f"case_id {self.case_id!r}" + ("" if self.run_id is None else f" of run {self.run_id!r}")

    @property
    def naming_field(self) -> str:
        """The field by which it is named."""
        if self.request_id is not None:
            return "request_id"
        return "trace_id" if self.trace_id is not None else "case_id"

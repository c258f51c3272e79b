"""Evaluation results in telemetry: OpenTelemetry's event, and the evaluations and annotations of OpenInference.

An event is about the span in whose context it was sent, or about the completion that it names. An OpenInference
annotation is about the span that carries it, or its trace; an evaluation is about the span that it links to, and about
the span that carries it only where that is no evaluator. Nothing is inferred from who called whom.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal
from uuid import UUID

import orjson

from otel_ragfault import semconv
from otel_ragfault.conventions.evaluations_own import OwnEvent, own_event
from otel_ragfault.conventions.parsing import first, flattened, maybe_json, name_of, number_of, text_of

Scope = Literal["span", "trace", "session"]

_KIND: Final = "openinference.span.kind"
_EVALUATOR: Final = "EVALUATOR"
_COLLECTIONS: Final[tuple[tuple[str, str, Scope], ...]] = (
    ("annotations.", "annotation.", "span"),
    ("evaluations.", "evaluation.", "span"),
    ("trace.annotations.", "annotation.", "trace"),
    ("trace.evaluations.", "evaluation.", "trace"),
    ("session.annotations.", "annotation.", "session"),
    ("session.evaluations.", "evaluation.", "session"),
)
_JUDGES: Final = ("evaluator", "evaluator_name", "judge", "judge_model", "model", "annotator", "user", "user_id")
_HEX: Final = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One result: what it says, and the span, trace or completion that it is about.

    ``own`` is what ``ragfault emit`` says beside that, where it sent the event.
    """

    name: str
    score: float | None
    label: str | None
    explanation: str | None
    error_type: str | None
    annotator_kind: str | None
    judge: str | None
    scope: Scope
    trace_id: UUID | None
    span_id: int | None
    response_id: str | None
    origin: str
    own: OwnEvent | None = None

    @property
    def says_something(self) -> bool:
        """Whether it gives any result, or says why there is none."""
        return any(value is not None for value in (self.score, self.label, self.explanation, self.error_type))

    def identity(self, when: object) -> str:
        """Return a digest of the result and its place, so that one which arrives twice counts once."""
        told = {**asdict(self), "trace_id": str(self.trace_id), "when": str(when)}
        del told["own"]
        if self.own is not None:
            told = {"event_id": self.own.event_id}
        return hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


def from_event(
    attributes: Mapping[str, Any],
    *,
    trace_id: UUID | None,
    span_id: int | None,
    judge: str | None,
    origin: str,
) -> Evaluation | None:
    """Read a ``gen_ai.evaluation.result`` event; ``None`` for one that names no evaluation or says nothing.

    Args:
        attributes: those of the log record, or of the event of a span.
        trace_id: the trace in whose context it was sent.
        span_id: the span in whose context it was sent.
        judge: who sent it.
        origin: where it was found.
    """
    name = name_of(attributes.get(semconv.GEN_AI_EVALUATION_NAME))
    if name is None:
        return None
    own = own_event(attributes)
    found = Evaluation(
        name=name,
        score=number_of(attributes.get(semconv.GEN_AI_EVALUATION_SCORE_VALUE)),
        label=name_of(attributes.get(semconv.GEN_AI_EVALUATION_SCORE_LABEL)),
        explanation=text_of(attributes.get(semconv.GEN_AI_EVALUATION_EXPLANATION)),
        error_type=name_of(attributes.get(semconv.ERROR_TYPE)),
        annotator_kind=name_of(attributes.get("annotator_kind")),
        judge=judge if own is None else name_of(attributes.get(semconv.RAGFAULT_EVALUATION_JUDGE)),
        scope="span",
        trace_id=trace_id,
        span_id=span_id,
        response_id=name_of(attributes.get(semconv.GEN_AI_RESPONSE_ID)),
        origin=origin,
        own=own,
    )
    return found if found.says_something else None


def from_span(
    attributes: Mapping[str, Any],
    links: Sequence[Mapping[str, Any]],
    *,
    trace_id: UUID,
    span_id: int,
    judge: str | None,
    origin: str,
) -> Iterator[Evaluation]:
    """Yield the OpenInference evaluations and annotations of a span.

    Args:
        attributes: the attributes of the span.
        links: its links, with ``trace_id`` and ``span_id`` as hex.
        trace_id: its trace.
        span_id: its id.
        judge: who is named as the judge where the result names nobody.
        origin: where it was found.
    """
    targets = [found for link in links if (found := _linked(link)) is not None]
    is_evaluator = attributes.get(_KIND) == _EVALUATOR
    for prefix, inner, scope in _COLLECTIONS:
        is_linked = scope != "session" and bool(targets) and (is_evaluator or prefix.endswith("evaluations."))
        target: tuple[UUID | None, int | None] = (trace_id, span_id)
        if is_linked:
            target = targets[0] if len(set(targets)) == 1 else (None, None)  # of several none can be told
        elif is_evaluator:
            target = (None, None)
        for index, fields in sorted(flattened(attributes, prefix).items()):
            told = {key.removeprefix(inner): value for key, value in fields.items() if key.startswith(inner)}
            result = _result(told, scope, target, judge, f"{origin} {prefix}{index}")
            if result is not None:
                yield result


def _result(
    told: Mapping[str, Any], scope: Scope, target: tuple[UUID | None, int | None], judge: str | None, origin: str
) -> Evaluation | None:
    name = name_of(told.get("name"))
    if name is None:
        return None
    metadata = maybe_json(told.get("metadata"))
    named = name_of(first(metadata, _JUDGES)) if isinstance(metadata, dict) else None
    found = Evaluation(
        name=name,
        score=number_of(told.get("score")),
        label=name_of(told.get("label")),
        explanation=text_of(told.get("explanation")) or None,
        error_type=None,
        annotator_kind=name_of(told.get("annotator_kind")),
        judge=name_of(told.get("identifier")) or named or judge,
        scope=scope,
        trace_id=target[0],
        span_id=target[1],
        response_id=None,
        origin=origin,
    )
    return found if found.says_something else None


def _linked(link: Mapping[str, Any]) -> tuple[UUID, int] | None:
    trace, span = link.get("trace_id"), link.get("span_id")
    if not isinstance(trace, str) or not isinstance(span, str) or not _HEX.fullmatch(span.lower()):
        return None
    try:
        return UUID(trace), int(span, 16)
    except ValueError:
        return None

"""Our own spans: the GenAI conventions plus what they do not define, under ``ragfault.*``."""

from typing import Any

from otel_ragfault import semconv
from otel_ragfault.conventions import otel_genai
from otel_ragfault.conventions.parsing import decode, identity, name_of, stage
from otel_ragfault.conventions.record import Kind, StageRecord
from otel_ragfault.conventions.span import SpanView

_STAGES: dict[str, Kind] = {
    semconv.STAGE_REQUEST: "request",
    semconv.STAGE_RETRIEVAL: "retrieval",
    semconv.STAGE_RERANK: "rerank",
    semconv.STAGE_ASSEMBLY: "assembly",
    semconv.STAGE_GENERATION: "generation",
}


def claims(view: SpanView) -> bool:
    """Tell whether the span names a stage of ours."""
    stage_name = view.attributes.get(semconv.RAGFAULT_STAGE)
    return isinstance(stage_name, str) and stage_name in _STAGES


def read(view: SpanView) -> StageRecord | None:
    """Read a stage span of ours."""
    attributes = view.attributes
    kind = _STAGES[attributes[semconv.RAGFAULT_STAGE]]
    problems: list[str] = []
    fields: dict[str, Any] = identity(attributes)
    if kind in {"retrieval", "rerank"}:
        fields |= otel_genai.ranking(view, problems)
    elif kind == "assembly":
        fields["prompt_ids"] = _prompt_ids(view, problems)
        fields["top_k"] = otel_genai.top_k(attributes)
    elif kind == "request":
        fields |= otel_genai.question_and_answer(attributes, problems)
    else:
        fields |= otel_genai.generation(view, problems)
    score_kind = attributes.get(semconv.RAGFAULT_SCORE_KIND)
    decision = attributes.get(semconv.RAGFAULT_DECISION)
    complete = attributes.get(semconv.RAGFAULT_RETRIEVAL_COMPLETE)
    return stage(
        kind,
        problems,
        score_kind=score_kind if score_kind in semconv.SCORE_KINDS else None,
        decision=decision if decision in semconv.DECISIONS else None,
        cited=_citations(attributes.get(semconv.RAGFAULT_CITATIONS)),
        **fields,
        **({"complete": complete} if isinstance(complete, bool) else {}),
    )


def _prompt_ids(view: SpanView, problems: list[str]) -> tuple[str | None, ...] | None:
    ids, cut = decode(view.attributes.get(semconv.RAGFAULT_ASSEMBLY_CHUNK_IDS))
    if isinstance(ids, list):
        return tuple(name_of(chunk_id) for chunk_id in ids)
    if cut:
        problems.append("cut.prompt_ids")
    return None


def _citations(value: object) -> tuple[str, ...] | None:
    cited, _ = decode(value)
    return tuple(name for chunk in cited if (name := name_of(chunk)) is not None) if isinstance(cited, list) else None

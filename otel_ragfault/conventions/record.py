"""What a span says about a stage of a RAG pipeline, in one form for every convention."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["request", "retrieval", "rerank", "assembly", "generation"]


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked item. ``None`` is "not recorded"; the position of the hit in its ranking is the rank."""

    id: str | None
    score: float | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRecord:
    """What one span tells. Every field that is ``None`` was not recorded by this span.

    Attributes:
        kind: the stage. ``None`` for a span that is no stage but tells something of the request as a whole (a case id
            in its metadata, the text that went into the prompt).
        query: on a request the question, on a retrieval or rerank the text that was searched for.
        hits: the ranking that came out, best first; an empty tuple is a recorded empty result.
        input_hits: on a rerank, the ranking that went in.
        score_kind: ``bm25``, ``similarity`` or ``distance``, where the convention tells.
        top_k: how many are passed on.
        complete: whether the ranking is all that the retriever scored.
        prompt_ids: chunks of the prompt in prompt order, only where the span says so itself.
        prompt_hits: chunks with their texts that went into the prompt, in order, where the span shows them.
        prompt_text: the text sent to the model: all messages, system first, joined by an empty line.
        answer: the text that came back.
        cited: ids of cited chunks in the order of the answer, where the span says so itself.
        decision: ``answer``, ``refuse`` or ``clarify``, where the system says so itself.
        internal: the generation is not the answer: a reranker's, a judge's or a query rewriter's call, as far as the
            span itself shows it.
        twin: the span repeats its parent or child of the same kind in another form (LlamaIndex ``_retrieve`` inside
            ``retrieve``), so that only one of the two counts.
        problems: why something is missing: ``cut.ranking``, ``cut.answer``, ``dropped.ranking``, ``content_off``,
            ``redacted``, … in the words of ``request.missing``.
    """

    kind: Kind | None = None
    query: str | None = None
    hits: tuple[Hit, ...] | None = None
    input_hits: tuple[Hit, ...] | None = None
    score_kind: str | None = None
    top_k: int | None = None
    complete: bool | None = None
    prompt_ids: tuple[str | None, ...] | None = None
    prompt_hits: tuple[Hit, ...] | None = None
    prompt_text: str | None = None
    answer: str | None = None
    cited: tuple[str, ...] | None = None
    decision: str | None = None
    finish_reasons: tuple[str, ...] | None = None
    request_model: str | None = None
    response_model: str | None = None
    response_id: str | None = None
    prompt_name: str | None = None
    prompt_version: str | None = None
    prompt_template: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    case_id: str | None = None
    run_id: str | None = None
    session_id: str | None = None
    snapshot_id: str | None = None
    internal: bool = False
    twin: bool = False
    problems: tuple[str, ...] = ()

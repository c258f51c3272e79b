"""Instruments a live RAG pipeline: decorators and context managers that write OpenTelemetry spans.

    @retrieval(k=5, score_kind="bm25", complete=True)
    def search(query: str) -> list[tuple[str, float]]: ...

    with assembly(budget=150) as span:
        span.record_chunks(ids, dropped=[("c7", "budget")])

Nothing here changes what the pipeline returns or raises, and nothing here raises into it: what cannot be recorded is
left out, counted in :func:`capture_failures` and logged once.
"""

from otel_ragfault.capture._answers import Answer
from otel_ragfault.capture._context import current_request_attributes, in_current_context
from otel_ragfault.capture._decorators import assembly, generation, request, rerank, retrieval
from otel_ragfault.capture._failures import capture_failures
from otel_ragfault.capture._options import capturing, current_options, set_capture
from otel_ragfault.capture._processor import RagfaultSpanProcessor
from otel_ragfault.capture._span import StageSpan, current_stage
from otel_ragfault.capture._stages import Stage

__all__ = [
    "Answer",
    "RagfaultSpanProcessor",
    "Stage",
    "StageSpan",
    "assembly",
    "capture_failures",
    "capturing",
    "current_options",
    "current_request_attributes",
    "current_stage",
    "generation",
    "in_current_context",
    "request",
    "rerank",
    "retrieval",
    "set_capture",
]

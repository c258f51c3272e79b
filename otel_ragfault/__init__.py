"""otel-ragfault: which stage of a RAG pipeline lost the answer.

The names here instrument a pipeline and are light to import; what reads and labels traces is the command ``ragfault``.
"""

__version__ = "0.1.0"

from otel_ragfault.capture import (
    Answer,
    RagfaultSpanProcessor,
    assembly,
    capture_failures,
    current_stage,
    generation,
    in_current_context,
    request,
    rerank,
    retrieval,
    set_capture,
)
from otel_ragfault.setup import configure

__all__ = [
    "Answer",
    "RagfaultSpanProcessor",
    "assembly",
    "capture_failures",
    "configure",
    "current_stage",
    "generation",
    "in_current_context",
    "request",
    "rerank",
    "retrieval",
    "set_capture",
]

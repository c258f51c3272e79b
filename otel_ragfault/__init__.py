"""otel-ragfault: which stage of a RAG pipeline lost the answer.

The names here instrument a pipeline and are light to import; what reads and labels traces is the command ``ragfault``.
Each name is loaded when it is first asked for, so that what only looks at this package pays for nothing.

PYTEST_DONT_REWRITE: this word keeps pytest from warning of a package that it finds imported already.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

__version__ = "0.1.0"

if TYPE_CHECKING:
    from otel_ragfault.api import Run
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
    "Run",
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

_HOMES: Final = {**dict.fromkeys(__all__, "capture"), "Run": "api", "configure": "setup"}


def __getattr__(name: str) -> Any:
    """Load a name of :data:`__all__` from its home, once."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

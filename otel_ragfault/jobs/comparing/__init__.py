"""Two runs compared on identical cases: what changed, by how much, and how sure that is."""

from otel_ragfault.jobs.comparing.compare import compare_runs
from otel_ragfault.jobs.comparing.reading import read_side
from otel_ragfault.jobs.comparing.result import (
    BoundaryChange,
    CaseChange,
    CaseState,
    Comparison,
    Difference,
    Hypothesis,
    LabelChange,
    PassTest,
    Side,
    Source,
)
from otel_ragfault.jobs.comparing.sources import listed_runs

__all__ = [
    "BoundaryChange",
    "CaseChange",
    "CaseState",
    "Comparison",
    "Difference",
    "Hypothesis",
    "LabelChange",
    "PassTest",
    "Side",
    "Source",
    "compare_runs",
    "listed_runs",
    "read_side",
]

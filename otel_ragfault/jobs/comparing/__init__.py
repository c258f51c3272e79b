"""Two runs compared on identical cases: what changed, by how much, and how sure that is."""

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
]

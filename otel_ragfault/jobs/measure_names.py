"""What the measures and the groupings of ``ragfault measures`` are called; light, because help lists them."""

from typing import Final

DIMENSIONS: Final = ("run", "tag", "prompt_version", "retriever", "service", "snapshot", "day", "all")
"""What requests can be grouped by: the dimensions of the view ``request_group``."""

MEASURES: Final = {
    "precision": "precision",
    "recall_judged": "recall_judged",
    "recall_groups": "recall_groups",
    "hit": "hit",
    "mrr": "reciprocal_rank",
    "map": "average_precision",
    "context_precision": "context_precision",
    "ndcg": "ndcg",
}
"""The measures, by the names of their means, and the columns of ``case_measures`` that hold them."""

OTHER_NAMES: Final = {
    "ap": "map",
    "average_precision": "map",
    "hit_rate": "hit",
    "p": "precision",
    "recall": "recall_groups",
    "reciprocal_rank": "mrr",
    "rr": "mrr",
    "success": "hit",
}
"""Names that other tools have for them."""


def measure_called(name: str) -> str:
    """Return a measure by the name that we have for it: ``recall_groups@5`` for ``recall@5``; others as they are."""
    bare, at, k = name.partition("@")
    plain = bare.strip().lower()
    known = OTHER_NAMES.get(plain, plain)
    return f"{known}{at}{k}" if known in MEASURES else name

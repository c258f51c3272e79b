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

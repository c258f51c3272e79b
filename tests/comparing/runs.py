"""Two runs of the same cases, written as one line a case."""

from queries.world import LABELLING, put, put_case, put_run

BEFORE, AFTER = "main", "next"
RIGHT = {"outcome": "correct"}


def put_cases(con, *cases, tags=()):
    for case in cases:
        put_case(con, case, "g", tags=tags)


def put_side(con, run, labels, *, first, **fields):
    """Store a request a case: ``{"a": "pass"}``; a pass is right, ``pass?`` a pass that nobody judged."""
    for number, (case, label) in enumerate(labels.items(), start=first):
        outcome = "unjudged" if label.endswith("?") else "correct" if label.startswith("pass") else "wrong"
        put(con, number, case, label.rstrip("?"), run_id=run, **{"outcome": outcome} | fields)


def put_pairs(con, pairs, *, before=None, after=None):
    """Store gold and two labelled runs: ``{"a": ("retrieval.below_k", "pass")}``."""
    put_run(con)
    put_cases(con, *pairs)
    put_side(con, BEFORE, {case: pair[0] for case, pair in pairs.items()}, first=1, **(before or {}))
    put_side(con, AFTER, {case: pair[1] for case, pair in pairs.items()}, first=10_001, **(after or {}))


__all__ = ["AFTER", "BEFORE", "LABELLING", "RIGHT", "put_cases", "put_pairs", "put_side"]

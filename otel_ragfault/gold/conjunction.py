"""Turn ways to satisfy a group into groups of single chunks: every group is required, any chunk of it is enough.

``a or (b and c)`` is ``(a or b) and (a or c)``. A way that needs several chunks becomes several groups.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

_MOST = 256


def required_groups(ways: Iterable[frozenset[str]]) -> list[tuple[str, ...]]:
    """Return the groups that hold exactly when one of the ways is there as a whole; no way gives no group.

    Ways that would make more than a few hundred groups are left out from the end: the rest is stricter, never laxer.
    """
    smallest = _without_supersets(ways)
    while prod(len(way) for way in smallest) > _MOST and len(smallest) > 1:
        smallest.pop()
    if not smallest:
        return []
    choices = [frozenset(choice) for choice in product(*(sorted(way) for way in smallest))]
    order = {chunk: place for place, chunk in enumerate(chunk for way in smallest for chunk in sorted(way))}
    groups = _without_supersets(choices)
    return [tuple(sorted(group, key=order.__getitem__)) for group in groups]


def _without_supersets(sets: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    distinct: Sequence[frozenset[str]] = list(dict.fromkeys(sets))
    return [one for one in distinct if not any(other < one for other in distinct)]

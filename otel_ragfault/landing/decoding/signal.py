"""Which signal a protobuf request carries. Nothing in OTLP says so: requests of all signals begin alike.

All are resources, in them scopes, in those items; what tells them apart is how the fields of an item are written. The
first field of a log record is a time in eight bytes, that of a span an id with a length, that of a metric a name.
"""

from itertools import count, takewhile
from typing import TYPE_CHECKING, Final

from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.wire import FIXED32, FIXED64, LENGTH, VARINT, fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from otel_ragfault.landing.decoding.wire import Field

TRACES: Final = "traces"
LOGS: Final = "logs"
METRICS: Final = "metrics"

_INSIDE: Final = 2  # of a resource its scopes, of a scope its items
_LOOKED_AT: Final = 10_000  # fields
_SPAN: Final = frozenset({(6, VARINT), (7, FIXED64), (8, FIXED64), (12, VARINT), (15, LENGTH), (16, FIXED32)})
_LOG: Final = frozenset({(1, FIXED64), (2, VARINT), (6, LENGTH), (7, VARINT), (8, FIXED32), (11, FIXED64)})
_POINTS: Final = frozenset({5, 7, 10})  # of a metric, and of no span: a gauge, a sum, an exponential histogram
_MAYBE_POINTS: Final = frozenset({9, 11})  # a histogram or a summary; or attributes or events of a span
_POINT: Final = b"\x0a"
_IDS: Final = frozenset({(1, 16), (2, 8)})


def signal_of(body: bytes) -> str | None:
    """Return ``traces``, ``logs`` or ``metrics``; ``None`` where no item tells, or there are none.

    A request that is damaged is told by what comes before the damage, and a huge one by its beginning.
    """
    left = count(_LOOKED_AT, -1)
    try:
        for item in _items(body, left):
            found = _told_by(item, left)
            if found is not None:
                return found
    except MalformedError:
        pass
    return None


def _items(body: bytes, left: "Iterator[int]") -> "Iterator[memoryview]":
    for resource in _some(body, left):
        if (resource.number, resource.kind) != (1, LENGTH):
            continue
        for scope in _some(resource.content, left):
            if (scope.number, scope.kind) == (_INSIDE, LENGTH):
                yield from (item.content for item in _some(scope.content, left) if item[:2] == (_INSIDE, LENGTH))


def _some(message: bytes | memoryview, left: "Iterator[int]") -> "Iterator[Field]":
    """Yield fields of a message, as long as not too many were looked at in all."""
    return takewhile(lambda _: next(left) > 0, fields(message))


def _told_by(item: memoryview, left: "Iterator[int]") -> str | None:
    lengths: dict[int, int] = {}
    points: set[int] = set()
    for field in _some(item, left):
        written = field[:2]
        if written in _SPAN:
            return TRACES
        if written in _LOG:
            return LOGS
        if field.kind == LENGTH:
            lengths[field.number] = len(field.content)
            if bytes(field.content[:1]) == _POINT:
                points.add(field.number)
    if 1 in lengths and points & _POINTS:
        return METRICS
    if not _IDS.isdisjoint(lengths.items()):
        return TRACES
    return METRICS if 1 in lengths and points & _MAYBE_POINTS else None

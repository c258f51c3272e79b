"""What protobuf requests of every signal share: resources, in them scopes, in those items; and values of attributes.

A request that protobuf refuses to parse is taken apart, so that only the items which are the reason are lost.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from otel_ragfault.landing.decoding.build import Described, Origin, make_origin
from otel_ragfault.landing.decoding.otlp import key_values
from otel_ragfault.landing.decoding.salvage import UNPARSABLE
from otel_ragfault.landing.decoding.values import MAX_DEPTH, Repaired


class Shape(NamedTuple):
    """What the lists of a signal are called, from the outside in."""

    resources: str
    scopes: str
    items: str


SPANS = Shape("resource_spans", "scope_spans", "spans")
LOG_RECORDS = Shape("resource_logs", "scope_logs", "log_records")


def parse(body: bytes, kind: Any, salvage: Callable[[bytes], tuple[Any, int]], unusable: Counter[str]) -> Any:
    """Parse a request.

    Args:
        body: its bytes.
        kind: the class of the message.
        salvage: takes apart what does not parse; returns the message, and how many items were lost.
        unusable: counts those.

    Raises:
        MalformedError: the bytes are no such message.
    """
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # no stubs are published with it

    try:
        return kind.FromString(body)
    except DecodeError:
        request, lost = salvage(body)
    if lost:
        unusable[UNPARSABLE] += lost
    return request


def walk(request: Any, shape: Shape) -> Iterator[tuple[Origin, Any]]:
    """Yield the items of each scope, with what they share."""
    for group in getattr(request, shape.resources):
        for holder in getattr(group, shape.scopes):
            yield origin_of(group, holder), getattr(holder, shape.items)


def origin_of(group: Any, holder: Any) -> Origin:
    """Return what the items of a resource and scope share."""
    resource, scope = group.resource, holder.scope
    return make_origin(
        Described(attributes(resource.attributes), resource.dropped_attributes_count, group.schema_url),
        Described(attributes(scope.attributes), scope.dropped_attributes_count, holder.schema_url),
        scope.name,
        scope.version,
    )


def attributes(pairs: Any, depth: int = 0) -> dict[str, Any]:
    """Return attributes by name; of a name that was sent twice the first value stays, and the rest is noted."""
    values = {pair.key: value_of(pair.value, depth) for pair in pairs}
    if len(values) == len(pairs):
        return values
    return key_values([(pair.key, value_of(pair.value, depth)) for pair in pairs])


def value_of(value: Any, depth: int = 0) -> Any:
    """Return a value; what is nested too deeply is left out, with a note."""
    kind = value.WhichOneof("value")
    if kind in {"array_value", "kvlist_value"} and depth >= MAX_DEPTH:
        return Repaired(None, f"left out: nested deeper than {MAX_DEPTH} levels")
    if kind == "array_value":
        return [value_of(item, depth + 1) for item in value.array_value.values]
    if kind == "kvlist_value":
        return attributes(value.kvlist_value.values, depth + 1)
    return None if kind is None else getattr(value, kind)

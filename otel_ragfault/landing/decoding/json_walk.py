"""The outer structure of OTLP/JSON requests, the same for every signal: resources, in them scopes, in those items.

What is no object or no list where one belongs is set aside with what is in it, and counted; the rest goes on.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from otel_ragfault.landing.decoding.build import Described, Origin, UnusableError, make_origin
from otel_ragfault.landing.decoding.json_fields import camel, items, number
from otel_ragfault.landing.decoding.json_values import attributes
from otel_ragfault.landing.decoding.otlp import MalformedError

Message = dict[str, Any]
Row = TypeVar("Row")
_NOTHING: Message = {}


class Shape(NamedTuple):
    """What the lists of a signal are called, from the outside in."""

    resources: str
    scopes: str
    items: str


SPANS = Shape("resourceSpans", "scopeSpans", "spans")
LOG_RECORDS = Shape("resourceLogs", "scopeLogs", "logRecords")


def walk(request: object, shape: Shape, make: Callable[[Message, Origin], Row], unusable: Counter[str]) -> list[Row]:
    """Return the rows of a request, in order. Without its outermost list there are none.

    Args:
        request: as it was parsed.
        shape: of which signal it is.
        make: makes the row of an item; may raise :class:`UnusableError`.
        unusable: counts items that become no row, by reason.

    Raises:
        MalformedError: the request is not an object, or its outermost list is none.
    """
    if not isinstance(request, dict):
        raise MalformedError(f"a JSON {type(request).__name__}, not an object with {shape.resources}")
    try:
        groups = items(camel(request), shape.resources)
    except UnusableError as error:
        raise MalformedError(str(error)) from None
    rows: list[Row] = []
    for sent in groups:
        try:
            group = message(sent, shape.resources)
            scopes = items(group, shape.scopes)
        except UnusableError as error:
            unusable[str(error)] += 1
            continue
        for scope in scopes:
            rows += _scope(group, scope, shape, make, unusable)
    return rows


def count_items(request: object, shape: Shape) -> int:
    """Return how many items a request holds, without looking at them. What is of another shape holds none."""
    found: list[Any] = [request]
    for name in shape:
        lists = [camel(holder).get(name) for holder in found if isinstance(holder, dict)]
        found = [item for one in lists if isinstance(one, list) for item in one]
    return len(found)


def message(value: object, field: str) -> Message:
    """Return a message with its fields in camelCase; an absent one is empty.

    Raises:
        UnusableError: it is something else than an object.
    """
    if value is None:
        return _NOTHING
    if not isinstance(value, dict):
        raise UnusableError(f"{field} holds something else than objects")
    return camel(value)


def _scope(
    group: Message, sent: object, shape: Shape, make: Callable[[Message, Origin], Row], unusable: Counter[str]
) -> list[Row]:
    try:
        scope = message(sent, shape.scopes)
        inside = items(scope, shape.items)
        origin = _origin(group, scope)
    except UnusableError as error:
        lost = camel(sent).get(shape.items) if isinstance(sent, dict) else None
        unusable[str(error)] += len(lost) if isinstance(lost, list) else 1
        return []
    rows = []
    for item in inside:
        try:
            rows.append(make(message(item, shape.items), origin))
        except UnusableError as error:
            unusable[str(error)] += 1
    return rows


def _origin(group: Message, holder: Message) -> Origin:
    resource, scope = message(group.get("resource"), "resource"), message(holder.get("scope"), "scope")
    return make_origin(
        Described(attributes(resource), number(resource.get("droppedAttributesCount")), group.get("schemaUrl")),
        Described(attributes(scope), number(scope.get("droppedAttributesCount")), holder.get("schemaUrl")),
        scope.get("name"),
        scope.get("version"),
    )

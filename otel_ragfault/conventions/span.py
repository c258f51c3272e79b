"""A landed span as a convention sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SpanView:
    """The parts of a span that a convention may read.

    Attributes:
        scope_name: name of the instrumentation scope; empty if there is none.
        scope_version: its version; empty if there is none.
        name: name of the span.
        attributes: every attribute, as JSON values (an attribute whose value is structured is a list or a dict).
        events: ``{"name", "attributes", …}`` each, in order.
        failed: whether the span ended in error.
        dropped_attributes: how many attributes the SDK discarded.
        dropped_events: how many events the SDK discarded.
        has_parent: whether the span names a parent.
    """

    scope_name: str
    scope_version: str
    name: str
    attributes: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]] = ()
    failed: bool = False
    dropped_attributes: int = 0
    dropped_events: int = 0
    has_parent: bool = False
    resource: Mapping[str, Any] = field(default_factory=dict)

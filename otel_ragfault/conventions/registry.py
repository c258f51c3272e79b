"""Which convention reads a span: the first in the order below that claims it.

Conventions are told by the name and version of the scope, then by attributes; never by a schema URL, which
instrumentations copy without following it. Packages of other people add theirs with an entry point of the group
``otel_ragfault.conventions`` that names a :class:`Convention`; theirs are asked first.
"""

from collections.abc import Callable
from dataclasses import dataclass

from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView


@dataclass(frozen=True, slots=True)
class Convention:
    """One way of writing spans.

    Attributes:
        name: what ``request.convention`` says.
        claims: whether a span is written in it; cheap, and true for spans that are no stage, too.
        read: what the span tells; ``None`` when it tells nothing.
    """

    name: str
    claims: Callable[[SpanView], bool]
    read: Callable[[SpanView], StageRecord | None]

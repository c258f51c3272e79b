"""Which convention reads a span: the first in the order below that claims it.

Conventions are told by the name and version of the scope, then by attributes; never by a schema URL, which
instrumentations copy without following it. Packages of other people add theirs with an entry point of the group
``otel_ragfault.conventions`` that names a :class:`Convention`; theirs are asked first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from otel_ragfault.conventions import (
    haystack,
    langfuse,
    langsmith,
    llamaindex_events,
    mlflow,
    openinference,
    otel_genai,
    own,
    plain,
    pydantic_ai,
    traceloop,
)
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView
from otel_ragfault.errors import ConfigError

ENTRY_POINTS = "otel_ragfault.conventions"


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


_BUILT_IN: tuple[Convention, ...] = (
    Convention("ragfault", own.claims, own.read),
    # --- Told by their scope or by attributes of their own; several also write gen_ai.* in a sense of their own, so
    # --- that they stand before the general conventions. One line each:
    Convention("haystack", haystack.claims, haystack.read),
    Convention("langfuse", langfuse.claims, langfuse.read),
    Convention("langsmith", langsmith.claims, langsmith.read),
    Convention("mlflow", mlflow.claims, mlflow.read),
    Convention("llamaindex_events", llamaindex_events.claims, llamaindex_events.read),
    Convention("pydantic_ai", pydantic_ai.claims, pydantic_ai.read),
    # --- The general conventions.
    Convention("openinference", openinference.claims, openinference.read),
    Convention("traceloop", traceloop.claims, traceloop.read),
    Convention("otel_genai", otel_genai.claims, otel_genai.read),
    # --- Last: spans of the application, which may name the case.
    Convention("plain", plain.claims, plain.read),
)


@cache
def conventions() -> tuple[Convention, ...]:
    """Return every convention in the order in which they are asked: those of other packages by name, then ours.

    Raises:
        ConfigError: an entry point cannot be loaded, or is no convention.
    """
    others = sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value))
    return (*(_load(point) for point in others), *_BUILT_IN)


def has_others() -> bool:
    """Tell whether other packages brought conventions."""
    return len(conventions()) > len(_BUILT_IN)


def _load(point: EntryPoint) -> Convention:
    try:
        found = point.load()
    except Exception as error:
        raise ConfigError(
            f"the entry point {point.name} = {point.value} of {ENTRY_POINTS} cannot be loaded ({error}); "
            "update or remove the package that brings it"
        ) from error
    if not isinstance(found, Convention):
        raise ConfigError(
            f"the entry point {point.name} = {point.value} of {ENTRY_POINTS} is a {type(found).__name__}, "
            "not a Convention; update or remove the package that brings it"
        )
    return found


def read_span(view: SpanView) -> tuple[str | None, StageRecord | None]:
    """Return the name of the convention that a span is written in, and what the span tells; ``None`` for neither."""
    for convention in conventions():
        if convention.claims(view):
            return convention.name, convention.read(view)
    return None, None

"""A configured stage: a decorator and a context manager at once."""

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, TypeVar

from opentelemetry.context import get_value

from otel_ragfault.capture._begin import begin
from otel_ragfault.capture._context import STAGE_KEY
from otel_ragfault.capture._kinds import Kind
from otel_ragfault.capture._outcomes import Reading
from otel_ragfault.capture._plan import Plan, make_plan
from otel_ragfault.capture._span import NOWHERE, StageSpan
from otel_ragfault.capture._wrap import fail, wrap

F = TypeVar("F", bound=Callable[..., Any])

_COMMON = frozenset({"extract", "delta", "texts", "content", "name", "propagate"})


class Stage:
    """What ``retrieval(k=5)`` and its siblings return: use it as a decorator or in ``with`` and ``async with``.

    One object may decorate many functions and be entered many times, nested and from several threads.
    """

    def __init__(self, kind: Kind, settings: Mapping[str, Any]) -> None:
        unknown = settings.keys() - kind.settings.keys() - _COMMON
        if unknown:
            wanted = ", ".join(sorted(kind.settings.keys() | _COMMON))
            raise TypeError(f"{kind.stage}() has no argument {', '.join(sorted(unknown))}; it takes {wanted}")
        self._kind = kind
        self._settings = settings
        self._reading = Reading(kind.reads, settings.get("extract"), settings.get("delta"))
        self._plan: Plan | None = None
        self._open: list[StageSpan] = []

    def __call__(self, function: F) -> F:
        """Decorates a function, method, class method, static method, partial or callable object."""
        if isinstance(function, staticmethod | classmethod):
            return type(function)(self(function.__func__))
        if isinstance(function, type) or not callable(function):
            raise TypeError(
                f"found {type(function).__name__}, {self._kind.stage}() decorates functions and callable objects; "
                f"values are passed by name, as in {self._kind.stage}(name=...)"
            )
        return wrap(function, make_plan(self._kind, self._settings, self._reading, function))

    def __enter__(self) -> StageSpan:
        if self._plan is None:
            self._plan = make_plan(self._kind, self._settings, self._reading, None)
        stage = begin(self._plan, (), {})
        if stage is None:
            return NOWHERE
        self._open.append(stage)
        return stage

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stage = self._innermost()
        if stage is not None:
            fail(stage, error) if error is not None else _close(stage)

    async def __aenter__(self) -> StageSpan:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, trace)

    def _innermost(self) -> StageSpan | None:
        """Finds the handle of the ``with`` that is being left: the one current here, else the latest."""
        current = get_value(STAGE_KEY)
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place] is current:
                return self._open.pop(place)
        return self._open.pop() if self._open else None


def _close(stage: StageSpan) -> None:
    stage.leave()
    stage.end()

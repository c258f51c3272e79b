"""Wrapping a function so that each of its calls is one span, for every way in which Python can call."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from opentelemetry.context import Context, get_current

from otel_ragfault.capture._begin import begin
from otel_ragfault.capture._context import enter
from otel_ragfault.capture._failures import Guard
from otel_ragfault.capture._plan import Plan, function_name
from otel_ragfault.capture._span import StageSpan
from otel_ragfault.capture._streams import AsyncStream, Stream

F = TypeVar("F", bound=Callable[..., Any])

_RESULT = Guard("result")
_WHOLE = frozenset({list, tuple, dict, str, type(None)})
"""Common results that are never iterators nor awaitables; looking no further saves time."""


def wrap(function: F, plan: Plan) -> F:
    """Returns the function, traced; its signature, name and kind are those of the original."""
    if _is(inspect.isasyncgenfunction, function):
        wrapper = _async_generator(function, plan)
    elif _is(inspect.isgeneratorfunction, function):
        wrapper = _generator(function, plan)
    elif _is(inspect.iscoroutinefunction, function):
        wrapper = _coroutine(function, plan)
    else:
        wrapper = _plain(function, plan)
    if inspect.isroutine(function):
        return functools.update_wrapper(wrapper, function)  # type: ignore[return-value]
    wrapper.__name__ = wrapper.__qualname__ = function_name(function)
    return functools.update_wrapper(wrapper, function, updated=())  # type: ignore[return-value]  # its state stays its own


def finish(stage: StageSpan, plan: Plan, result: Any) -> Any:
    """Ends a call that returned: at once, or when the stream or awaitable that it returned is done."""
    if type(result) not in _WHOLE and stage.recording:
        with _RESULT:
            later = _later(stage, plan, result)
            if later is not None:
                stage.leave()
                return later
    stage.leave()
    try:
        plan.reading.write(stage, result, stage.view)
    finally:
        stage.end()
    return result


def fail(stage: StageSpan, error: BaseException) -> None:
    """Ends a call that raised."""
    stage.leave()
    stage.end(error)


def _later(stage: StageSpan, plan: Plan, result: Any) -> Any:
    """Returns what to hand to the caller if the result is yet to come; ``None`` if it is here."""
    kind, context = type(result), get_current()
    if callable(getattr(kind, "__next__", None)):
        return Stream(result, stage, context, plan.reading.pieces(stage.view))
    if callable(getattr(kind, "__anext__", None)):
        return AsyncStream(result, stage, context, plan.reading.pieces(stage.view))
    if inspect.iscoroutine(result):
        return _awaited(result, stage, context, plan)
    if hasattr(kind, "add_done_callback"):
        result.add_done_callback(lambda future: _done(future, stage, plan))
        return result
    return None


async def _awaited(result: Any, stage: StageSpan, context: Context, plan: Plan) -> Any:
    stage.mark = enter(context)
    try:
        value = await result
    except BaseException as error:
        fail(stage, error)
        raise
    return finish(stage, plan, value)


def _done(future: Any, stage: StageSpan, plan: Plan) -> None:
    """Ends a call that returned a future."""
    if future.cancelled():
        stage.end()
        return
    with _RESULT:
        error = future.exception()
        if error is None:
            plan.reading.write(stage, future.result(), stage.view)
        stage.end(error)


def _plain(function: Callable[..., Any], plan: Plan) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        stage = begin(plan, args, kwargs)
        if stage is None:
            return function(*args, **kwargs)
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            fail(stage, error)
            raise
        return finish(stage, plan, result)

    return wrapper


def _coroutine(function: Callable[..., Any], plan: Plan) -> Callable[..., Any]:
    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        stage = begin(plan, args, kwargs)
        if stage is None:
            return await function(*args, **kwargs)
        try:
            result = await function(*args, **kwargs)
        except BaseException as error:
            fail(stage, error)
            raise
        return finish(stage, plan, result)

    return wrapper


def _generator(function: Callable[..., Any], plan: Plan) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        stage = begin(plan, args, kwargs)
        return (yield from _stream(function, plan, stage, args, kwargs))

    return wrapper


def _async_generator(function: Callable[..., Any], plan: Plan) -> Callable[..., Any]:
    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        stage = begin(plan, args, kwargs)
        stream = _stream(function, plan, stage, args, kwargs)
        step: Callable[..., Any] = stream.__anext__
        given: tuple[Any, ...] = ()
        while True:
            try:
                item = await step(*given)
            except StopAsyncIteration:
                return
            try:
                sent = yield item
            except GeneratorExit:
                await stream.aclose()
                raise
            except BaseException as error:  # noqa: BLE001  # it goes to the generator behind, as all of them do
                step, given = stream.athrow, (error,)
            else:
                step, given = stream.asend, (sent,)

    return wrapper


def _stream(
    function: Callable[..., Any], plan: Plan, stage: StageSpan | None, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Calls a generator function, whose body does not run yet, and records what comes of it."""
    if stage is None:
        return function(*args, **kwargs)
    try:
        inner = function(*args, **kwargs)
    except BaseException as error:
        fail(stage, error)
        raise
    wanted = AsyncStream if hasattr(type(inner), "__anext__") else Stream
    context = get_current()
    stage.leave()
    return wanted(inner, stage, context, plan.reading.pieces(stage.view))


def _is(question: Callable[[Any], bool], function: Any) -> bool:
    """Asks about a function, or about the ``__call__`` of a callable object."""
    return question(function) or (not inspect.isroutine(function) and question(type(function).__call__))

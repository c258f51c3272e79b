"""Iterators that are handed on to the caller and recorded as the caller consumes them.

The span is current only while the body behind the iterator runs: between two items the caller's own context is as if
there were no span. It ends once: at the last item, at an error, when the stream is closed, or when it is forgotten.
"""

import inspect
from collections.abc import Callable
from typing import Any, Self

from opentelemetry.context import Context, get_current

from otel_ragfault.capture._context import enter, leave
from otel_ragfault.capture._failures import Guard
from otel_ragfault.capture._outcomes import Pieces
from otel_ragfault.capture._span import StageSpan

_STREAM = Guard("stream")


class _Recorded:
    """What both kinds of stream share: the iterator behind, the running stage, and the pieces so far.

    All members that are not defined here are those of the iterator behind, so that the ``response`` of a client's
    stream, or ``gi_frame`` of a generator, can still be reached; ``isinstance`` sees its class.
    """

    __slots__ = ("__weakref__", "_context", "_inner", "_pieces", "_stage")

    def __init__(self, inner: Any, stage: StageSpan, context: Context, pieces: Pieces) -> None:
        self._inner = inner
        self._stage = stage
        self._pieces = pieces
        self._context = context

    @property  # type: ignore[misc]  # read-only on purpose
    def __class__(self) -> type:
        return type(self._inner)

    def __getattr__(self, name: str) -> Any:
        if name in _Recorded.__slots__:  # a copy that was never initialised
            raise AttributeError(name)
        return getattr(self._inner, name)

    def __repr__(self) -> str:
        return repr(self._inner)

    def __del__(self) -> None:
        if hasattr(self, "_stage"):
            self._end(exhausted=False)

    def _end(self, *, exhausted: bool, error: BaseException | None = None) -> None:
        stage = self._stage
        if stage.recording:
            with _STREAM:
                self._pieces.write(stage, exhausted=exhausted)
            stage.end(error)

    def _observe(self, item: Any) -> None:
        if self._stage.recording:
            with _STREAM:
                self._pieces.add(item)


class Stream(_Recorded):
    """A recorded iterator or generator."""

    __slots__ = ()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return self._step(self._inner.__next__)

    def send(self, value: Any) -> Any:
        """Sends a value to the generator behind."""
        return self._step(self._inner.send, value)

    def throw(self, *error: Any) -> Any:
        """Raises an exception inside of the generator behind."""
        return self._step(self._inner.throw, *error)

    def close(self) -> Any:
        """Closes the iterator behind, if it can be closed, and ends the span."""
        close = getattr(self._inner, "close", None)
        return self._closing(close) if close is not None else self._end(exhausted=False)

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(self, *error: object) -> Any:
        return self._closing(self._inner.__exit__, *error)

    def _step(self, call: Callable[..., Any], *args: Any) -> Any:
        mark = enter(self._context)
        try:
            item = call(*args)
        except (StopIteration, GeneratorExit) as stop:
            self._end(exhausted=isinstance(stop, StopIteration))
            raise
        except BaseException as error:
            self._end(exhausted=False, error=error)
            raise
        finally:
            self._context = get_current()  # a span that the body has entered is current again at its next step
            leave(mark)
        self._observe(item)
        return item

    def _closing(self, call: Callable[..., Any], *args: Any) -> Any:
        mark = enter(self._context)
        failure: BaseException | None = None
        try:
            return call(*args)
        except BaseException as error:
            failure = None if any(one is error for one in args) else error
            raise
        finally:
            leave(mark)
            self._end(exhausted=False, error=failure)


class AsyncStream(_Recorded):
    """A recorded asynchronous iterator or generator."""

    __slots__ = ()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        return await self._step(self._inner.__anext__)

    async def asend(self, value: Any) -> Any:
        """Sends a value to the generator behind."""
        return await self._step(self._inner.asend, value)

    async def athrow(self, *error: Any) -> Any:
        """Raises an exception inside of the generator behind.

        A cancellation is thrown into a stream that is suspended when its consumer is gone: that is no error of it.
        """
        from asyncio import CancelledError  # here: not every pipeline needs asyncio

        if error and isinstance(error[0], CancelledError):
            return await self._closing(self._inner.athrow, *error)
        return await self._step(self._inner.athrow, *error)

    async def aclose(self) -> Any:
        """Closes the iterator behind, if it can be closed, and ends the span."""
        close = getattr(self._inner, "aclose", None)
        return await self._closing(close) if close is not None else self._end(exhausted=False)

    def close(self) -> Any:
        """Closes the stream of a client whose method has this name, whether it is to be awaited or not."""
        if inspect.iscoroutinefunction(self._inner.close):
            return self._closing(self._inner.close)
        try:
            return self._inner.close()
        finally:
            self._end(exhausted=False)

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> Any:
        return await self._closing(self._inner.__aexit__, *error)

    async def _step(self, call: Callable[..., Any], *args: Any) -> Any:
        mark = enter(self._context)
        try:
            item = await call(*args)
        except (StopAsyncIteration, GeneratorExit) as stop:
            self._end(exhausted=isinstance(stop, StopAsyncIteration))
            raise
        except BaseException as error:
            self._end(exhausted=False, error=error)
            raise
        finally:
            self._context = get_current()
            leave(mark)
        self._observe(item)
        return item

    async def _closing(self, call: Callable[..., Any], *args: Any) -> Any:
        mark = enter(self._context)
        failure: BaseException | None = None
        try:
            return await call(*args)
        except BaseException as error:
            failure = None if any(one is error for one in args) else error
            raise
        finally:
            leave(mark)
            self._end(exhausted=False, error=failure)

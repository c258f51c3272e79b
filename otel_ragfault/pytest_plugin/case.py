"""One gold case in a test: runs the user's pipeline on its question, and fails with the card when it is no pass."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

import pytest
from opentelemetry import baggage, context, trace

from otel_ragfault import semconv
from otel_ragfault.counting import counted
from otel_ragfault.pytest_plugin.verdict import Verdict

if TYPE_CHECKING:
    from otel_ragfault.model import GoldCase
    from otel_ragfault.pytest_plugin.bench import Bench, Labelled
    from otel_ragfault.pytest_plugin.capturing import Captured
    from otel_ragfault.pytest_plugin.verdict import Judge

_TRACER = f"{semconv.SCOPE_NAME}.pytest"
_SHOWN = 5


class RagfaultCase:
    """A gold case, and what the pipeline made of it.

    Three ways to run it: :meth:`check` for a function, :meth:`acheck` inside a test that is a coroutine, and ``with
    case as question:`` around anything else, such as a request to a service in this process.

    Attributes:
        gold: the case as the gold file has it.
        answer: what the pipeline returned to :meth:`check`.
        requests: what was labelled, newest first; empty before.
    """

    def __init__(self, gold: "GoldCase", captured: "Captured", bench: "Bench", judge: "Judge") -> None:
        self.gold = gold
        self.answer: Any = None
        self.requests: list[Labelled] = []
        self._captured = captured
        self._bench = bench
        self._judge = judge
        self._entered = ExitStack()
        self._since = datetime.now(UTC)

    @property
    def case_id(self) -> str:
        """The id of the case."""
        return self.gold.case_id

    @property
    def query(self) -> str:
        """The question."""
        return self.gold.query

    @property
    def label(self) -> str | None:
        """The label of the request, of several the worst; ``None`` before it was run."""
        return self._worst.label if self.requests else None

    def check(self, pipeline: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Run the pipeline on the question, and fail the test unless its label is a pass or what the baseline has.

        Args:
            pipeline: a function of the question, or a coroutine function. A stream that it returns is read to its end.
            args: further arguments of the pipeline.
            kwargs: further arguments of the pipeline.

        Returns:
            What the pipeline returned; of a stream the list of its pieces.
        """
        with self:
            found = pipeline(self.query, *args, **kwargs)
            if inspect.isawaitable(found) or inspect.isasyncgen(found):
                found = _run(found)
            self.answer = list(found) if inspect.isgenerator(found) else found
        return self.answer

    async def acheck(self, pipeline: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Do the same as :meth:`check` in a test that is a coroutine."""
        with self:
            found = await _finished(pipeline(self.query, *args, **kwargs))
            self.answer = list(found) if inspect.isgenerator(found) else found
        return self.answer

    def __enter__(self) -> str:
        self._since = datetime.now(UTC)
        tracer = self._captured.providers[0].get_tracer(_TRACER)
        carried = baggage.set_baggage(semconv.RAGFAULT_CASE_ID, self.case_id)
        token = context.attach(carried)
        self._entered.callback(context.detach, token)
        said = {semconv.RAGFAULT_CASE_ID: self.case_id}
        self._entered.enter_context(
            tracer.start_as_current_span(f"gold case {self.case_id}", kind=trace.SpanKind.INTERNAL, attributes=said)
        )
        return self.query

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _traceback: TracebackType | None
    ) -> bool:
        self._entered.close()
        if error is not None and not isinstance(error, Exception):
            return False  # somebody ends the run, or the test ended itself
        return self._settle(error)

    def _settle(self, error: Exception | None) -> bool:
        """Label what was captured; raise what the test ends with. Return whether an error of the pipeline was known."""
        self.requests = self._bench.label(list(self._captured), self.case_id, self._since)
        if not self.requests:
            if error is None:
                pytest.fail(_nothing_found(self._captured), pytrace=False)
            return False
        verdict = self._judge(self._worst, None if error is None else f"{type(error).__name__}: {error}")
        if verdict.kind is Verdict.KNOWN:
            pytest.xfail(verdict.text)
        if verdict.kind is Verdict.FAILS:
            if error is None:
                pytest.fail(verdict.text, pytrace=False)
            error.add_note(f"\n{verdict.text}")
        return False

    @property
    def _worst(self) -> "Labelled":
        return next((one for one in self.requests if not one.passed), self.requests[0])

    def __repr__(self) -> str:
        return f"RagfaultCase({self.case_id!r}, label={self.label!r})"


async def _finished(found: Any) -> Any:
    if inspect.isawaitable(found):
        found = await found
    return [piece async for piece in found] if inspect.isasyncgen(found) else found


def _run(found: "Awaitable[Any] | AsyncIterator[Any]") -> Any:
    """Run what a pipeline returned to its end, in an event loop of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_finished(found))
    if inspect.iscoroutine(found):
        found.close()
    pytest.fail("check was called inside an event loop; write: await ragfault_case.acheck(pipeline)", pytrace=False)


def _nothing_found(captured: "Captured") -> str:
    spans = [
        span for span in captured if span.instrumentation_scope is None or span.instrumentation_scope.name != _TRACER
    ]
    wanted = "wanted spans of retrieval, assembly and generation; use the decorators of otel_ragfault, "
    if not spans:
        return (
            f"ragfault: no span of the pipeline was captured; {wanted}or an instrumentation, and name tracer providers "
            "that are not the global one in the fixture ragfault_providers"
        )
    names = list(dict.fromkeys(span.name for span in spans))
    return (
        f"ragfault: no request of a RAG pipeline was found in {counted(len(spans), 'captured span')} "
        f"({', '.join(names[:_SHOWN])}); {wanted}an instrumentation that is known, or a mapping in ragfault.toml"
    )

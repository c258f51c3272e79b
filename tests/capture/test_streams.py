"""Streams go through untouched and are recorded as they are consumed."""

import asyncio
import contextlib
import contextvars
import gc
import inspect
import logging
import threading

import pytest
from opentelemetry import trace
from opentelemetry.trace import StatusCode

from otel_ragfault import semconv
from otel_ragfault.capture import current_stage, generation, retrieval

ANSWER = '[{"role":"assistant","parts":[{"type":"text","content":"8 hours"}]}]'
PIECES = ["8 ", "hours"]


@pytest.fixture(autouse=True)
def with_content(recorded, no_failures, caplog):
    recorded.capture(content=True)
    yield
    gc.collect()
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def nothing_is_current():
    return not trace.get_current_span().get_span_context().is_valid


@generation
def generated(prompt="p"):
    assert not nothing_is_current()
    for piece in PIECES:
        yield piece
        assert not nothing_is_current()
    return "end"


@generation
async def generated_async(prompt="p"):
    for piece in PIECES:
        yield piece
        await asyncio.sleep(0)
        assert not nothing_is_current()


def test_a_generator_is_recorded_when_it_ends(recorded):
    stream = generated()
    assert inspect.isgenerator(stream)

    assert list(stream) == PIECES
    assert recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES) == ANSWER


def test_the_span_is_current_only_inside_the_body(recorded):
    with recorded.tracer.start_as_current_span("caller") as caller:
        for _ in generated():
            assert trace.get_current_span() is caller
        assert trace.get_current_span() is caller

    assert recorded.named("chat generated").parent.span_id == caller.get_span_context().span_id


def test_a_span_that_the_body_holds_open_is_current_again_at_its_next_step(recorded):
    @generation
    def body():
        with recorded.tracer.start_as_current_span("inner") as inner:
            yield "a"
            assert trace.get_current_span() is inner
            yield "b"

    for _ in body():
        assert nothing_is_current()

    assert recorded.named("inner").parent.span_id == recorded.named("chat body").context.span_id


ABANDON = {
    "closed": lambda stream: stream.close(),
    "forgotten": lambda stream: None,
}


@pytest.mark.parametrize("abandon", ABANDON.values(), ids=ABANDON.keys())
def test_an_abandoned_stream_ends_its_span_once_with_what_was_consumed(recorded, abandon):
    stream = generated()
    next(stream)
    abandon(stream)
    del stream
    gc.collect()

    span = recorded.only()
    assert '"8 "' in span.attributes[semconv.GEN_AI_OUTPUT_MESSAGES]
    assert span.status.status_code is StatusCode.UNSET
    assert nothing_is_current()


def test_a_stream_closed_in_another_context_leaves_that_context_alone(recorded):
    stream = generated()
    contextvars.copy_context().run(next, stream)
    with recorded.tracer.start_as_current_span("other") as other:
        contextvars.copy_context().run(stream.close)
        assert trace.get_current_span() is other

    assert len(recorded.all) == 2


def test_a_generator_that_is_never_started_has_no_span(recorded):
    generated().close()

    assert recorded.all == ()


def test_send_throw_and_the_return_value_go_through(recorded):
    @generation
    def body():
        got = yield "a"
        try:
            yield got
        except KeyError:
            yield "caught"
        return "end"

    stream = body()
    assert next(stream) == "a"
    assert stream.send("b") == "b"
    assert stream.throw(KeyError("k")) == "caught"
    with pytest.raises(StopIteration) as stop:
        next(stream)
    assert stop.value.value == "end"
    assert '"abcaught"' in recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES)


def test_asend_athrow_and_aclose_go_through(recorded):
    closed = []

    @generation
    async def body():
        try:
            got = yield "a"
            try:
                yield got
            except KeyError:
                yield "caught"
        finally:
            await asyncio.sleep(0)
            closed.append(True)

    async def main():
        stream = body()
        assert inspect.isasyncgen(stream)
        assert await stream.asend(None) == "a"
        assert await stream.asend("b") == "b"
        assert await stream.athrow(KeyError("k")) == "caught"
        await stream.aclose()

    asyncio.run(main())
    assert closed == [True]
    assert '"abcaught"' in recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES)


def test_an_async_generator_is_recorded_and_current_only_inside(recorded):
    async def main():
        assert [piece async for piece in generated_async() if nothing_is_current()] == PIECES

    asyncio.run(main())
    assert recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES) == ANSWER


def test_an_async_generator_left_early_ends_its_span(recorded):
    async def main():
        async for _ in generated_async():
            break

    asyncio.run(main())
    gc.collect()
    assert '"8 "' in recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES)


def test_a_stream_still_suspended_when_its_loop_ends_is_abandoned_not_failed(recorded):
    async def main():
        stream = generated_async()
        await stream.__anext__()

    asyncio.run(main())
    gc.collect()
    assert recorded.only().status.status_code is StatusCode.UNSET
    assert '"8 "' in recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES)


def test_an_async_generator_forgotten_without_a_loop_ends_its_span(recorded):
    stream = generated_async()
    with pytest.raises(StopIteration):
        stream.asend(None).send(None)
    del stream
    gc.collect()

    assert '"8 "' in recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES)


def test_a_stream_closed_by_another_thread_ends_its_span(recorded):
    stream = generated()
    next(stream)
    thread = threading.Thread(target=stream.close)
    thread.start()
    thread.join()

    assert recorded.only().status.status_code is StatusCode.UNSET


def test_a_traced_generator_may_serve_as_context_manager(recorded):
    @contextlib.contextmanager
    @generation
    def served():
        yield "8 hours"

    with served() as piece:
        assert piece == "8 hours"
        assert nothing_is_current()

    assert recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES) == ANSWER


def test_a_cancelled_consumer_ends_the_span(recorded):
    @generation
    async def slow():
        yield "a"
        await asyncio.sleep(60)

    async def consume():
        async for _ in slow():
            pass

    async def main():
        task = asyncio.create_task(consume())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert recorded.attribute(semconv.ERROR_TYPE).endswith("CancelledError")


def test_the_body_may_record_by_hand(recorded):
    @generation
    def body():
        yield "8 "
        current_stage().record_answer(citations=["a"])
        yield "hours"

    list(body())
    assert recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES) == ANSWER
    assert recorded.json(semconv.RAGFAULT_CITATIONS) == ["a"]


def test_a_one_shot_ranking_is_not_consumed_for_the_caller(recorded):
    found = retrieval(complete=True)(lambda: iter([("a", 0.5), ("b", 0.4)]))()

    assert recorded.all == ()
    assert list(found) == [("a", 0.5), ("b", 0.4)]
    assert recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS) == [{"id": "a", "score": 0.5}, {"id": "b", "score": 0.4}]
    assert recorded.attribute(semconv.RAGFAULT_RETRIEVAL_COMPLETE) is True


def test_a_ranking_that_is_not_read_to_its_end_is_not_complete(recorded):
    @retrieval(complete=True)
    def search():
        yield ("a", 0.5)
        yield ("b", 0.4)

    stream = search()
    next(stream)
    stream.close()

    assert recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS) == [{"id": "a", "score": 0.5}]
    assert recorded.attribute(semconv.RAGFAULT_RETRIEVAL_COMPLETE) is False


def test_an_error_in_a_stream_keeps_what_was_consumed(recorded):
    error = ValueError("late")

    @generation
    def body():
        yield "8 "
        raise error

    with pytest.raises(ValueError, match="late") as raised:
        list(body())

    assert raised.value is error
    span = recorded.only()
    assert span.status.status_code is StatusCode.ERROR
    assert span.attributes[semconv.ERROR_TYPE] == "ValueError"
    assert '"8 "' in span.attributes[semconv.GEN_AI_OUTPUT_MESSAGES]


def test_interleaved_streams_keep_apart(recorded):
    first, second = generated(), generated()
    for _ in zip(first, second, strict=False):
        assert nothing_is_current()

    assert len(recorded.all) == 1
    second.close()
    assert len(recorded.all) == 2

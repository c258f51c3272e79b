"""Every kind of callable stays what it was: signature, kind, result, exception."""

import asyncio
import functools
import inspect
import pickle
from concurrent.futures import Future, ThreadPoolExecutor
from unittest.mock import Mock

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ParentBased

from otel_ragfault import semconv
from otel_ragfault.capture import capture_failures, generation, in_current_context, request, retrieval, set_capture

HITS = [("a", 1.0)]


def search(query: str, *, k: int = 2) -> list:
    """Finds."""
    return HITS


async def search_async(query: str, *, k: int = 2) -> list:
    return HITS


def search_gen(query: str, *, k: int = 2):
    yield from HITS


async def search_async_gen(query: str, *, k: int = 2):
    yield HITS[0]


class Index:
    @retrieval
    def method(self, query):
        return HITS

    @retrieval
    @staticmethod
    def static(query):
        return HITS

    @retrieval
    @classmethod
    def of_class(cls, query):
        assert cls is Index
        return HITS

    @staticmethod
    @retrieval
    def static_inside(query):
        return HITS

    def __call__(self, query):
        return HITS


class AsyncIndex:
    async def __call__(self, query):
        return HITS


@pytest.mark.parametrize("function", [search, search_async, search_gen, search_async_gen], ids=lambda f: f.__name__)
def test_signature_name_and_kind_are_preserved(function):
    traced = retrieval(k=3)(function)

    assert inspect.signature(traced) == inspect.signature(function)
    assert (traced.__name__, traced.__doc__, traced.__module__) == (function.__name__, function.__doc__, __name__)
    for kind in ("iscoroutinefunction", "isgeneratorfunction", "isasyncgenfunction"):
        assert getattr(inspect, kind)(traced) == getattr(inspect, kind)(function)


CALLS = {
    "function": (retrieval(search), "search"),
    "method": (Index().method, "method"),
    "static method": (Index.static, "static"),
    "static method, decorated inside": (Index.static_inside, "static_inside"),
    "class method": (Index.of_class, "of_class"),
    "partial": (retrieval(functools.partial(search, k=3)), "search"),
    "callable object": (retrieval(Index()), "Index"),
    "lambda": (retrieval(lambda query: HITS), "<lambda>"),
}


@pytest.mark.parametrize(("call", "name"), CALLS.values(), ids=CALLS.keys())
def test_every_kind_of_callable_is_traced(recorded, no_failures, call, name):
    recorded.capture(content=True)

    assert call("what?") is HITS

    assert recorded.only().name == f"retrieval {name}"
    assert recorded.attribute(semconv.GEN_AI_RETRIEVAL_QUERY_TEXT) == "what?"
    assert recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS) == [{"id": "a", "score": 1.0}]


AWAITED = {
    "coroutine function": retrieval(search_async),
    "partial": retrieval(functools.partial(search_async, k=3)),
    "callable object": retrieval(AsyncIndex()),
    "function that returns a coroutine": retrieval(lambda query, k=1: search_async(query, k=k)),
}


@pytest.mark.parametrize("call", AWAITED.values(), ids=AWAITED.keys())
def test_every_kind_of_awaitable_is_traced(recorded, no_failures, call):
    async def main():
        assert await call("what?") is HITS
        assert not trace.get_current_span().get_span_context().is_valid

    asyncio.run(main())

    assert recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS) == [{"id": "a", "score": 1.0}]


def test_a_future_is_handed_on_and_read_when_it_is_done(recorded, no_failures):
    future = Future()

    assert retrieval(lambda: future)() is future
    assert recorded.all == ()
    future.set_result(HITS)

    assert recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS) == [{"id": "a", "score": 1.0}]


def test_parallel_tasks_are_children_of_the_request_and_keep_apart(recorded, no_failures):
    @retrieval(k="k")
    async def find(k):
        await asyncio.sleep(0.001 * (3 - k))
        return [str(k)]

    @request
    async def ask(question):
        return await asyncio.gather(*(find(k) for k in range(3)))

    assert asyncio.run(ask("q")) == [["0"], ["1"], ["2"]]

    *found, root = recorded.all
    assert {one.parent.span_id for one in found} == {root.context.span_id}
    assert all(
        f'"{one.attributes[semconv.GEN_AI_RETRIEVAL_TOP_K]}"' in one.attributes[semconv.GEN_AI_RETRIEVAL_DOCUMENTS]
        for one in found
    )


def test_threads_get_the_context_when_it_is_bound(recorded, no_failures):
    with ThreadPoolExecutor(4) as pool, request(case_id="c") as root:
        bound = in_current_context(retrieval(search))
        results = list(pool.map(bound, ["q"] * 20))

    assert all(result is HITS for result in results)
    *found, _ = recorded.all
    assert {one.parent.span_id for one in found} == {root.span.get_span_context().span_id}
    assert {one.attributes[semconv.RAGFAULT_CASE_ID] for one in found} == {"c"}


def test_nested_calls_nest(recorded, no_failures):
    inner = retrieval(name="inner")(search)
    outer = retrieval(name="outer")(lambda query: list(inner(query)))

    outer("q")

    first, second = recorded.all
    assert (first.name, second.name) == ("retrieval inner", "retrieval outer")
    assert first.parent.span_id == second.context.span_id


def test_a_callable_object_keeps_its_state_to_itself(recorded):
    index = Index()
    index.cache = {"large": 1}
    traced = retrieval(index)

    assert (traced.__name__, traced.__wrapped__) == ("Index", index)
    assert not hasattr(traced, "cache")


def test_a_parameter_that_does_not_exist_is_told_when_the_function_is_decorated(recorded):
    retrieval(query="quesion", k="limit")(search)

    assert capture_failures() == {"parameter": 2}


def test_a_traced_function_can_be_pickled(recorded):
    assert pickle.loads(pickle.dumps(Index.static)) is Index.static  # noqa: S301  # what was pickled here


def test_a_mock_can_be_traced(recorded, no_failures):
    assert retrieval(Mock(return_value=HITS))("q") is HITS


def test_sampled_out_spans_keep_their_children_out(recorded, no_failures):
    provider = TracerProvider(sampler=ParentBased(ALWAYS_OFF))
    provider.add_span_processor(SimpleSpanProcessor(recorded.exporter))
    set_capture(content=True, tracer_provider=provider)
    stream = generation(lambda: iter(["a"]))

    with request(case_id="c"):
        assert list(stream()) == ["a"]
        assert retrieval(search)("q") is HITS
        provider.get_tracer("other").start_span("child").end()

    assert recorded.all == ()


def test_wrong_arguments_raise_what_they_always_raised(recorded):
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'query'"):
        retrieval(search)()

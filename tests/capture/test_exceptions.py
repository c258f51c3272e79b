"""The user's exception reaches the user, whatever it is; the span says what happened."""

import asyncio
import gc
import threading
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace import SpanProcessor
from opentelemetry.trace import StatusCode

from otel_ragfault import semconv
from otel_ragfault.capture import capture_failures, generation, request, retrieval


class MuteError(Exception):
    def __str__(self):
        raise RuntimeError("no")

    __repr__ = __str__


class Odd(BaseException):
    pass


ERRORS = {
    "common": (ValueError("bad"), "ValueError", "bad"),
    "of a module": (Odd("odd"), "Odd", "odd"),
    "interrupt": (KeyboardInterrupt(), "KeyboardInterrupt", ""),
    "exit": (SystemExit(3), "SystemExit", "3"),
    "cancelled": (asyncio.CancelledError(), "CancelledError", ""),
    "stop iteration": (StopIteration("x"), "StopIteration", "x"),
    "lone surrogate": (ValueError("\udc80"), "ValueError", "\\udc80"),
    "nul": (ValueError("a\0b"), "ValueError", "a\0b"),
    "unprintable": (MuteError(), "MuteError", None),
    "group": (ExceptionGroup("many", [ValueError("bad")]), "ExceptionGroup", "many (1 sub-exception)"),
}


@pytest.mark.parametrize(("error", "kind", "message"), ERRORS.values(), ids=ERRORS.keys())
def test_an_exception_passes_unchanged_and_ends_the_span(recorded, error, kind, message):
    @retrieval
    def search(query):
        raise error

    with pytest.raises(type(error)) as raised:
        search("q")

    assert raised.value is error
    assert raised.traceback[-1].name == "search"

    span = recorded.only()
    assert span.status.status_code is StatusCode.ERROR
    assert span.attributes[semconv.ERROR_TYPE].split(".")[-1] == kind
    (event,) = span.events
    assert event.name == "exception"
    assert event.attributes.get("exception.message") == message
    assert "search" in event.attributes["exception.stacktrace"]
    for text in (span.status.description, *event.attributes.values()):
        text.encode()


@pytest.mark.parametrize(
    "error", [ValueError("bad"), MuteError(), asyncio.CancelledError()], ids=["common", "unprintable", "cancelled"]
)
def test_so_it_does_from_coroutines_and_context_managers(recorded, error):
    @retrieval
    async def search(query):
        raise error

    async def use():
        async with generation(model="m"):
            await search("q")

    with pytest.raises(type(error)) as raised:
        use().send(None)  # without a loop: asyncio itself fails on an exception that has no repr

    assert raised.value is error
    assert [span.status.status_code for span in recorded.all] == [StatusCode.ERROR] * 2


def test_an_error_message_passes_the_redaction(recorded):
    recorded.capture(redact=lambda text: text.replace("secret", "***"))

    with pytest.raises(ValueError, match="secret"), request():
        raise ValueError("secret")

    span = recorded.only()
    assert "secret" not in str(span.status.description) + str([dict(event.attributes) for event in span.events])


def test_a_coroutine_that_is_dropped_half_way_ends_its_span(recorded):
    class Never:
        def __await__(self):
            yield

    @retrieval
    async def search(query):
        await Never()

    coroutine = search("q")
    coroutine.send(None)
    coroutine.close()

    assert recorded.only().status.status_code is StatusCode.UNSET


def test_capture_keeps_neither_results_nor_exceptions_alive(recorded):
    class Result(list):
        pass

    gc.disable()
    try:
        result = retrieval(lambda: Result("ab"))()
        gone = weakref.ref(result)
        del result
        assert gone() is None
    finally:
        gc.enable()


class Hostile:
    """Raises wherever it is touched."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __str__(self):
        raise RuntimeError

    __repr__ = __len__ = __iter__ = __bool__ = __eq__ = __hash__ = __float__ = __str__


class Property:
    @property
    def id(self):
        raise RuntimeError("id")

    score = 0.5


class Text(str):
    __slots__ = ()

    def __str__(self):
        raise RuntimeError

    isascii = encode = __str__


class Real(float):
    def __float__(self):
        raise RuntimeError

    __sub__ = __str__ = __float__


class Whole(int):
    def __int__(self):
        raise RuntimeError

    __str__ = __repr__ = __int__


class Liar:
    """Raises when it is asked what it is, and has special methods that are none."""

    __next__ = __anext__ = None

    @property
    def __class__(self):
        raise RuntimeError

    def add_done_callback(self, call):
        raise RuntimeError

    def keys(self):
        raise RuntimeError

    __getitem__ = add_done_callback


class Locked:
    def __init__(self):
        self.id, self.lock = "a", threading.Lock()


def cyclic():
    found = {"id": "a", "score": 0.5}
    found["self"] = found
    return [found]


def nested():
    found = []
    found.append(found)
    return found


BAD = {
    "hostile": Hostile(),
    "list of hostile": [Hostile()],
    "pair of hostile": [(Hostile(), Hostile())],
    "hostile id": [(Hostile(), 0.5)],
    "hostile score": [("a", Hostile())],
    "raising property": [Property()],
    "lock": [Locked()],
    "cycle": cyclic(),
    "list in itself": nested(),
    "surrogates": [("\udc80", 0.5), ("\ud800a", 0.5)],
    "nul": [("a\0", 0.5)],
    "megabyte id": [("x" * 2**20, 0.5)],
    "method for id": [type("M", (), {"id": dict.copy})()],
    "huge whole number": [10**5000],
    "liar": Liar(),
    "list of liars": [Liar(), (Liar(), 0.5), ("a", Liar()), {"id": Liar()}],
    "module": threading,
    "class": Locked,
    "function": nested,
}


@pytest.mark.parametrize("name", BAD)  # by name: pytest, too, fails on some of them
@pytest.mark.parametrize("stage", [retrieval, generation, request], ids=lambda stage: stage.__name__)
def test_no_value_breaks_the_pipeline(recorded, stage, name):
    value = BAD[name]
    recorded.capture(content=True, redact=lambda text: text)

    assert stage(lambda query: query)(value) is value

    for text in recorded.only().attributes.values():
        if isinstance(text, str):
            text.encode()


def test_subclasses_are_taken_for_what_they_hold(recorded):
    hits = [(Text("a"), Real(0.5)), (Whole(7), Real("nan")), Text("c")]
    retrieval(k=Whole(5))(lambda: hits)()

    assert recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS) == [
        {"id": "a", "score": 0.5},
        {"id": "7", "score": None},
        {"id": "c", "score": None},
    ]
    assert recorded.attribute(semconv.GEN_AI_RETRIEVAL_TOP_K) == 5
    assert capture_failures() == {}


def test_a_failing_span_processor_of_others_does_not_reach_the_pipeline(recorded):
    class Broken(SpanProcessor):
        def on_end(self, span):
            raise RuntimeError

        def on_start(self, span, parent_context=None):
            if span.attributes.get(semconv.GEN_AI_RETRIEVAL_TOP_K) == 9:
                raise RuntimeError

    recorded.provider.add_span_processor(Broken())
    for k in (1, 9):
        assert retrieval(k=k)(lambda: ["a"])() == ["a"]
        with retrieval(k=k) as span:
            span.record_documents(["a"])

    assert capture_failures()["end"] == 2
    assert capture_failures()["start"] == 2


@given(
    error=st.builds(
        lambda name, base, args: type(name, (base,), {})(*args),
        st.text(st.characters(codec="ascii", categories=["L"]), min_size=1),
        st.sampled_from([Exception, BaseException, KeyError, OSError, UnicodeError]),
        st.lists(st.one_of(st.text(), st.binary(), st.floats(), st.none()), max_size=3),
    )
)
def test_law_any_exception_passes_unchanged(error):
    def work():
        raise error

    caught = None
    try:
        retrieval(work)()
    except BaseException as one:
        caught = one
    assert caught is error
    assert error.__cause__ is None
    assert error.__context__ is None

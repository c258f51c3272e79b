"""Streams of model clients: handed on as they are, and read for what they tell of the response."""

import asyncio
from types import SimpleNamespace as Thing

import pytest

from otel_ragfault import semconv
from otel_ragfault.capture import Answer, generation

ANSWER = '[{"role":"assistant","parts":[{"type":"text","content":"8 hours"}]}]'
PIECES = ["8 ", "hours"]


@pytest.fixture(autouse=True)
def with_content(recorded, no_failures):
    recorded.capture(content=True)


def openai_chunk(text, **more):
    return Thing(
        choices=[Thing(delta=Thing(content=text), finish_reason=None)], model="m-2", id="r-1", usage=None, **more
    )


def openai_end():
    return [
        Thing(choices=[Thing(delta=Thing(content=None), finish_reason="stop")], model="m-2", id="r-1", usage=None),
        Thing(choices=[], model="m-2", id="r-1", usage=Thing(prompt_tokens=9, completion_tokens=2)),
    ]


class ClientStream:
    """The stream object of a model client: iterable once, with a response and a context manager."""

    def __init__(self, chunks):
        self._chunks = iter(chunks)
        self.response = "raw"
        self.closed = False

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._chunks)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.closed = True


def test_a_clients_stream_is_recorded_with_what_it_tells_of_the_response(recorded):
    inner = ClientStream([*map(openai_chunk, PIECES), *openai_end()])
    stream = generation(model="m")(lambda: inner)()

    assert isinstance(stream, ClientStream)
    assert stream.response == "raw"
    with stream as entered:
        assert len(list(entered)) == 4
    assert inner.closed

    attributes = recorded.only().attributes
    assert attributes[semconv.GEN_AI_OUTPUT_MESSAGES] == ANSWER
    assert attributes[semconv.GEN_AI_RESPONSE_MODEL] == "m-2"
    assert attributes[semconv.GEN_AI_RESPONSE_ID] == "r-1"
    assert attributes[semconv.GEN_AI_RESPONSE_FINISH_REASONS] == ("stop",)
    assert attributes[semconv.GEN_AI_USAGE_INPUT_TOKENS] == 9


def test_an_async_clients_stream_from_an_async_function(recorded):
    class Pure:
        def __init__(self):
            self._chunks = iter(map(openai_chunk, PIECES))
            self.closed = False

        def __aiter__(self):
            return self

        async def __anext__(self):
            for chunk in self._chunks:
                return chunk
            raise StopAsyncIteration

        async def close(self):
            self.closed = True

    inner = Pure()

    @generation
    async def call():
        return inner

    async def main():
        stream = await call()
        assert isinstance(stream, Pure)
        async for _ in stream:
            break
        await stream.close()

    asyncio.run(main())
    assert inner.closed
    assert '"8 "' in recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES)


@pytest.mark.parametrize(
    "pieces",
    [
        [{"delta": "8 "}, {"delta": "hours"}],
        [Thing(type="content_block_delta", delta=Thing(text="8 ")), Thing(type="x", delta=Thing(text="hours"))],
        [Thing(content="8 ", response_metadata={}), Thing(content=[{"type": "text", "text": "hours"}])],
        [Answer(text="8 "), Answer(text="hours", citations=["a"])],
    ],
    ids=["mappings", "anthropic", "langchain", "answers"],
)
def test_pieces_of_common_clients_are_joined(recorded, pieces):
    list(generation(lambda: iter(pieces))())

    assert recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES) == ANSWER


def test_delta_and_extract_tell_what_cannot_be_guessed(recorded):
    @generation(delta=lambda piece: piece[1], extract=lambda text: Answer(text=text, citations=[text[0]]))
    def body():
        yield from enumerate(PIECES)

    list(body())
    assert recorded.attribute(semconv.GEN_AI_OUTPUT_MESSAGES) == ANSWER
    assert recorded.json(semconv.RAGFAULT_CITATIONS) == ["8"]

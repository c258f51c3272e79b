"""Generators as users write them, good and bad; tests name them as ``file.py:function``."""

# ruff: noqa: T201, N818, S605
import asyncio
import ctypes
import functools
import os
import re
import sys
import time

from opentelemetry.trace import get_current_span

from otel_ragfault import Answer


def joined(question, chunks):
    return f"{question} " + " ".join(chunks)


def ids(question, chunks):
    return {"answer": "yes", "citations": [chunk.id for chunk in chunks], "decision": "answer"}


def as_answer(question, chunks):
    return Answer(text="yes", citations=chunks)


def as_pair(question, chunks):
    return "yes", ["c1"]


def as_stream(question, chunks):
    yield "y"
    yield "es"


async def as_coroutine(question, chunks):
    await asyncio.sleep(0)
    return "yes"


async def as_async_stream(question, chunks):
    yield "y"
    yield "es"


class Namespace:
    @staticmethod
    def inner(question, chunks):
        return "yes"


def one_loop(question, chunks):
    """Clients are often bound to the event loop that they were first used in."""

    async def loop():
        return str(id(asyncio.get_running_loop()))

    return loop()


def process(question, chunks):
    return str(os.getpid())


def trace(question, chunks):
    return format(get_current_span().get_span_context().trace_id, "032x")


async def trace_async(question, chunks):
    await asyncio.sleep(0)
    return trace(question, chunks)


def prints(question, chunks):
    print("noise " * 1000)
    os.write(1, b"more noise\n")
    return "yes"


def refuses(question, chunks):
    return {"answer": None, "decision": "refuse"}


def surrogate(question, chunks):
    return "half \ud83d"


def raises(question, chunks):
    raise ValueError("no index\nat all")


def raises_oddly(question, chunks):
    class Odd(Exception):
        def __str__(self):
            raise RuntimeError

    raise Odd


def raises_base(question, chunks):
    raise KeyboardInterrupt


async def raises_later(question, chunks):
    await asyncio.sleep(0)
    raise LookupError("later")


def stream_raises(question, chunks):
    yield "y"
    raise OSError("torn")


def hangs(question, chunks):
    time.sleep(60)


async def hangs_async(question, chunks):
    await asyncio.sleep(60)


def hangs_with_the_lock(question, chunks):
    re.fullmatch("(a|a)*b", "a" * 40)


def hangs_sometimes(question, chunks):
    if question == "hang":
        time.sleep(60)
    return "yes"


def starts_and_hangs(question, chunks):
    os.system(f"sleep 61.25 & echo $! > {question}; wait")


def nothing(question, chunks):
    return None


def megabytes(question, chunks):
    return "x" * 3_000_000


def endless_stream(question, chunks):
    while True:
        yield "x" * 100_000


def a_number(question, chunks):
    return 8


def a_list(question, chunks):
    return ["yes"]


def other_mapping(question, chunks):
    return {"text_of_answer": "yes"}


def number_in_mapping(question, chunks):
    return {"answer": 8}


def an_object(question, chunks):
    return object()


def bad_citations(question, chunks):
    return {"answer": "yes", "citations": "c1"}


def bad_decision(question, chunks):
    return {"answer": "yes", "decision": "perhaps"}


def empty_mapping(question, chunks):
    return {}


def no_text_in_mapping(question, chunks):
    return {"answer": None}


def wrong_parameters(question):
    return "yes"


def too_many_parameters(question, chunks, model):
    return "yes"


def takes_anything(*arguments, **settings):
    return "yes"


def _with_model(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments, "model")

    return wrapper


@_with_model
def wrapped(question, chunks, model):
    """Its signature names a parameter that its wrapper gives."""
    return question


def exits(question, chunks):
    sys.exit(3)


async def exits_async(question, chunks):
    sys.exit("done")


def exits_hard(question, chunks):
    print("out of luck", file=sys.stderr, flush=True)
    os._exit(3)


def crashes(question, chunks):
    ctypes.string_at(0)


not_callable = 8

from contextlib import closing
from pathlib import Path

import pytest

from otel_ragfault.jobs.generators import Chunk, Limits, open_generator

FILE = Path(__file__).parent / "bad_generators.py"
CHUNKS = [Chunk("c1", "one"), Chunk("c2", "two")]


@pytest.fixture
def ask():
    """A function that opens a generator by its text, asks it once, and closes it."""

    def asking(spec, question="why?", chunks=CHUNKS, timeout=20.0):
        limits = Limits(timeout=timeout)
        with closing(open_generator(spec, limits)) as generator:
            return generator.generate(question, chunks, limits)

    return asking


@pytest.fixture
def ask_function(ask):
    def asking(name, **others):
        return ask(f"{FILE}:{name}", **others)

    return asking

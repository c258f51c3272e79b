"""The user's generator, whatever it is: a function, an HTTP endpoint or a command, asked in one way.

    with closing(open_generator("my_app.rag:answer")) as generator:
        for call, made in generate_all(generator, [Call("case-1", question, chunks)]):
            print(call.key, made.answer or made.failure)

Nothing that a generator does ends a run: one that raises, hangs, dies or returns what is no answer has a
:class:`Failure` in its :class:`Generated`.
"""

from otel_ragfault.jobs.generators.context import unsampled
from otel_ragfault.jobs.generators.http import TOKEN_ENV
from otel_ragfault.jobs.generators.opening import WANTED, open_generator
from otel_ragfault.jobs.generators.running import Call, generate_all
from otel_ragfault.jobs.generators.values import (
    MAY_PASS,
    MOST_BYTES,
    Chunk,
    Failure,
    FailureKind,
    Generated,
    Generator,
    Limits,
)

__all__ = [
    "MAY_PASS",
    "MOST_BYTES",
    "TOKEN_ENV",
    "WANTED",
    "Call",
    "Chunk",
    "Failure",
    "FailureKind",
    "Generated",
    "Generator",
    "Limits",
    "generate_all",
    "open_generator",
    "unsampled",
]

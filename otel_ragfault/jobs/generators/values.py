"""What a generator is given, what it gives back, and within which limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, Self

MOST_BYTES: Final = 1_000_000
"""Bytes of UTF-8 that an answer may have; more is a failure, and is not kept."""

FailureKind = Literal[
    "raised",  # the user's code raised
    "timeout",  # no answer in time; what was asked has been stopped
    "died",  # the process ended without an answer
    "exited",  # the code called sys.exit
    "nothing",  # it returned, and returned nothing
    "wrong_type",  # it returned what is no answer
    "too_large",  # it returned more than MOST_BYTES
    "unreachable",  # no connection
    "unavailable",  # a status that asks to come back: 408, 425, 429, 5xx
    "http",  # another status that is not 2xx
]
"""Why there is no answer."""

MAY_PASS: Final[frozenset[FailureKind]] = frozenset({"timeout", "died", "unreachable", "unavailable"})
"""Failures that may be gone when the same is asked again."""


class Chunk(str):
    r"""A chunk as a generator gets it: its text, which is what it is as a ``str``, with its ``id``.

    ``"\n".join(chunks)`` is the context, ``[chunk.id for chunk in chunks]`` are the ids.
    """

    __slots__ = ("id",)

    id: str

    def __new__(cls, id: str, text: str) -> Self:  # noqa: A002, D102 - the name that people know; as the class says
        chunk = super().__new__(cls, text)
        chunk.id = id
        return chunk

    @property
    def text(self) -> str:
        """The text, as a plain ``str``."""
        return str.__str__(self)

    def __str__(self) -> str:
        return str.__str__(self)

    def __repr__(self) -> str:
        return f"Chunk(id={self.id!r}, text={str.__repr__(self)})"

    def __reduce__(self) -> tuple[type["Chunk"], tuple[str, str]]:
        return Chunk, (self.id, self.text)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer: what kind of failure, and one line about it."""

    kind: FailureKind
    message: str


@dataclass(frozen=True, slots=True)
class Generated:
    """What a generator made of a question and chunks.

    Attributes:
        answer: the text; ``None`` where there is none, which ``failure`` or ``decision`` explains.
        citations: ids of the chunks that it cites; ``None`` where it does not say.
        decision: ``answer``, ``refuse`` or ``clarify``, where the generator says so itself.
        failure: why there is no answer.
        seconds: how long it took.
        attempts: how often it was asked.
    """

    answer: str | None = None
    citations: tuple[str, ...] | None = None
    decision: str | None = None
    failure: Failure | None = None
    seconds: float = 0.0
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a run of a generator.

    Attributes:
        timeout: seconds for one call, after which it is stopped for good.
        concurrency: calls at a time.
        rate: calls a second at the most; ``None`` without a limit.
        retries: how often a call is made again whose failure may pass (:data:`MAY_PASS`).
        start_timeout: seconds that importing a function's module may take.
    """

    timeout: float = 60.0
    concurrency: int = 4
    rate: float | None = None
    retries: int = 0
    start_timeout: float = 300.0


class Generator(Protocol):
    """A generator of the user's, whatever it is.

    ``spec`` is how the user named it. ``identity`` tells it from others, and from itself before its code changed.
    """

    spec: str
    identity: str

    def generate(self, question: str, chunks: Sequence[Chunk], limits: Limits) -> Generated:
        """Ask once, from any thread. Raises nothing: what goes wrong is in the result."""
        ...

    def close(self) -> None:
        """End every process of it."""
        ...

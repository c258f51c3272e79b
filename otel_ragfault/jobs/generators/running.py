"""Ask a generator many times: so many at a time, no faster than allowed, until all is asked or nobody wants more."""

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Final, Generic, TypeVar

from otel_ragfault.jobs.generators.values import MAY_PASS, Chunk, Failure, Generated, Generator, Limits

Key = TypeVar("Key", bound=Hashable)

_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0


@dataclass(frozen=True, slots=True)
class Call(Generic[Key]):
    """A call to be made: whatever tells it from others, the question, and the chunks in their order."""

    key: Key
    question: str
    chunks: Sequence[Chunk]


def generate_all(
    generator: Generator,
    calls: Iterable[Call[Key]],
    limits: Limits | None = None,
    *,
    around: Callable[[Call[Key], Callable[[], Generated]], Generated] | None = None,
) -> Iterator[tuple[Call[Key], Generated]]:
    """Yield each call with what the generator made of it, as they end; nothing that a generator does is raised.

    Who stops iterating stops the calls that were not begun; those that run end within their time.

    Args:
        generator: who is asked.
        calls: what is asked.
        limits: how many at a time, how fast, how long.
        around: called in the thread of each call with the call and what makes it, for spans around it.
    """
    limits = limits or Limits()
    waiting: SimpleQueue[Call[Key]] = SimpleQueue()
    number = 0
    for call in calls:
        waiting.put(call)
        number += 1
    done: SimpleQueue[tuple[Call[Key], Generated | BaseException]] = SimpleQueue()
    crew = _Crew(generator, limits, around)
    for _ in range(min(limits.concurrency, number)):
        threading.Thread(target=crew.work, args=(waiting, done), name="ragfault-generator", daemon=True).start()
    try:
        for _ in range(number):
            call, found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield call, found
    finally:
        crew.stopped.set()


class _Crew(Generic[Key]):
    """What the threads share: the pace, and whether to go on."""

    def __init__(
        self,
        generator: Generator,
        limits: Limits,
        around: Callable[[Call[Key], Callable[[], Generated]], Generated] | None,
    ) -> None:
        self._generator = generator
        self._limits = limits
        self._around = around
        self._lock = threading.Lock()
        self._next_start = time.monotonic()
        self.stopped = threading.Event()

    def work(
        self,
        waiting: "SimpleQueue[Call[Key]]",
        done: "SimpleQueue[tuple[Call[Key], Generated | BaseException]]",
    ) -> None:
        while not self.stopped.is_set():
            try:
                call = waiting.get_nowait()
            except Empty:
                return
            try:
                done.put((call, self._made(call)))
            except BaseException as error:  # noqa: BLE001 - an error of ours ends the run, in the thread that reads
                done.put((call, error))

    def _made(self, call: Call[Key]) -> Generated:
        if self._around is None:
            return self._asked(call)
        return self._around(call, lambda: self._asked(call))

    def _asked(self, call: Call[Key]) -> Generated:
        attempt = 1
        while True:
            self._wait_for_turn()
            found = self._once(call)
            is_last = attempt > self._limits.retries or self.stopped.is_set()
            if found.failure is None or found.failure.kind not in MAY_PASS or is_last:
                return replace(found, attempts=attempt)
            self.stopped.wait(min(_FIRST_PAUSE * 2.0 ** (attempt - 1), _LONGEST_PAUSE))
            attempt += 1

    def _once(self, call: Call[Key]) -> Generated:
        try:
            return self._generator.generate(call.question, call.chunks, self._limits)
        except Exception as error:  # noqa: BLE001 - generators raise nothing; one of a test or of a user may
            return Generated(failure=Failure("raised", f"{type(error).__name__}: {error}"[:300]))

    def _wait_for_turn(self) -> None:
        if self._limits.rate is None:
            return
        with self._lock:
            start = max(self._next_start, time.monotonic())
            self._next_start = start + 1.0 / self._limits.rate
        self.stopped.wait(max(start - time.monotonic(), 0.0))

"""Ask many questions at once: retries, rate limits, budget, and when to give up.

Threads ask; whoever iterates gets each outcome as it comes and can stop at any time. A question that the budget did not
reach has no outcome: it is asked the next time.
"""

import random
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final

from otel_ragfault.judging.model.budget import Budget
from otel_ragfault.judging.model.checklists import Checklist
from otel_ragfault.judging.model.endpoint import HOPELESS, HOPELESS_AT_FIRST, RETRIED, AskError, Endpoint, Reply
from otel_ragfault.judging.model.prompt import Message, schema_of, token_estimate
from otel_ragfault.judging.model.reply import MalformedReplyError, judgement_of

MOST_ATTEMPTS: Final = 5
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 60.0
_MOST_PAID: Final = 2  # a model that replies in another form is asked once more
_IN_A_ROW: Final = 10
"""Questions that fail one after the other before a run gives up."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to be paid once: its key, its checklist and its messages."""

    key: str
    checklist: Checklist
    messages: list[Message]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question.

    Attributes:
        key: of the question.
        text: the reply; ``None`` where there is none.
        failure: why it is no judgement; ``None`` for a good one.
        detail: what went wrong, in a line.
        paid: whether there was a reply, be it a bad one; it is not asked for again then.
        input_tokens: tokens of the question; over all of its attempts that got a reply.
        output_tokens: tokens of the replies.
        attempts: requests that it took.
    """

    key: str
    text: str | None
    failure: str | None
    detail: str | None
    paid: bool
    input_tokens: int | None
    output_tokens: int | None
    attempts: int


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why one request brought no judgement, and whether it was paid all the same."""

    kind: str
    detail: str
    text: str | None
    paid: bool


def _judged(reply: Reply, checklist: Checklist) -> str | _Failure:
    if reply.declined is not None:
        return _Failure("declined", reply.declined, reply.declined, paid=True)
    try:
        judgement_of(reply.text or "", checklist)
    except MalformedReplyError as error:
        return _Failure("cut" if reply.is_cut else "malformed", str(error), reply.text, paid=True)
    return reply.text or ""


class _Gate:
    """Keeps every thread from asking before a moment that the endpoint named."""

    def __init__(self) -> None:
        self._until = 0.0
        self._lock = threading.Lock()
        self.stopped = threading.Event()

    def close_for(self, seconds: float) -> None:
        with self._lock:
            self._until = max(self._until, time.monotonic() + seconds)

    def pass_through(self) -> bool:
        """Wait until asking is allowed; say whether the run goes on."""
        while not self.stopped.is_set():
            rest = self._until - time.monotonic()
            if rest <= 0:
                return True
            self.stopped.wait(rest)
        return False


class Asker:
    """Asks questions of one endpoint.

    Args:
        endpoint: who is asked.
        budget: how much may be asked.
        concurrency: questions at a time.
        attempts: requests for one question at the most.
        pause: seconds before the first retry where the endpoint names none; doubled for each further one.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        budget: Budget,
        *,
        concurrency: int = 4,
        attempts: int = MOST_ATTEMPTS,
        pause: float = _FIRST_PAUSE,
    ) -> None:
        self._endpoint = endpoint
        self.budget = budget
        self._concurrency = concurrency
        self._attempts = attempts
        self._pause = pause
        self._gate = _Gate()
        self._has_replied = False
        self._failed_with: str | None = None
        self.stopped_by: str | None = None
        """Why the run ended before every question was asked: the budget, or what the endpoint said."""
        self.endpoint_fails = False
        """Whether it was what the endpoint said."""

    def outcomes(self, asks: Iterable[Ask]) -> Iterator[Outcome]:
        """Yield the outcome of each question that was asked, as they come."""
        waiting = iter(asks)
        failed_in_a_row = 0
        with ThreadPoolExecutor(self._concurrency) as pool:
            running: set[Future[Outcome | None]] = set()
            try:
                while True:
                    while len(running) < self._concurrency and self.stopped_by is None:
                        ask = next(waiting, None)
                        if ask is None:
                            break
                        running.add(pool.submit(self._asked, ask))
                    if not running:
                        return
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        outcome = future.result()
                        if outcome is None:
                            self.stopped_by = self.stopped_by or "the budget is spent"
                            continue
                        failed_in_a_row = 0 if outcome.paid else failed_in_a_row + 1
                        self._failed_with = None if outcome.paid else outcome.detail
                        if self._is_hopeless(outcome.failure) or failed_in_a_row >= _IN_A_ROW:
                            self._give_up()
                        yield outcome
            finally:
                self._gate.stopped.set()
                if self.stopped_by is not None and not self._has_replied:
                    self._give_up()  # a budget that brought no reply was not too small

    def _is_hopeless(self, failure: str | None) -> bool:
        return failure in HOPELESS or (failure in HOPELESS_AT_FIRST and not self._has_replied)

    def _give_up(self) -> None:
        """Stop for what the endpoint said, whatever the budget says; threads that wait to ask again do not."""
        if self._failed_with is not None and not self.endpoint_fails:
            self.endpoint_fails = True
            self.stopped_by = f"the endpoint fails: {self._failed_with}"
            self._gate.stopped.set()

    def _asked(self, ask: Ask) -> Outcome | None:
        """Ask until there is a judgement, or no hope of one; ``None`` where the budget is spent."""
        spent = [0, 0]
        failed: _Failure | None = None
        attempt = 0
        while attempt < self._attempts and self._gate.pass_through():
            found = self._once(ask, spent)
            if found is None:
                break
            attempt += 1
            if isinstance(found, str):
                return Outcome(ask.key, found, None, None, True, spent[0], spent[1], attempt)  # noqa: FBT003 - paid
            if found.paid or failed is None or not failed.paid:
                failed = found
            if not self._again(found, attempt):
                break
        if failed is None:
            return None
        return Outcome(ask.key, failed.text, failed.kind, failed.detail, failed.paid, spent[0], spent[1], attempt)

    def _again(self, failed: "_Failure", attempt: int) -> bool:
        """Say whether to ask once more, after the pause that is due."""
        if failed.kind == "malformed":
            return attempt < _MOST_PAID
        if failed.kind not in RETRIED or attempt >= self._attempts or self._is_hopeless(failed.kind):
            return False
        self._gate.stopped.wait(self._rest(attempt))
        return True

    def _once(self, ask: Ask, spent: list[int]) -> "str | _Failure | None":
        """Ask once: the reply, or what went wrong, or ``None`` where the budget is spent."""
        asked = token_estimate(ask.messages)
        estimate = asked + self._endpoint.max_tokens
        if not self.budget.take(estimate):
            return None
        used = made = 0
        try:
            reply = self._endpoint.ask(ask.messages, schema_of(ask.checklist))
            self._has_replied = True
            used = reply.input_tokens if reply.input_tokens is not None else asked
            made = reply.output_tokens if reply.output_tokens is not None else len(reply.text or "") // 3
        except AskError as error:
            if error.wait is not None and error.kind in RETRIED:
                self._gate.close_for(min(error.wait, _LONGEST_PAUSE))
            return _Failure(error.kind, str(error), None, paid=False)
        finally:
            self.budget.settle(estimate, used, made)
            spent[0] += used
            spent[1] += made
        return _judged(reply, ask.checklist)

    def _rest(self, attempt: int) -> float:
        longest = min(self._pause * 2.0 ** (attempt - 1), _LONGEST_PAUSE)
        return longest * random.uniform(0.5, 1.0)  # noqa: S311 - to spread retries

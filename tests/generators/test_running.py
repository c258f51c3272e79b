"""Many calls: at a time, at a pace, again where that may help; nothing is raised."""

import threading
import time

import pytest

from otel_ragfault.jobs.generators import Call, Failure, Generated, Limits, generate_all


class Counting:
    """A generator in this process that keeps count of itself."""

    spec = identity = "counting"

    def __init__(self, fails=0, kind="timeout"):
        self.now = self.most = self.calls = 0
        self.starts = []
        self.fails, self.kind = fails, kind
        self.lock = threading.Lock()

    def generate(self, question, chunks, limits):
        with self.lock:
            self.calls += 1
            self.now += 1
            self.most = max(self.most, self.now)
            self.starts.append(time.monotonic())
            fails = self.calls <= self.fails
        time.sleep(0.02)
        with self.lock:
            self.now -= 1
        return Generated(failure=Failure(self.kind, "no")) if fails else Generated(answer=question)

    def close(self):
        pass


def calls(number):
    return [Call(key, f"question {key}", []) for key in range(number)]


def test_every_call_has_its_own_result():
    made = {call.key: result.answer for call, result in generate_all(Counting(), calls(50), Limits(concurrency=8))}
    assert made == {key: f"question {key}" for key in range(50)}


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_at_a_time_than_allowed(concurrency):
    generator = Counting()
    list(generate_all(generator, calls(12), Limits(concurrency=concurrency)))
    assert generator.most == concurrency


def test_no_faster_than_allowed():
    generator = Counting()
    list(generate_all(generator, calls(6), Limits(concurrency=6, rate=20)))
    assert max(generator.starts) - min(generator.starts) >= 5 / 20 - 0.02


@pytest.mark.parametrize(
    ("retries", "kind", "attempts", "answer"),
    [(0, "timeout", 1, None), (1, "timeout", 2, "question 0"), (2, "wrong_type", 1, None)],
    ids=["none unless asked", "what may pass", "never what stays"],
)
def test_retries(retries, kind, attempts, answer):
    ((_, made),) = generate_all(Counting(fails=1, kind=kind), calls(1), Limits(retries=retries))
    assert (made.attempts, made.answer) == (attempts, answer)


def test_a_generator_that_raises_is_a_failure():
    class Raising(Counting):
        def generate(self, question, chunks, limits):
            raise KeyError("x")

    ((_, made),) = generate_all(Raising(), calls(1))
    assert made.failure == Failure("raised", "KeyError: 'x'")


def test_who_stops_listening_stops_the_rest():
    generator = Counting()
    for _ in generate_all(generator, calls(100), Limits(concurrency=2)):
        break
    time.sleep(0.2)
    assert generator.calls < 10


def test_an_error_of_what_is_around_a_call_ends_the_run():
    def around(call, make):
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        list(generate_all(Counting(), calls(3), around=around))


def test_no_calls_are_no_results():
    assert list(generate_all(Counting(), [])) == []

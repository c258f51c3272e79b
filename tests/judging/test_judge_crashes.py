"""A judge that is killed: nothing that was paid is lost, and no verdict is there twice."""

import os
import random
import signal
import subprocess
import sys
import threading

import pytest

from judging.judged import database, judge, verdicts
from judging.stub import Says, good, serving
from otel_ragfault.jobs import judge as job
from otel_ragfault.judging.model import Journal
from otel_ragfault.store import connect

REQUESTS = 24
CONCURRENCY = 3


def command(path, stub):
    return [
        *(sys.executable, "-m", "otel_ragfault", "judge", "run", "--db", str(path), "--model", "m"),
        *("--base-url", stub.url, "--subjects", "answer", "--concurrency", str(CONCURRENCY)),
    ]


@pytest.mark.parametrize("seed", range(2))
def test_killed_again_and_again_every_question_has_one_verdict_and_was_paid_once(tmp_path, seed):
    path = database(tmp_path / "killed.duckdb", REQUESTS)
    chance = random.Random(seed)  # noqa: S311 - when to kill, not a secret
    alive = []
    replied = []
    due = threading.Event()

    def behave(number, request):
        if alive and number >= alive[0][1]:
            os.kill(alive.pop()[0].pid, signal.SIGKILL)
            due.set()
        replied.append(request["messages"][-1]["content"])
        return Says(good(request))

    kills = 0
    with serving(behave) as stub:
        while kills < 4:
            due.clear()
            process = subprocess.Popen(command(path, stub), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            alive.append((process, len(stub.requests) + chance.randrange(1, 6)))
            code = process.wait(60)
            if code == 0:
                break
            assert code == -signal.SIGKILL
            assert due.is_set()
            kills += 1
        alive.clear()
        subprocess.run(command(path, stub), check=True, capture_output=True)
    assert kills >= 1
    assert verdicts(path) == [(number, True, None) for number in range(1, REQUESTS + 1)]
    with connect(path, read_only=True) as con:
        assert con.execute("SELECT count(*), count(DISTINCT question_key) FROM judge_reply").fetchall() == [
            (REQUESTS, REQUESTS)
        ]
    # What was under way at a kill is asked again; nothing else is.
    assert len(replied) <= REQUESTS + kills * CONCURRENCY
    assert not path.with_name(path.name + ".judge.jsonl").exists()


class Killed(BaseException):
    """Stands for the end of the process at one point."""


def fail(*_args, **_kwargs):
    raise Killed


def fail_after(original):
    def call(*args, **kwargs):
        original(*args, **kwargs)
        raise Killed

    return call


@pytest.mark.parametrize(
    ("place", "name", "how", "paid_again"),
    [
        pytest.param(Journal, "add", fail_after(Journal.add), 0, id="after the reply is in the journal"),
        pytest.param(Journal, "add", fail, 1, id="before the reply is in the journal"),
        pytest.param(
            job, "insert_verdicts", fail_after(job.insert_verdicts), 0, id="before the verdicts are committed"
        ),
        pytest.param(job, "_store_replies", fail_after(job._store_replies), 0, id="between replies and verdicts"),
        pytest.param(Journal, "clear", fail, 0, id="after the commit, before the journal is emptied"),
        pytest.param(Journal, "clear", fail_after(Journal.clear), 0, id="after the journal is emptied"),
    ],
)
def test_an_end_at_any_point_loses_and_doubles_nothing(tmp_path, monkeypatch, place, name, how, paid_again):
    path = database(tmp_path / "ended.duckdb", 3)
    with serving() as stub:
        judge(path, stub, budget=1)
        with monkeypatch.context() as patched:
            original, calls = getattr(place, name), []

            def second_time(*args, **kwargs):
                calls.append(1)
                chosen = how if name == "add" or len(calls) > 1 else original  # the first call takes up what is left
                return chosen(*args, **kwargs)

            patched.setattr(place, name, second_time)
            with pytest.raises(Killed):
                judge(path, stub)
        before = len(stub.requests)
        judge(path, stub)
        judge(path, stub)
    assert verdicts(path) == [(number, True, None) for number in (1, 2, 3)]
    assert len(stub.questions) - len(set(stub.questions)) == paid_again
    assert before >= 2


def test_a_database_that_somebody_holds_keeps_the_replies_in_the_journal(tmp_path):
    path = database(tmp_path / "held.duckdb", 2)
    opened = []

    def open_once():
        if opened:
            raise job.DatabaseBusyError("held")
        opened.append(1)
        return connect(path)

    with serving() as stub:
        with pytest.raises(job.DatabaseBusyError, match="held"):
            _judge_with(path, stub, open_once)
        assert path.with_name(path.name + ".judge.jsonl").read_bytes().count(b"\n") == 2
        assert verdicts(path) == []
        judge(path, stub)
        assert len(stub.requests) == 2
    assert verdicts(path) == [(1, True, None), (2, True, None)]


def _judge_with(path, stub, opened):
    from judging.judged import settings
    from otel_ragfault.judging.model import Asker, Budget, Endpoint
    from otel_ragfault.model import Config

    endpoint = Endpoint(stub.url, "m", api_key=None)
    try:
        job.judge_answers(path, opened, Config(), settings(stub), Asker(endpoint, Budget()))
    finally:
        endpoint.close()

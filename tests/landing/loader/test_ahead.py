"""Segments that processes decode ahead are loaded like any other, whoever of them dies."""

import os
import signal
import subprocess
import sys
import time

import pytest

from otel_ragfault.landing.loader import ahead, load_spool
from otel_ragfault.landing.loader.ahead import Ahead
from otel_ragfault.landing.loader.groups import pick_group


@pytest.fixture
def eager(monkeypatch):
    """Decode ahead however little waits, one segment a load."""
    monkeypatch.setattr(ahead, "_WORTH_IT", 1)
    monkeypatch.setattr("otel_ragfault.landing.loader.passes._FIRST", 1)
    monkeypatch.setattr("otel_ragfault.landing.loader.passes._LEAST", 1)


def decoders(*pids):
    """Which of these processes decode; by default, which of our own children. Those of others are none of ours."""
    which = ["-p", ",".join(map(str, pids))] if pids else ["--ppid", str(os.getpid())]
    command = ["ps", *which, "-o", "pid=,args="]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return [int(line.split()[0]) for line in found if "loader.decoder" in line]


def until(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_what_is_decoded_ahead_lands_once_and_the_processes_end(db, folder, send, numbers, eager):
    for number in range(1, 9):
        send(number)
    started = []
    assert load_spool(db, on_progress=lambda *_: started.extend(decoders())).spans == 8
    assert started
    assert numbers() == list(range(1, 9))
    assert list(folder.glob("*.segment")) == []
    until(lambda: not set(started) & set(decoders()))


def test_a_process_that_is_killed_costs_nothing(db, send, numbers, eager, caplog):
    for number in range(1, 9):
        send(number)
    killed = []

    def kill(*_):
        for pid in decoders():
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    assert load_spool(db, on_progress=kill).spans == 8
    assert killed
    assert numbers() == list(range(1, 9))
    assert "is decoded again" in caplog.text


def test_a_process_that_hangs_costs_only_time(db, send, numbers, eager, monkeypatch, caplog):
    monkeypatch.setattr(ahead, "_LONGEST", 0.5)
    monkeypatch.setattr(ahead, "_ENDING", 0.1)
    for number in range(1, 9):
        send(number)
    stopped = set()

    def stop(*_):
        for pid in decoders():
            os.kill(pid, signal.SIGSTOP)
            stopped.add(pid)

    assert load_spool(db, on_progress=stop).spans == 8
    assert numbers() == list(range(1, 9))
    assert "or hangs" in caplog.text
    assert not stopped & set(decoders())


@pytest.mark.parametrize("bad", [0, 3])
def test_a_segment_that_cannot_be_read_keeps_nothing_back(db, folder, send, numbers, eager, bad):
    for number in range(1, 7):
        send(number)
    unreadable = sorted(folder.glob("*.segment"))[bad]
    unreadable.unlink()
    unreadable.mkdir()
    load_spool(db)
    assert numbers() == [number for number in range(1, 7) if number != bad + 1]
    assert list(folder.glob("*.segment")) == [unreadable]


def test_damage_found_ahead_is_counted_as_usual(db, folder, send, query, eager):
    for number in range(1, 7):
        send(number)
    last = max(folder.glob("*.segment"))
    last.write_bytes(last.read_bytes()[:-5])
    load_spool(db)
    assert query("SELECT count(*) FROM span") == [(5,)]
    assert query("SELECT count(*) FROM rejected_span") == [(1,)]


def test_segment_that_another_loader_removed_meanwhile_is_passed_over(db, folder, send, eager):
    send(1)
    send(2)
    beside = Ahead(folder)
    beside.ask([], 1)
    assert len(beside.taken) == 2
    load_spool(db)
    for _ in range(2):
        batches, failures = beside.take()
        assert failures == []
        assert all(not batch.file.exists() for batch in batches)
    beside.close()


def test_little_is_decoded_where_it_is(folder, send):
    send(1)
    beside = Ahead(folder)
    beside.ask([], 2**20)
    assert (beside.taken, beside.take()) == (set(), ([], []))


def test_processes_end_when_the_loader_is_killed(db, folder, send, eager):
    for number in range(1, 4):
        send(number)
    code = (
        "import sys, time; from pathlib import Path; from otel_ragfault.landing.loader import ahead\n"
        "ahead._WORTH_IT = 1; beside = ahead.Ahead(Path(sys.argv[1])); beside.ask([], 1)\n"
        "print(*(one._process.pid for one in beside._busy), flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True) as loader:
        pids = {int(pid) for pid in loader.stdout.readline().split()}
        assert pids
        loader.kill()
    until(lambda: not decoders(*pids))


@pytest.mark.parametrize(
    ("most", "spoken_for", "wanted"),
    [
        pytest.param(10**9, [], [0, 1, 2], id="all that fit"),
        pytest.param(1, [], [0], id="one in any case"),
        pytest.param(10**9, [0], [1, 2], id="none that is spoken for"),
        pytest.param(1, [0, 1, 2], [], id="nothing left"),
    ],
)
def test_a_group_is_the_oldest_segments_that_fit(folder, send, most, spoken_for, wanted):
    for number in range(1, 4):
        send(number)
    files = sorted(folder.glob("*.segment"))
    assert pick_group(folder, [files[i] for i in spoken_for], most) == [files[i] for i in wanted]


def test_an_application_that_is_frozen_starts_no_process(folder, send, eager, monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    send(1)
    beside = Ahead(folder)
    beside.ask([], 1)
    assert (beside.taken, decoders()) == (set(), [])

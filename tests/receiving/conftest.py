"""Receivers to send to: one in this process with a spool in memory, and the real command in a process of its own."""

import os
import threading

import pytest

from receiving.served import Command, InProcess


@pytest.fixture
def serve():
    """A function that starts a receiver in this process; keywords are those of :class:`served.InProcess`."""
    started = []

    def start(**options):
        started.append(InProcess(**options))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def collect(tmp_path):
    """A function that starts ``ragfault collect``; keywords are those of :class:`served.Command`."""
    started = []

    def start(*arguments, db=None, **options):
        started.append(Command(db or tmp_path / "spans.duckdb", *arguments, **options))
        return started[-1]

    yield start
    for command in started:
        command.kill()


@pytest.fixture(autouse=True)
def no_token(monkeypatch):
    """Tests set tokens themselves."""
    monkeypatch.delenv("RAGFAULT_COLLECT_TOKEN", raising=False)
    assert threading.active_count() < 200
    assert os.environ.get("RAGFAULT_CRASH_AT") is None

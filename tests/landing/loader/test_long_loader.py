"""The loader of a process that lives long: it loads what is sealed, and leaves the database to others in between."""

import subprocess
import sys
import threading
import time

import pytest

from landing.loader.segment_files import segments
from otel_ragfault.landing.loader import SpoolLoader


@pytest.fixture
def loader(db):
    stop = threading.Event()
    loader = SpoolLoader(db)
    thread = threading.Thread(target=loader.run, args=(stop,))
    thread.start()
    yield loader
    stop.set()
    thread.join(20)
    assert not thread.is_alive()


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def test_loader_of_a_long_process_loads_what_is_sealed(loader, send, folder, numbers):
    for number in (1, 2, 3):
        send(number)
    assert until(lambda: loader.stats.spans == 3 and not segments(folder))
    assert numbers() == [1, 2, 3]
    assert loader.stats.last_load_at > 0
    assert 0 <= loader.stats.lag < 60


def test_loader_backs_off_while_the_database_is_in_use(loader, db, send, folder, held):
    send(1)
    assert until(lambda: not segments(folder))
    with held(db):
        send(2)
        assert until(lambda: loader.stats.lock_waits > 2)
        assert len(segments(folder)) == 1
    assert until(lambda: loader.stats.spans == 2)


def test_loader_survives_a_database_that_is_none(loader, db, send, folder, caplog):
    db.write_bytes(b"not a database" * 1000)
    send(1)
    assert until(lambda: caplog.records)
    db.unlink()
    assert until(lambda: loader.stats.spans == 1)
    assert len(caplog.records) == 1


READ = """
import sys
from otel_ragfault.store import connect
print(connect(sys.argv[1], read_only=True, wait=10).execute("SELECT count(*) FROM span").fetchone()[0])
"""


def test_reader_in_another_process_gets_its_turn_while_spans_keep_coming(loader, db, send):
    send(1)
    assert until(lambda: loader.stats.spans == 1)
    stop = threading.Event()

    def keep_sending():
        number = 2
        while not stop.is_set():
            send(number)
            number += 1

    thread = threading.Thread(target=keep_sending)
    thread.start()
    try:
        found = subprocess.run([sys.executable, "-c", READ, str(db)], check=True, capture_output=True, text=True)
        assert int(found.stdout) >= 1
    finally:
        stop.set()
        thread.join()

"""Log records in files that grow: each once, whoever is killed when."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing, contextmanager

import orjson
import pytest

from otel_ragfault.landing.loader import load_spool
from otel_ragfault.landing.spool import spool_folder
from otel_ragfault.store import connect

SECOND = 1_790_000_000_000_000_000


def line(*numbers):
    records = [{"timeUnixNano": str(SECOND + number), "body": {"intValue": str(number)}} for number in numbers]
    return orjson.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}) + b"\n"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "logs.jsonl"


class Following:
    """``ragfault import --follow`` in a process of its own; what it says at its end is in ``report``."""

    def __init__(self, db, file, crash=""):
        command = [
            sys.executable,
            "-m",
            "otel_ragfault",
            "import",
            "--db",
            db,
            "--follow",
            "--json",
            "--poll",
            "0.1",
            file,
        ]
        env = {**os.environ, "RAGFAULT_CRASH_AT": crash}
        self.process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, env=env)
        self.report = {}

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.report = orjson.loads(self.process.communicate(timeout=90)[0])
        assert self.process.returncode == 0


@pytest.fixture
def follow(db, file):
    """Follow a file while a block runs."""

    @contextmanager
    def run():
        following = Following(db, file)
        try:
            yield following
            following.end()
        finally:
            if following.process.poll() is None:
                following.process.kill()
                following.process.communicate()

    return run


def bodies(db):
    with closing(connect(db, read_only=True, wait=30)) as con:
        return sorted(int(row[0]) for row in con.execute("SELECT body FROM log_record").fetchall())


def counts(following):
    return following.report["logs"], following.report["log_duplicates"]


def until(condition, seconds=90):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_growing_file_and_a_restart(db, file, follow):
    file.write_bytes(line(1, 2))
    with follow() as following:
        until(lambda: db.exists() and bodies(db) == [1, 2])
        with file.open("ab") as more:
            more.write(line(3) + line(4)[:20])
        until(lambda: bodies(db) == [1, 2, 3])
    assert counts(following) == (3, 0)
    with file.open("ab") as more:
        more.write(line(4)[20:])
    with follow() as following:
        until(lambda: bodies(db) == [1, 2, 3, 4])
    assert counts(following) == (1, 0)


def test_a_position_that_was_not_saved_doubles_nothing(db, file, follow):
    file.write_bytes(line(1, 2) + line(3))
    with follow():
        until(lambda: db.exists() and bodies(db) == [1, 2, 3])
    for position in spool_folder(db).glob("*.position"):
        position.unlink()
    with file.open("ab") as more:
        more.write(line(4))
    with follow() as following:
        until(lambda: bodies(db) == [1, 2, 3, 4])
    assert counts(following) == (1, 3)


POINTS = ["spool.before_fsync", "spool.after_fsync", "spool.sealed", "loader.before_commit", "loader.before_unlink"]


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_any_point_each_record_is_stored_once(db, file, follow, point):
    file.write_bytes(line(1, 2) + line(3))
    killed = Following(db, file, crash=point).process
    killed.communicate(timeout=90)
    assert killed.returncode == -signal.SIGKILL
    with file.open("ab") as more:
        more.write(line(4))
    with follow():
        until(lambda: db.exists() and bodies(db)[-1:] == [4])
    assert load_spool(db).logs == 0
    assert bodies(db) == [1, 2, 3, 4]


def test_what_comes_while_the_database_is_in_use_is_kept_once(db, file, follow, held):
    file.write_bytes(line(1))
    with follow() as following:
        until(lambda: db.exists() and bodies(db) == [1])
        with held(db):
            with file.open("ab") as more:
                more.write(line(2, 3))
            until(lambda: any(spool_folder(db).glob("*.segment")))
        until(lambda: bodies(db) == [1, 2, 3])
    assert counts(following) == (3, 0)


def test_a_file_that_may_be_known_is_read_while_the_database_is_in_use(db, file, follow, held):
    file.write_bytes(line(1))
    with follow():
        until(lambda: db.exists() and bodies(db) == [1])
    for position in spool_folder(db).glob("*.position"):
        position.unlink()
    with held(db):
        following = Following(db, file)
        until(lambda: any(spool_folder(db).glob("*.segment")))
    with file.open("ab") as more:
        more.write(line(2))
    until(lambda: bodies(db) == [1, 2])
    following.end()
    assert counts(following) == (1, 1)

"""Places where spans cannot be kept, for now or at all: the host goes on, and is told once."""

import gc
import logging
import os
import subprocess
import sys
import textwrap
import time
from contextlib import suppress

import pytest
from opentelemetry.sdk.trace.export import SpanExportResult

from otel_ragfault.landing import ExporterStats
from otel_ragfault.store import connect

SUCCESS, FAILURE = SpanExportResult.SUCCESS, SpanExportResult.FAILURE


def test_full_spool_refuses_and_takes_again_when_it_is_loaded(open_exporter, count, some_spans, caplog):
    exporter = open_exporter(max_spool_bytes=50_000)
    results = [exporter.export(some_spans(50)) for _ in range(20)]
    accepted = results.count(SUCCESS)
    assert results == [SUCCESS] * accepted + [FAILURE] * (20 - accepted)
    assert 0 < accepted < 20
    assert exporter.stats.dropped == 50 * (20 - accepted)
    assert exporter.stats.failed == 20 - accepted
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert exporter.force_flush()
    time.sleep(0.3)
    assert exporter.export(some_spans(1)) is SUCCESS
    exporter.force_flush()
    assert count() == 50 * accepted + 1


def test_path_below_a_file_fails_without_raising(tmp_path, open_exporter, some_spans, caplog):
    (tmp_path / "file").write_text("")
    exporter = open_exporter(tmp_path / "file" / "db.duckdb")
    assert [exporter.export(some_spans(1)) for _ in range(3)] == [FAILURE] * 3
    assert exporter.stats == ExporterStats(failed=3, dropped=3)
    assert len(caplog.records) == 1


def test_directory_that_appears_later_is_used(tmp_path, open_exporter, some_spans):
    exporter = open_exporter(tmp_path / "later" / "db.duckdb")
    assert exporter.export(some_spans(2)) is FAILURE
    (tmp_path / "later").mkdir()
    assert exporter.export(some_spans(1)) is SUCCESS
    assert exporter.force_flush()
    assert exporter.stats.loaded == 1


@pytest.mark.parametrize("content", [b"not a database" * 1000, b"x"], ids=["garbage", "one byte"])
def test_file_that_is_no_database_is_left_alone_and_nothing_is_lost(db, open_exporter, count, some_spans, content):
    db.write_bytes(content)
    exporter = open_exporter()
    assert exporter.export(some_spans(1)) is SUCCESS
    assert not exporter.force_flush(100)
    assert db.read_bytes() == content
    db.unlink()
    assert exporter.force_flush()
    assert count() == 1


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("a file system cannot be mounted here")
    yield disk
    gc.collect()
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill(path):
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


def test_full_disk_refuses_and_loses_nothing_that_was_accepted(small_disk, open_exporter, record):
    exporter = open_exporter(small_disk / "db.duckdb")
    ballast = small_disk / "ballast"
    noise = os.urandom(100_000).hex()

    def send(part):
        return exporter.export(record(lambda t: t.start_span(f"s{part}", attributes={"noise": noise}).end()))

    assert send(0) is SUCCESS
    assert exporter.force_flush()
    accepted = [0] + [part for part in range(1, 3) if send(part) is SUCCESS]
    fill(ballast)
    results = {part: send(part) for part in range(3, 8)}
    assert FAILURE in results.values()
    assert not exporter.force_flush(200)
    ballast.unlink()
    results |= {part: send(part) for part in range(8, 10)}
    assert results[9] is SUCCESS
    assert exporter.force_flush()
    accepted += [part for part, result in results.items() if result is SUCCESS]
    con = connect(small_disk / "db.duckdb", read_only=True)
    assert con.execute("SELECT name FROM span ORDER BY name").fetchall() == [(f"s{i}",) for i in sorted(accepted)]
    con.close()


HOST = """
    import sys
    import otel_ragfault
    from opentelemetry import trace
    otel_ragfault.configure(db=sys.argv[1])
    for i in range(3):
        trace.get_tracer("t").start_span(f"s{i}").end()
    trace.get_tracer_provider().force_flush()
    print("the host goes on")
"""


def below_a_file(folder):
    (folder / "file").write_text("")
    return folder / "file" / "db.duckdb"


def without_a_folder(folder):
    return folder / "absent" / "db.duckdb"


def directory(folder):
    (folder / "db.duckdb").mkdir()
    return folder / "db.duckdb"


def spool_that_is_a_file(folder):
    (folder / "db.duckdb.spool").write_text("")
    return folder / "db.duckdb"


def long_name(folder):
    return folder / f"{'x' * 252}.db"


PLACES = [
    pytest.param(lambda folder: "", "names no file", id="empty"),
    pytest.param(lambda folder: "/", "names no file", id="root"),
    pytest.param(directory, "a directory; the path of a database was wanted", id="directory"),
    pytest.param(below_a_file, "cannot be created (Not a directory)", id="below a file"),
    pytest.param(without_a_folder, "create the folder above it", id="no folder"),
    pytest.param(spool_that_is_a_file, "a file; the folder of the spool was wanted", id="a file for a spool"),
    pytest.param(long_name, "File name too long; a folder that can be written", id="name too long"),
]


@pytest.mark.parametrize(("place", "words"), PLACES)
def test_a_path_that_cannot_be_written_costs_one_line_and_no_time(tmp_path, place, words):
    path = str(place(tmp_path))
    began = time.monotonic()
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(HOST), path], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout == "the host goes on\n"
    [line] = ran.stderr.splitlines()
    assert words in line
    assert time.monotonic() - began < 25  # it used to be 30 for the exit alone


@pytest.fixture
def sealed_disk(tmp_path):
    """A file system that was mounted read-only after a database was made on it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(disk)], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("a file system cannot be mounted here")
    (disk / "old.duckdb.spool").mkdir()
    (disk / "old.duckdb.spool" / "1.segment").write_bytes(b"what somebody left")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    yield disk
    gc.collect()
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.mark.parametrize("name", ["new.duckdb", "old.duckdb"])
def test_read_only_disk(sealed_disk, open_exporter, some_spans, caplog, name):
    exporter = open_exporter(sealed_disk / name)
    assert [exporter.export(some_spans(1)) for _ in range(2)] == [FAILURE] * 2
    start = time.monotonic()
    exporter.shutdown()
    assert time.monotonic() - start < 5
    [record] = caplog.records
    assert "Read-only file system" in record.message

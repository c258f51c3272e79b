import errno
import fcntl
import os
import subprocess
import sys
import threading
import time

import pytest

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.spool import RecordKind, SpoolError, SpoolFullError, SpoolWriter, spool_folder
from otel_ragfault.landing.spool.segment import read_segment

KIND = RecordKind.OTLP_TRACES


def names(folder):
    return sorted(path.suffix for path in folder.iterdir())


def test_folder_lies_beside_the_database(db, folder, open_writer):
    open_writer().append(KIND, b"x", spans=1)
    assert folder == db.with_name("spans.duckdb.spool")
    assert folder.is_dir()


def test_record_is_in_the_file_when_append_returns(open_writer, payloads, folder):
    writer = open_writer()
    writer.append(KIND, b"one", spans=2)
    writer.append(RecordKind.OTLP_LOGS, memoryview(b"two"), spans=3)
    assert payloads() == [b"one", b"two"]
    assert names(folder) == [".open"]
    stats = writer.stats
    assert (stats.records, stats.spans, stats.bytes, stats.refused) == (2, 5, 38, 0)
    assert stats.spool_bytes == next(folder.iterdir()).stat().st_size


def test_header_says_whose_the_segment_is(open_writer, folder):
    writer = open_writer()
    for _ in range(2):
        writer.append(KIND, b"x", spans=1)
        writer.seal()
    first, second = (read_segment(path) for path in sorted(folder.iterdir()))
    assert first.source == "test"
    assert first.segment_id.version == 7
    assert first.segment_id < second.segment_id


def test_file_is_locked_while_it_is_written_and_free_when_sealed(open_writer, folder):
    writer = open_writer()
    writer.append(KIND, b"x", spans=1)
    with next(folder.glob("*.open")).open("rb") as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    writer.seal()
    with next(folder.glob("*.segment")).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_sealing_nothing_leaves_nothing(open_writer, folder):
    writer = open_writer()
    writer.seal()
    writer.append(KIND, b"x", spans=1)
    writer.seal()
    writer.seal()
    assert names(folder) == [".segment"]


def test_segments_rotate_by_size(open_writer, folder, payloads):
    writer = open_writer(segment_bytes=1000)
    sent = [bytes([i]) * 400 for i in range(10)]
    for payload in sent:
        writer.append(KIND, payload, spans=1)
    assert len(list(folder.glob("*.segment"))) == 3
    assert payloads("*") == [sent[9], *sent[:9]]  # the open one is read first
    assert writer.stats.sealed == 3


def test_segments_rotate_by_spans(open_writer, folder):
    open_writer().append(KIND, b"x", spans=20_000)
    assert names(folder) == [".segment"]


def test_segments_rotate_by_age_though_nobody_appends(open_writer, folder):
    open_writer(segment_age=0.1).append(KIND, b"x", spans=1)
    until = time.monotonic() + 10
    while names(folder) != [".segment"] and time.monotonic() < until:
        time.sleep(0.01)
    assert names(folder) == [".segment"]


def test_nothing_is_taken_after_close(open_writer, folder):
    writer = open_writer()
    writer.append(KIND, b"x", spans=1)
    writer.close()
    writer.close()
    assert names(folder) == [".segment"]
    with pytest.raises(SpoolError, match="closed"):
        writer.append(KIND, b"x", spans=1)


def test_threads_share_fsyncs_and_lose_nothing(open_writer, payloads, monkeypatch):
    writer = open_writer()
    real = os.fdatasync

    def slow(fd):
        time.sleep(0.005)
        real(fd)

    monkeypatch.setattr(os, "fdatasync", slow)

    def send(number):
        for i in range(20):
            writer.append(KIND, f"{number}-{i}".encode(), spans=1)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = payloads()
    assert sorted(found) == sorted(f"{n}-{i}".encode() for n in range(16) for i in range(20))
    for number in range(16):  # each thread's own records keep their order
        mine = [p for p in found if p.startswith(f"{number}-".encode())]
        assert mine == [f"{number}-{i}".encode() for i in range(20)]
    assert writer.stats.commits < 100


def test_bound_counts_the_segments_of_others_too(open_writer, payloads):
    first, second = open_writer(), open_writer(max_bytes=1000)
    first.append(KIND, b"a" * 900, spans=1)
    with pytest.raises(SpoolFullError, match="1000 are allowed") as caught:
        second.append(KIND, b"b" * 100, spans=1)
    assert isinstance(caught.value, DatabaseError)
    assert second.stats.refused == 1
    assert payloads() == [b"a" * 900]


def test_bound_gives_way_when_segments_are_gone(open_writer, folder):
    writer = open_writer(max_bytes=1000)
    writer.append(KIND, b"a" * 800, spans=1)
    writer.seal()
    with pytest.raises(SpoolFullError):
        writer.append(KIND, b"b" * 800, spans=1)
    next(folder.iterdir()).unlink()
    time.sleep(0.3)
    writer.append(KIND, b"b" * 800, spans=1)


FAILURES = [
    pytest.param(errno.ENOSPC, SpoolFullError, id="disk full"),
    pytest.param(errno.EDQUOT, SpoolFullError, id="quota"),
    pytest.param(errno.EIO, SpoolError, id="broken disk"),
]


@pytest.mark.parametrize(("number", "error"), FAILURES)
@pytest.mark.parametrize("call", ["writev", "fdatasync"])
def test_failure_leaves_nothing_of_the_record_and_passes_by_itself(
    open_writer, payloads, monkeypatch, call, number, error
):
    writer = open_writer()
    writer.append(KIND, b"before", spans=1)
    with monkeypatch.context() as patched:

        def fail(*_):
            raise OSError(number, os.strerror(number))

        patched.setattr(os, call, fail)
        with pytest.raises(error) as caught:
            writer.append(KIND, b"lost", spans=1)
        assert isinstance(caught.value, SpoolFullError) == (error is SpoolFullError)
    writer.append(KIND, b"after", spans=1)
    assert sorted(payloads()) == [b"after", b"before"]
    assert (writer.stats.records, writer.stats.refused) == (2, 1)


def test_short_write_leaves_nothing_of_the_record(open_writer, payloads, monkeypatch):
    writer = open_writer()
    writer.append(KIND, b"before", spans=1)
    real = os.writev
    with monkeypatch.context() as patched:
        patched.setattr(os, "writev", lambda fd, parts: real(fd, [parts[0], parts[1][:2]]))
        with pytest.raises(SpoolFullError):
            writer.append(KIND, b"lost", spans=1)
    writer.append(KIND, b"after", spans=1)
    assert payloads() == [b"before", b"after"]


def test_segment_that_cannot_be_sealed_costs_no_record(open_writer, payloads, folder, monkeypatch):
    writer = open_writer(segment_bytes=10)
    with monkeypatch.context() as patched:

        def fail(*_):
            raise OSError(errno.EACCES, "no")

        original = type(folder).rename
        patched.setattr(
            type(folder), "rename", lambda path, to: fail() if to.suffix == ".segment" else original(path, to)
        )
        writer.append(KIND, b"one", spans=1)
    writer.append(KIND, b"two", spans=1)
    assert names(folder) == [".open", ".segment"]
    assert sorted(payloads()) == [b"one", b"two"]


def test_folder_that_is_removed_is_made_again(open_writer, payloads, folder):
    writer = open_writer()
    writer.append(KIND, b"gone", spans=1)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    writer.append(KIND, b"here", spans=1)
    assert payloads() == [b"here"]


def test_path_below_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SpoolError, match="cannot be created"):
        SpoolWriter(tmp_path / "file" / "db", source="x").append(KIND, b"x", spans=1)
    (tmp_path / "db.spool").write_text("")
    with pytest.raises(SpoolError, match="a file"):
        SpoolWriter(tmp_path / "db", source="x").append(KIND, b"x", spans=1)


def test_record_too_large_is_refused(open_writer, monkeypatch):
    monkeypatch.setattr("otel_ragfault.landing.spool.record.MAX_PAYLOAD", 10)
    with pytest.raises(SpoolError, match="at most 10"):
        open_writer().append(KIND, b"x" * 11, spans=1)


def test_append_within_an_append_of_the_thread_is_refused(open_writer, payloads, monkeypatch):
    writer = open_writer()
    real = os.fdatasync
    caught = []

    def interrupted(fd):
        try:
            writer.append(KIND, b"inner", spans=1)
        except SpoolError as error:
            caught.append(str(error))
        real(fd)

    monkeypatch.setattr(os, "fdatasync", interrupted)
    writer.append(KIND, b"outer", spans=1)
    assert len(caught) == 1
    assert payloads() == [b"outer"]


def test_interrupted_write_blocks_nobody(open_writer, payloads, monkeypatch):
    writer = open_writer()
    with monkeypatch.context() as patched:

        def interrupt(_):
            raise KeyboardInterrupt

        patched.setattr(os, "fdatasync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            writer.append(KIND, b"maybe", spans=1)
    writer.append(KIND, b"sure", spans=1)
    assert b"sure" in payloads()


def test_clock_that_jumps_does_not_matter(open_writer, payloads, monkeypatch):
    writer = open_writer()
    for now in (10**18, 5, 2**62, 0):
        monkeypatch.setattr(time, "time_ns", lambda now=now: now)
        writer.append(KIND, str(now).encode(), spans=1)
        writer.seal()
    assert sorted(payloads()) == sorted(str(now).encode() for now in (10**18, 5, 2**62, 0))


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_forked_child_leaves_the_parents_file_alone(open_writer, payloads, folder):
    writer = open_writer()
    writer.append(KIND, b"parent", spans=1)
    child = os.fork()
    if not child:
        clean = writer.stats.records == 0
        writer.append(KIND, b"child", spans=1)
        writer.close()
        os._exit(0 if clean else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    writer.append(KIND, b"parent again", spans=1)
    assert names(folder) == [".open", ".segment"]
    assert sorted(payloads()) == [b"child", b"parent", b"parent again"]


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_lock_goes_with_the_parent_though_a_child_lives(db):
    code = (
        "import os, sys, time\n"
        "from otel_ragfault.landing.spool import RecordKind, SpoolWriter\n"
        "writer = SpoolWriter(sys.argv[1], source='x')\n"
        "writer.append(RecordKind.OTLP_TRACES, b'x', spans=1)\n"
        "if not os.fork():\n"
        "    os.close(1)\n"
        "    sys.stdin.read()\n"
        "    os._exit(0)\n"
        "print('forked', flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code, str(db)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert parent.stdout.read() == b"forked\n"
        parent.wait(20)
        with next(spool_folder(db).glob("*.open")).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        parent.communicate(timeout=20)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_fork_while_other_threads_append(open_writer, payloads):
    writer = open_writer(segment_bytes=500)
    stop = threading.Event()
    sent = []

    def send(number):
        i = 0
        while not stop.is_set():
            payload = f"{number}-{i}".encode()
            writer.append(KIND, payload, spans=1)
            sent.append(payload)
            i += 1

    threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for number in range(10):
        child = os.fork()
        if not child:
            writer.append(KIND, f"child-{number}".encode(), spans=1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        sent.append(f"child-{number}".encode())
    stop.set()
    for thread in threads:
        thread.join()
    assert sorted(payloads()) == sorted(sent)

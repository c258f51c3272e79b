"""No room: the bound of the spool, a full disk, a folder that cannot be written. Senders are told, and it heals."""

import os
import shutil
import subprocess

import grpc
import pytest

from otel_ragfault.store import connect
from receiving.served import request, wait_for
from receiving.test_command import hold
from receiving.test_grpc import TRACES, details

MIB = 2**20


def over_grpc(command, body):
    with grpc.insecure_channel(f"127.0.0.1:{command.grpc}") as channel:
        try:
            return channel.unary_unary(TRACES)(body, timeout=20)
        except grpc.RpcError as error:
            return error


def big(seed):
    """About 600 kB."""
    return request(60, seed=seed, text="x" * 10_000)


def fill(command):
    """Send until the spool says no; return how many requests were taken, and the refusal."""
    for taken in range(200):
        answer = command.post(body=big(taken + 1))
        if answer.status != 200:
            return taken, answer
    raise AssertionError("it was never full")


def spans(db):
    with connect(db, read_only=True) as con:
        return con.execute("SELECT count(*) FROM span").fetchone()[0]


def test_a_full_spool_says_try_again_and_heals_when_the_database_is_free(collect):
    command = collect("--max-spool", "2")
    command.post(body=request(1, seed=1000))
    wait_for(lambda: command.db.exists() and b"ragfault_loader_spans_total 1.0" in command.get("/metrics").body)
    holder = hold(command.db)
    taken, answer = fill(command)
    assert taken >= 1
    assert (answer.status, answer.headers["retry-after"]) == (503, "10")
    error = over_grpc(command, big(900))
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert len(details(error).details) == 1
    assert command.get("/readyz").status in {200, 503}  # full for a body of this size, not to the last byte
    assert b'reason="spool_full"' in command.get("/metrics").body
    holder.communicate(b"\n")
    wait_for(lambda: command.post(body=big(901)).status == 200)
    assert over_grpc(command, big(902)) == b""
    assert command.stop() == 0
    assert spans(command.db) == 1 + (taken + 2) * 60


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 8 MiB; skipped where none can be made."""
    place = tmp_path / "small"
    place.mkdir()
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("needs root to mount a small file system")
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("no small file system can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_says_try_again_and_heals(collect, small_disk):
    command = collect(db=small_disk / "spans.duckdb")
    command.post(body=request(1, seed=1000))
    wait_for(lambda: b"ragfault_loader_spans_total 1.0" in command.get("/metrics").body)
    ballast = small_disk / "ballast"
    free = shutil.disk_usage(small_disk).free
    ballast.write_bytes(bytes(free - 700_000))
    taken, answer = fill(command)
    assert answer.status == 503
    assert over_grpc(command, big(900)).code() in {grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE}
    assert command.get("/readyz").status == 503
    ballast.unlink()
    wait_for(lambda: command.post(body=big(901)).status == 200)
    wait_for(lambda: command.get("/readyz").status == 503)  # the disk is small, and stays nearly full by our measure
    assert command.stop() == 0
    assert spans(command.db) == 1 + (taken + 1) * 60


def test_a_database_that_a_notebook_keeps_for_long_costs_nothing(collect):
    command = collect()
    command.post(body=request(10, seed=1))
    wait_for(lambda: b"ragfault_loader_spans_total 10.0" in command.get("/metrics").body)
    holder = hold(command.db)
    for seed in range(2, 12):
        assert command.post(body=request(10, seed=seed)).status == 200
    wait_for(lambda: not has(command, "ragfault_loader_lock_waits_total 0.0"))
    holder.communicate(b"\n")
    wait_for(lambda: has(command, "ragfault_loader_spans_total 110.0"))
    assert command.stop() == 0


def has(command, line):
    return line in command.get("/metrics").body.decode().splitlines()

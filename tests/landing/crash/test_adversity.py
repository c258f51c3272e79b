"""Disks that are full or read-only, and a database that somebody holds: refused is refused, acknowledged stays."""

import subprocess
import time
from contextlib import suppress

import pytest

from landing.crash.harness import Ledger, run_until_killed, writer
from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.loader import load_spool, spool_status
from otel_ragfault.landing.spool import RecordKind, SpoolError, SpoolFullError, SpoolWriter

pytestmark = pytest.mark.timeout(180)
MOUNT = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs"]


@pytest.fixture
def disk(tmp_path):
    """A disk of 12 MB of its own, where we may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run([*MOUNT, str(folder)], check=False, capture_output=True).returncode:
        pytest.skip("a file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk):
    with (disk / "ballast").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


@pytest.mark.parametrize("loader", [[], ["no-loader"]], ids=["with a loader", "spool only"])
def test_disk_that_fills_up_under_a_process_that_is_killed(disk, loader):
    ledger = Ledger(disk / "spans.duckdb")
    command = writer("spooling", ledger.db, *loader)
    ledger.add(run_until_killed(command, meanwhile=lambda: (time.sleep(0.5), fill(disk)), kill_after=1))
    assert ledger.acknowledged
    with suppress(DatabaseError):  # with no room at all nothing can be loaded, and nothing may be harmed
        load_spool(ledger.db, wait=1)
    (disk / "ballast").unlink()
    assert ledger.check() >= len(ledger.acknowledged)


def test_read_only_disk_refuses_and_recovers_without_a_hand(disk):
    ledger = Ledger(disk / "spans.duckdb")
    ledger.add(run_until_killed(writer("spooling", ledger.db, "no-loader"), kill_after=0.3))
    survivor = SpoolWriter(ledger.db, source="test")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    try:
        with pytest.raises(SpoolError) as caught:
            survivor.append(RecordKind.SPAN_ROWS, b"x", spans=1)
        assert not isinstance(caught.value, SpoolFullError)
        with pytest.raises(DatabaseError):
            load_spool(ledger.db, wait=0.1)
        assert spool_status(ledger.db).files > 0
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
    ledger.check()
    survivor.append(RecordKind.SPAN_ROWS, b"no rows", spans=0)
    survivor.close()


def test_database_that_is_held_fills_the_spool_to_its_bound_and_no_further(tmp_path, held):
    db = tmp_path / "spans.duckdb"
    load_spool(db)
    sender = SpoolWriter(db, source="test", max_bytes=1_000_000, segment_bytes=100_000)
    sender.append(RecordKind.OTLP_TRACES, b"", spans=0)
    sender.seal()
    load_spool(db)
    accepted = 0
    with held(db):
        with suppress(SpoolFullError):
            for accepted in range(1000):
                sender.append(RecordKind.OTLP_TRACES, body(accepted), spans=1)
        assert accepted < 999
        assert 900_000 < spool_status(db).bytes <= 1_000_000
        with pytest.raises(DatabaseError, match="another process"):
            load_spool(db, wait=0.1)
    sender.seal()
    assert load_spool(db, wait=30).spans == accepted
    time.sleep(0.3)
    sender.append(RecordKind.OTLP_TRACES, body(accepted), spans=1)
    sender.close()


def body(number):
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    request = ExportTraceServiceRequest()
    request.resource_spans.add().scope_spans.add().spans.add(
        trace_id=b"\1" * 16, span_id=(number + 1).to_bytes(8), name="x" * 5000
    )
    return request.SerializeToString()

"""kill -9 of the receiver and of its loader, at random and at chosen moments: nothing acknowledged is lost or doubled."""

import contextlib
import http.client
import os
import threading
import time

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from landing.crash.harness import ROUNDS, Ledger, random_pause
from otel_ragfault.landing.spool import POINTS
from receiving.served import PROTOBUF, Command, wait_for
from receiving.test_grpc import TRACES

pytestmark = pytest.mark.timeout(180 + 15 * ROUNDS)
ENOUGH = 40
PAUSE = 0.005


def some_spans():
    """A body, and the ids in it."""
    message = ExportTraceServiceRequest()
    spans = message.resource_spans.add().scope_spans.add().spans
    now = time.time_ns()
    for _ in range(20):
        spans.add(trace_id=os.urandom(16), span_id=os.urandom(8), name="s", start_time_unix_nano=now)
    return message.SerializeToString(), [int.from_bytes(span.span_id) for span in spans]


class Senders:
    """Three senders over HTTP and one over gRPC, until the receiver dies; ``acknowledged`` are the ids it took."""

    def __init__(self, command):
        self.acknowledged = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._over_http, args=(command.http,)) for _ in range(3)]
        self._threads.append(threading.Thread(target=self._over_grpc, args=(command.grpc,)))
        for thread in self._threads:
            thread.start()

    def _over_http(self, port):
        with (
            contextlib.suppress(OSError, http.client.HTTPException),
            contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection,
        ):
            while not self._stop.is_set():
                body, ids = some_spans()
                connection.request("POST", "/v1/traces", body, {"content-type": PROTOBUF})
                answer = connection.getresponse()
                answer.read()
                if answer.status == 200:
                    self.acknowledged += ids
                time.sleep(PAUSE)

    def _over_grpc(self, port):
        with contextlib.suppress(grpc.RpcError), grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            call = channel.unary_unary(TRACES)
            while not self._stop.is_set():
                body, ids = some_spans()
                call(body, timeout=20)
                self.acknowledged += ids
                time.sleep(PAUSE)

    def stop(self):
        self._stop.set()
        for thread in self._threads:
            thread.join(30)
        assert not any(thread.is_alive() for thread in self._threads)
        return self.acknowledged


def live_and_die(ledger, *, pause=0.0, until=lambda _: True, env=None):
    """One life of a receiver that ends with SIGKILL, its own or ours; the ledger gets what it acknowledged."""
    command = Command(ledger.db, env=env)
    try:
        senders = Senders(command)
        wait_for(lambda: command.process.poll() is not None or (len(senders.acknowledged) > ENOUGH and until(command)))
        time.sleep(pause)
        command.kill()
        ledger.add(senders.stop())
    finally:
        command.kill()
    assert command.process.returncode == -9


def loader_died(command):
    return any("loader ended" in line for line in command.errors)


def test_the_receiver_dies_at_random_moments(tmp_path):
    ledger = Ledger(tmp_path / "spans.duckdb")
    for number in range(ROUNDS):
        live_and_die(ledger, pause=random_pause(number) * 2)
        if number % 3 == 0 or number == ROUNDS - 1:
            ledger.check()
    assert len(ledger.acknowledged) > ROUNDS * ENOUGH


@pytest.mark.parametrize("point", sorted(point for point in POINTS if point.startswith("spool.")))
def test_the_receiver_dies_at_a_point(tmp_path, point):
    ledger = Ledger(tmp_path / "spans.duckdb")
    times = 1 if "seal" in point else 9
    live_and_die(ledger, until=lambda _: False, env={"RAGFAULT_CRASH_AT": f"{point}:{times}"})
    assert ledger.check() >= len(ledger.acknowledged)


@pytest.mark.parametrize("point", sorted(point for point in POINTS if point.startswith("loader.")))
def test_the_loader_dies_at_a_point_and_then_the_receiver(tmp_path, point):
    ledger = Ledger(tmp_path / "spans.duckdb")
    live_and_die(ledger)  # what it leaves is recovered by the next loader, unless that dies over it
    live_and_die(ledger, until=loader_died, env={"RAGFAULT_CRASH_AT": point})
    assert ledger.check() >= len(ledger.acknowledged) > 0

"""Receivers to send to."""

import asyncio
import contextlib
import http.client
import os
import queue
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from otel_ragfault.receiving.address import Address, bind, bound
from otel_ragfault.receiving.desk import Desk
from otel_ragfault.receiving.grpc_server import GrpcServer
from otel_ragfault.receiving.http_app import HttpApp
from otel_ragfault.receiving.http_server import HttpServer
from otel_ragfault.receiving.intake import Intake
from otel_ragfault.receiving.metrics import Metrics
from otel_ragfault.receiving.options import CollectOptions, Limits
from otel_ragfault.receiving.tokens import Tokens

PROTOBUF = "application/x-protobuf"
JSON = "application/json"
HERE = Address("127.0.0.1", 0)
PATIENCE = 90.0  # the machine may be busy with other tests


class MemoryWriter:
    """A spool in memory; ``error`` is raised instead of keeping, when it is set."""

    def __init__(self):
        self.records = []
        self.error = None
        self.delay = 0.0
        self._lock = threading.Lock()

    def append(self, kind, payload, *, spans):
        time.sleep(self.delay)
        if self.error is not None:
            raise self.error
        with self._lock:
            self.records.append((kind, bytes(payload), spans))


def make_desk(writer, *, limits=None, token_file=None, open_paths="health", unready=()):
    """What both servers share, on a spool in memory."""
    limits = limits or Limits()
    options = CollectOptions(Path("none.duckdb"), HERE, HERE, limits=limits, open_paths=open_paths)
    intake = Intake(writer, max_body=limits.body)
    return Desk(options, Tokens(token_file), intake, Metrics(), lambda: list(unready))


class InProcess:
    """HTTP and gRPC servers in threads of this process."""

    def __init__(self, *, limits=None, grpc=False, context=None, credentials=None, **options):
        self.writer = MemoryWriter()
        self.limits = limits or Limits()
        self.desk = make_desk(self.writer, limits=self.limits, **options)
        self.grpc = GrpcServer(self.desk, self.limits, HERE, credentials) if grpc else None
        if self.grpc:
            self.grpc.start()
        self._pool = ThreadPoolExecutor(8)
        self._context = context
        self.http = None
        listener = bind(HERE)
        self.address = bound(listener)
        self._thread = threading.Thread(target=asyncio.run, args=(self._run(listener),))
        self._thread.start()
        wait_for(lambda: self.http is not None and self.http.started)

    async def _run(self, listener):
        self.http = HttpServer(HttpApp(self.desk, self._pool, self.limits.body_seconds), self.limits, self._context)
        await self.http.run_on(listener)

    def stop(self):
        self.http.stop()
        if self.grpc:
            self.grpc.stop(1).wait(10)
        self._thread.join(20)
        self._pool.shutdown()
        assert not self._thread.is_alive()

    @property
    def connections(self):
        return len(self.http.server_state.connections)

    def connect(self):
        return socket.create_connection((self.address.host, self.address.port), timeout=PATIENCE)

    def post(self, *arguments, **options):
        return post(self.address.port, *arguments, **options)


class Command:
    """``ragfault collect`` in a process of its own."""

    def __init__(self, db, *arguments, env=None, cwd=None):
        self.db = db
        self._queue = queue.Queue()
        self.errors = []  # lines of the log
        self.process = subprocess.Popen(
            [sys.executable, "-m", "otel_ragfault", "collect", "--db", str(db), "--log-format", "json",
             "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, env={**os.environ, **(env or {})},
        )  # fmt: skip
        threading.Thread(target=self._read, args=(self.process.stdout, self._queue.put), daemon=True).start()
        self._reader = threading.Thread(target=self._read, args=(self.process.stderr, self.errors.append), daemon=True)
        self._reader.start()
        try:
            self.http, self.grpc = self._port(), self._port()
        except BaseException:
            self.kill()
            raise

    def _port(self):
        return int(self._queue.get(timeout=PATIENCE).rsplit(":", 1)[1])

    @staticmethod
    def _read(stream, take):
        with contextlib.suppress(ValueError):
            for line in stream:
                take(line.rstrip("\n"))

    def post(self, *arguments, **options):
        return post(self.http, *arguments, **options)

    def get(self, path, **options):
        return post(self.http, path, None, method="GET", **options)

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, timeout=PATIENCE):
        code = self.process.wait(timeout)
        self._reader.join(5)
        return code

    def stop(self):
        self.signal(signal.SIGTERM)
        return self.wait()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            with contextlib.suppress(ValueError):
                stream.close()


class Response:
    """An answer, read to its end."""

    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()


def post(port, path="/v1/traces", body=b"", content_type=PROTOBUF, headers=(), method="POST", context=None):
    """Send one request and return its answer."""
    connection = (
        http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        if context is None
        else http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context)
    )
    with contextlib.closing(connection):
        given = {"content-type": content_type} if content_type is not None else {}
        connection.request(method, path, body, {**given, **dict(headers)})
        return Response(connection.getresponse())


def wait_for(ready, timeout=PATIENCE):
    """Wait until something is so; fail when it does not become so in time."""
    deadline = time.monotonic() + timeout
    while not ready():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def request(count=1, *, bad=0, seed=1, text="x"):
    """An export request of good and bad spans, with ids that no other seed has."""
    message = ExportTraceServiceRequest()
    resource = message.resource_spans.add()
    resource.resource.attributes.add(key="service.name").value.string_value = "tests"
    spans = resource.scope_spans.add().spans
    for number in range(count):
        span = spans.add(name=f"span {number}", trace_id=seed.to_bytes(8) + (number // 4 + 1).to_bytes(8))
        span.span_id = (seed << 24 | (number + 1)).to_bytes(8)
        span.start_time_unix_nano = 1_790_000_000_000_000_000 + number
        span.end_time_unix_nano = span.start_time_unix_nano + 1000
        span.attributes.add(key="text").value.string_value = text
    for number in range(bad):
        spans.add(name=f"bad {number}", trace_id=b"short", span_id=b"12345678")
    return message.SerializeToString()


def trusting(ca=None, cert=None, key=None):
    """A context for senders."""
    context = ssl.create_default_context(cafile=ca)
    if cert:
        context.load_cert_chain(cert, key)
    return context

"""Where spans and log records end up: two receivers with the same members.

``endpoint`` is known before ``start()``, which may ask for a token; ``spans()`` and ``log_records()`` are those that
have arrived; ``close()`` ends it for good.
"""

import gzip
import json
import subprocess
import sys
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector.running import environment, hold_port, port_of
from collector.waiting import eventually
from otel_ragfault.cli.commands import commands
from otel_ragfault.errors import DatabaseBusyError
from otel_ragfault.store import connect

COMMAND_EXISTS = "collect" in commands()


class Arrived(NamedTuple):
    """A span, as far as these tests look at it."""

    trace_id: str
    span_id: str
    name: str
    attributes: dict


class Logged(NamedTuple):
    """A log record, as far as these tests look at it."""

    trace_id: str
    event_name: str
    time: int
    attributes: dict


class HttpSink:
    """Takes OTLP/HTTP on a loopback port and remembers it."""

    keeps_each_once = False

    def __init__(self):
        self._held = hold_port()
        self.endpoint = f"http://127.0.0.1:{port_of(self._held)}"
        self.sizes = []
        self.authorizations = []
        self._log_requests = []
        self._requests = []
        self._server = None

    def start(self, *, token_file=None):
        """Listen. A token is not asked for here, only remembered."""
        self._server = ThreadingHTTPServer(self._held.getsockname(), _handler_of(self), bind_and_activate=False)
        self._server.socket.close()
        self._server.socket = self._held
        self._server.server_activate()
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def take(self, path, body, headers):
        self.sizes.append(len(body))
        self.authorizations.append(headers.get("Authorization"))
        if path == "/v1/logs":
            self._log_requests.append(ExportLogsServiceRequest.FromString(body))
        else:
            self._requests.append(ExportTraceServiceRequest.FromString(body))

    def spans(self):
        return [
            _arrived(span)
            for request in list(self._requests)
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def log_records(self):
        return [
            _logged(record)
            for request in list(self._log_requests)
            for resource in request.resource_logs
            for scope in resource.scope_logs
            for record in scope.log_records
        ]

    def everything(self):
        """All that was sent, as text."""
        return f"{self._requests}{self._log_requests}"

    def close(self):
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
        self._held.close()


def _handler_of(sink):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            sink.take(self.path, body, self.headers)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    return Handler


def _arrived(span):
    attributes = {one.key: _plain(one.value) for one in span.attributes}
    return Arrived(span.trace_id.hex(), span.span_id.hex(), span.name, attributes)


def _logged(record):
    attributes = {one.key: _plain(one.value) for one in record.attributes}
    return Logged(record.trace_id.hex(), record.event_name, record.time_unix_nano, attributes)


def _plain(value):
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_plain(one) for one in value.array_value.values]
    if kind == "kvlist_value":
        return {one.key: _plain(one.value) for one in value.kvlist_value.values}
    return None if kind is None else getattr(value, kind)


class CommandSink:
    """``ragfault collect`` and its database."""

    keeps_each_once = True

    def __init__(self, folder):
        folder.mkdir(parents=True)
        self.db = folder / "rag.duckdb"
        self._held = hold_port()
        self._address = f"127.0.0.1:{port_of(self._held)}"
        self.endpoint = f"http://{self._address}"
        self._log = folder / "log"
        self._process = None

    def start(self, *, token_file=None):
        self._held.close()
        addresses = ["--http", self._address, "--grpc", "off"]
        token = ["--token-file", str(token_file)] if token_file else []
        command = [sys.executable, "-m", "otel_ragfault", "collect", "--db", str(self.db), *addresses, *token]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, env=environment({}), stdout=log, stderr=log, cwd=self.db.parent)
        return self

    def spans(self):
        return self._read(spans_of)

    def log_records(self):
        return self._read(log_records_of)

    def _read(self, reader):
        if self._process.poll() is not None:
            raise AssertionError(f"ragfault collect ended: {self._log.read_text(encoding='utf-8')}")
        return reader(self.db) if self.db.exists() else []

    def close(self):
        self._held.close()
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=30)


def spans_of(db):
    """The spans of a database; none while another process has it."""
    found = _rows(db, "SELECT trace_id, span_id, name, attributes FROM span")
    return [Arrived(_hex(trace, 32), _hex(span, 16), name, json.loads(said)) for trace, span, name, said in found]


def log_records_of(db):
    """The log records of a database; none while another process has it."""
    found = _rows(db, "SELECT trace_id, event_name, epoch_ns(time), attributes FROM log_record")
    return [Logged(_hex(trace, 32) if trace else "", name, at, json.loads(said)) for trace, name, at, said in found]


def _rows(db, sql):
    try:
        con = connect(db, read_only=True)
    except DatabaseBusyError:
        return []
    with closing(con):
        return con.execute(sql).fetchall()


def _hex(identifier, digits):
    if isinstance(identifier, int):
        return format(identifier, f"0{digits}x")
    return str(identifier).replace("-", "")


def all_arrive(sink, spans, *, seconds=30.0):
    """Wait until every one of the given ``(trace id, span id)`` is in the sink; return what it has."""
    wanted = set(spans)
    eventually(lambda: wanted <= {one[:2] for one in sink.spans()}, seconds=seconds, what=f"{len(wanted)} spans")
    return sink.spans()

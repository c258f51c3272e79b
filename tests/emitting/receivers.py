"""OTLP receivers of log records that answer as they are told, and keep what they accepted."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import grpc
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.collector.logs.v1.logs_service_pb2_grpc import (
    LogsServiceServicer,
    add_LogsServiceServicer_to_server,
)

PROTOBUF = "application/x-protobuf"


def answered(rejected=0, said=""):
    """The body of an answer."""
    response = ExportLogsServiceResponse()
    if rejected or said:
        response.partial_success.rejected_log_records = rejected
        response.partial_success.error_message = said
    return response


class Kept:
    """The log records that were received, and the headers that they came with."""

    def __init__(self):
        self.records, self.headers, self.requests = [], [], 0

    def keep(self, request, headers):
        self.requests += 1
        self.headers.append({name.lower(): value for name, value in headers})
        found = [
            record
            for resource in request.resource_logs
            for scope in resource.scope_logs
            for record in scope.log_records
        ]
        self.records.extend(found)
        return found

    @property
    def ids(self):
        return [attributes(record)["ragfault.evaluation.id"] for record in self.records]


def attributes(record):
    """The attributes of a log record as Python values."""
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in record.attributes}


@contextmanager
def http_receiver(answer=lambda records: (200, answered())):
    """A server; ``answer`` gives a status and a body (bytes, or a message) for the records of a request.

    Yields its address and what it has received.
    """
    kept = Kept()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            records = kept.keep(ExportLogsServiceRequest.FromString(body), self.headers.items())
            status, told, *headers = answer(records)
            body = told if isinstance(told, bytes) else told.SerializeToString()
            self.send_response(status)
            for name, value in headers or [("content-type", PROTOBUF)]:
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", kept
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def grpc_receiver(answer=lambda records: answered()):
    """The same over gRPC; ``answer`` gives a message, or a status code to refuse with."""
    kept = Kept()

    class Service(LogsServiceServicer):
        def Export(self, request, context):  # noqa: N802 - the name of the service's method
            told = answer(kept.keep(request, context.invocation_metadata()))
            if isinstance(told, grpc.StatusCode):
                context.abort(told, "not today")
            return told

    pool = ThreadPoolExecutor(2)
    server = grpc.server(pool)
    add_LogsServiceServicer_to_server(Service(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"http://127.0.0.1:{port}", kept
    finally:
        server.stop(0).wait(10)
        pool.shutdown()

"""OTLP/gRPC: codes, details, compression, tokens, and hostile callers."""

import socket
import time

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from otel_ragfault.landing.spool import RecordKind, SpoolError, SpoolFullError
from otel_ragfault.receiving.address import Address
from otel_ragfault.receiving.options import Limits
from receiving.served import HERE, InProcess, request, wait_for

TRACES = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
LOGS = "/opentelemetry.proto.collector.logs.v1.LogsService/Export"
BODY = request(3)
LIMITS = Limits(body=200_000, body_seconds=1.0, rpc_threads=8)


@pytest.fixture(scope="module")
def server():
    server = InProcess(limits=LIMITS, grpc=True)
    yield server
    server.stop()


@pytest.fixture
def kept(server):
    server.writer.records.clear()
    yield server.writer.records
    server.writer.error = None
    assert server.desk.budget.held == 0


def export(server, body=BODY, method=TRACES, *, compression=None, metadata=None, channel=None):
    """Call; return the answer, or the error that was raised."""
    options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
    with channel or grpc.insecure_channel(str(server.grpc.address), options) as open_channel:
        call = open_channel.unary_unary(method, None, None)
        try:
            return call(body, timeout=20, compression=compression, metadata=metadata)
        except grpc.RpcError as error:
            return error


def details(error):
    trailing = dict(error.trailing_metadata())
    return Status.FromString(trailing["grpc-status-details-bin"])


@pytest.mark.parametrize("compression", [None, grpc.Compression.Gzip], ids=str)
def test_what_is_good_is_kept_as_received(server, kept, compression):
    assert export(server, compression=compression) == b""
    assert kept == [(RecordKind.OTLP_TRACES, BODY, 3)]


def test_log_records(server, kept):
    message = ExportLogsServiceRequest()
    message.resource_logs.add().scope_logs.add().log_records.add().body.string_value = "one"
    body = message.SerializeToString()
    assert export(server, body, LOGS) == b""
    assert kept == [(RecordKind.OTLP_LOGS, body, 1)]


def test_partial_success(server, kept):
    part = ExportTraceServiceResponse.FromString(export(server, request(2, bad=3))).partial_success
    assert (part.rejected_spans, [record[2] for record in kept]) == (3, [2])


@pytest.mark.parametrize(
    ("body", "left"), [(b"", []), (request(0, bad=2), [RecordKind.SET_ASIDE])], ids=["empty", "all bad"]
)
def test_nothing_to_keep_but_a_number(server, kept, body, left):
    assert isinstance(export(server, body), bytes)
    assert [record[0] for record in kept] == left


@pytest.mark.parametrize(
    ("body", "compression"),
    [
        (b"\x0a\xff", None),
        (BODY[:-3], None),
        (b"\x08\x01", None),
        (b"\x1f\x8bnot gzip at all", None),
        (bytes(10**7), grpc.Compression.Gzip),
    ],
    ids=["malformed", "cut", "wrong type", "bad gzip", "inflates too far"],
)
def test_what_can_never_succeed_is_an_invalid_argument(server, kept, body, compression):
    error = export(server, body, compression=compression)
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert (details(error).code, bool(details(error).message), len(details(error).details)) == (3, True, 0)
    assert kept == []


def test_a_message_beyond_the_bound(server, kept):
    assert export(server, b"x" * 300_000).code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert kept == []


def test_unknown_methods(server):
    assert export(server, method="/opentelemetry.proto.collector.metrics.v1.MetricsService/Export").code() is (
        grpc.StatusCode.UNIMPLEMENTED
    )


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SpoolFullError("full"), grpc.StatusCode.RESOURCE_EXHAUSTED),
        (SpoolError("broken"), grpc.StatusCode.UNAVAILABLE),
    ],
    ids=["full", "broken"],
)
def test_a_spool_that_cannot_take_more_says_when_to_try_again(server, kept, error, code):
    server.writer.error = error
    answer = export(server)
    info = RetryInfo()
    assert answer.code() is code
    assert details(answer).details[0].Unpack(info)
    assert info.retry_delay.seconds == 10
    server.writer.error = None
    assert export(server) == b""


def test_a_fault_of_ours(server, kept):
    server.writer.error = ZeroDivisionError("unforeseen")
    assert export(server).code() is grpc.StatusCode.INTERNAL


def test_tokens(serve, tmp_path):
    (tmp_path / "token").write_text("secret")
    server = serve(grpc=True, token_file=tmp_path / "token")
    assert export(server).code() is grpc.StatusCode.UNAUTHENTICATED
    assert export(server, metadata=[("authorization", "Bearer wrong")]).code() is grpc.StatusCode.UNAUTHENTICATED
    assert export(server, metadata=[("authorization", "Bearer secret")]) == b""


def test_a_call_without_a_token_is_refused_before_its_message(serve, tmp_path):
    (tmp_path / "token").write_text("secret")
    server = serve(grpc=True, token_file=tmp_path / "token")
    with grpc.insecure_channel(str(server.grpc.address)) as channel:
        call = channel.stream_unary(TRACES, None, None).future(endless(), timeout=20)
        assert call.exception(5).code() is grpc.StatusCode.UNAUTHENTICATED


def endless():
    """No message, for a long time."""
    time.sleep(10)
    yield from ()


def test_messages_that_never_come_are_given_up_and_others_are_served(server, kept):
    with grpc.insecure_channel(str(server.grpc.address)) as channel:
        began = time.monotonic()
        calls = [channel.stream_unary(TRACES, None, None).future(endless(), timeout=30) for _ in range(8)]
        codes = {call.exception(20).code() for call in calls}
        assert codes == {grpc.StatusCode.CANCELLED}
        assert time.monotonic() - began < 10
    assert export(server) == b""


def test_who_speaks_something_else_is_closed(server, kept):
    for sent in (
        b"GET / HTTP/1.1\r\nhost: x\r\n\r\n",
        b"\x00" * 100,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 100,
    ):
        with socket.create_connection((server.grpc.address.host, server.grpc.address.port), timeout=15) as sender:
            sender.sendall(sent)
            try:
                while sender.recv(65536):
                    pass
            except ConnectionError:
                pass
    assert export(server) == b""


def test_many_idle_connections(server, kept):
    idle = [socket.create_connection((server.grpc.address.host, server.grpc.address.port)) for _ in range(300)]
    try:
        assert export(server) == b""
    finally:
        for connection in idle:
            connection.close()


def test_a_port_in_use_is_named(serve):
    from otel_ragfault.errors import ConfigError
    from otel_ragfault.receiving.grpc_server import GrpcServer

    server = serve(grpc=True)
    with pytest.raises(ConfigError, match=r"127\.0\.0\.1:\d+: gRPC cannot listen there"):
        GrpcServer(server.desk, LIMITS, Address(HERE.host, server.grpc.address.port), None)


def test_a_stop_finishes_what_is_under_way(serve):
    server = serve(grpc=True)
    server.writer.delay = 1.0
    with grpc.insecure_channel(str(server.grpc.address)) as channel:
        call = channel.unary_unary(TRACES, None, None).future(BODY, timeout=20)
        wait_for(lambda: server.desk.budget.held > 0)
        stopped = server.grpc.stop(10)
        assert call.result(20) == b""
        assert stopped.wait(10)
    assert len(server.writer.records) == 1

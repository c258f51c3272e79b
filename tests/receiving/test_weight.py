"""Bodies that are small on the wire and huge once parsed are refused before they are parsed; others never are."""

import time

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from otel_ragfault.receiving.bodies import Form
from otel_ragfault.receiving.budget import Budget
from otel_ragfault.receiving.intake import Intake, Received
from otel_ragfault.receiving.refusal import Reason, RefusedError
from otel_ragfault.receiving.signals import Signal
from otel_ragfault.receiving.weight import refuse_heavy_json, refuse_heavy_protobuf
from receiving.served import MemoryWriter, request

MANY = 500_000


def varint(number):
    """A number as protobuf writes it."""
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def field(tag, content):
    return bytes([tag]) + varint(len(content)) + content


def in_scope(content):
    return field(0x0A, field(0x12, content))


HEAVY = {
    "empty spans": in_scope(b"\x12\x00" * MANY),
    "empty attributes of one span": in_scope(field(0x12, b"\x4a\x00" * MANY)),
    "empty resources": b"\x0a\x00" * MANY,
    "malformed after many": in_scope(b"\x12\x00" * MANY) + b"\xff",
    "one good span before many": in_scope(field(0x12, b"\x2a\x01a") + b"\x12\x00" * MANY),
    "unknown fields without end": b"\x58\x01" * MANY,
    "arrays in arrays": in_scope(field(0x12, field(0x4A, field(0x12, field(0x2A, b"\x0a\x00" * MANY))))),
}


@pytest.mark.parametrize("body", HEAVY.values(), ids=HEAVY)
def test_heavy_protobuf(body):
    with pytest.raises(RefusedError) as caught:
        refuse_heavy_protobuf(Signal.TRACES, body)
    assert caught.value.reason is Reason.TOO_LARGE


@pytest.mark.parametrize("text", [b"[" + b"[]," * MANY + b"[]]", b"[" + b"{}," * MANY + b"{}]", b'{"a":' * MANY])
def test_heavy_json(text):
    with pytest.raises(RefusedError):
        refuse_heavy_json(text)


def small_spans():
    """As small as spans of real senders get: no text, a few short attributes."""
    message = ExportTraceServiceRequest()
    spans = message.resource_spans.add().scope_spans.add().spans
    for number in range(20_000):
        span = spans.add(trace_id=bytes(15) + b"\x01", span_id=(number + 1).to_bytes(8), name="op", kind=1)
        span.start_time_unix_nano = span.end_time_unix_nano = 1 << 56
        for key in ("a", "bb", "tokens"):
            span.attributes.add(key=key).value.int_value = 1
    return message.SerializeToString()


@pytest.mark.parametrize(
    "body",
    [request(2000, text="x" * 200), request(10_000, text=""), small_spans(), bytes(2**20), b"", b"\x0a\x00" * 100],
    ids=["usual", "no text", "small", "zeros", "nothing", "few"],
)
def test_what_real_senders_send_is_not_heavy(body):
    try:
        refuse_heavy_protobuf(Signal.TRACES, body)
    except RefusedError:
        assert body == bytes(2**20)  # no request at all


def log_record(fields):
    return field(0x12, fields)


TOO_MANY = [
    pytest.param(Form.PROTOBUF, in_scope(log_record(b"\x09" + b"\x55" * 8) * 200_001), Reason.TOO_LARGE, id="protobuf"),
    pytest.param(
        Form.PROTOBUF,
        in_scope(log_record(b"\x09" + b"\x55" * 8) * 200_001 + log_record(b"\x1a\x02\xff\xff")),
        Reason.MALFORMED,
        id="protobuf with a bad one",
    ),
    pytest.param(
        Form.JSON,
        b'{"resourceLogs":[{"scopeLogs":[{"logRecords":[' + b'{"flags":123},' * 200_000 + b"{}]}]}]}",
        Reason.TOO_LARGE,
        id="JSON",
    ),
]


@pytest.mark.parametrize(("form", "body", "reason"), TOO_MANY)
def test_more_log_records_than_anybody_sends_are_refused_soon(form, body, reason):
    intake = Intake(MemoryWriter(), max_body=20 * 2**20)
    began = time.process_time()
    with Budget(2**28).open() as share, pytest.raises(RefusedError) as caught:
        intake.accept(Received(Signal.LOGS, form, None, body), share)
    assert caught.value.reason is reason
    assert time.process_time() - began < 5

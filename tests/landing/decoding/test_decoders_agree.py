"""One request in its two wire forms, and straight from the SDK, gives equal rows."""

import os
from pathlib import Path

import orjson
import pytest
from google.protobuf.json_format import MessageToDict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.resources import Resource
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags, TraceState

from otel_ragfault.landing import decode_json, decode_protobuf, decode_spans

SMALL = Path(__file__).parents[1] / "recordings"
ALL = Path(os.environ.get("RAGFAULT_SPANS", Path(__file__).parents[4] / "shared" / "spans"))


def requests(folder, bodies):
    for body in sorted(bodies.glob("*.pb")):
        name, line, _ = body.name.rsplit(".", 2)
        if not name.endswith(".logs"):
            yield pytest.param(folder / f"{name}.jsonl", int(line), body, id=body.stem)


def assert_equal_rows(text, line, body):
    from_json = decode_json(orjson.loads(text.read_bytes().splitlines()[line]))
    assert from_json.rows
    assert from_json == decode_protobuf(body.read_bytes())
    assert not from_json.unusable
    noted = {name for row in from_json.rows if row.repairs for name in orjson.loads(row.repairs)}
    assert noted <= {"scrubbed"}


@pytest.mark.parametrize(("text", "line", "body"), list(requests(SMALL, SMALL)))
def test_recorded_request_gives_equal_rows_from_json_and_protobuf(text, line, body):
    assert_equal_rows(text, line, body)


@pytest.mark.realdata
@pytest.mark.skipif(not ALL.is_dir(), reason=f"no recorded spans in {ALL}; set RAGFAULT_SPANS")
def test_every_recorded_request_gives_equal_rows_from_json_and_protobuf():
    for request in requests(ALL, ALL / "pb"):
        assert_equal_rows(*request.values)


scalar = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(),
    st.binary(max_size=20),
)
value = st.recursive(
    scalar, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)
attributes = st.dictionaries(st.text(min_size=1), value, max_size=4)


def with_hex_ids(node):
    """Proto3 JSON writes bytes in base64, OTLP/JSON writes ids in hex."""
    import base64

    if isinstance(node, list):
        return [with_hex_ids(item) for item in node]
    if isinstance(node, dict):
        ids = {"traceId", "spanId", "parentSpanId"}
        return {k: base64.b64decode(v).hex() if k in ids else with_hex_ids(v) for k, v in node.items()}
    return node


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(of_span=attributes, of_event=attributes, of_resource=attributes, name=st.text(), message=st.text())
def test_any_span_gives_equal_rows_by_all_three_ways(record, *, of_span, of_event, of_resource, name, message):
    def use(tracer):
        link = Link(SpanContext(7, 8, is_remote=True), of_event)
        with tracer.start_as_current_span(name, attributes=of_span, links=[link], kind=SpanKind.CLIENT) as span:
            span.add_event(name, of_event, timestamp=5)
            span.set_status(Status(StatusCode.ERROR, message))

    spans = record(use, Resource(of_resource, "https://schema"))
    sent = encode_spans(spans)
    from_sdk = decode_spans(spans)
    from_protobuf = decode_protobuf(sent.SerializeToString())
    as_json = MessageToDict(sent)
    assert len(from_sdk.rows) == 1
    assert from_sdk == from_protobuf
    assert decode_json(as_json) == from_protobuf
    assert decode_json(with_hex_ids(as_json)) == from_protobuf
    assert decode_json(MessageToDict(sent, preserving_proto_field_name=True)) == from_protobuf


def test_remote_parent_and_trace_state_come_through_the_sdk(record):
    from opentelemetry.trace import NonRecordingSpan, set_span_in_context

    state = TraceState([("vendor", "a:b"), ("other", "c")])
    parent = SpanContext(0xABC, 0xDEF, is_remote=True, trace_flags=TraceFlags(1), trace_state=state)
    spans = record(lambda t: t.start_span("x", context=set_span_in_context(NonRecordingSpan(parent))).end())
    [row] = decode_spans(spans).rows
    assert row == decode_protobuf(encode_spans(spans).SerializeToString()).rows[0]
    assert (row.parent_span_id, row.flags, row.trace_state) == (0xDEF, 0x300, "vendor=a:b,other=c")
    assert row.trace_id == (0xABC).to_bytes(16)


def test_dropped_attributes_of_the_sdk_are_counted(record):
    spans = record(lambda t: t.start_span("x", attributes={f"k{i}": i for i in range(200)}).end())
    assert decode_spans(spans).rows[0].dropped_attributes_count == 72


def test_empty_protobuf_is_a_request_without_spans():
    assert decode_protobuf(ExportTraceServiceRequest().SerializeToString()).rows == []

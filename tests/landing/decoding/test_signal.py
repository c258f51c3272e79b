import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from otel_ragfault.landing.decoding.signal import signal_of

T, S = b"t" * 16, b"s" * 8


def traces(**fields):
    request = ExportTraceServiceRequest()
    request.resource_spans.add().scope_spans.add().spans.add(**fields)
    return request


def logs(**fields):
    request = ExportLogsServiceRequest()
    group = request.resource_logs.add()
    group.resource.attributes.add(key="service.name").value.string_value = "shop"
    group.scope_logs.add()
    group.scope_logs.add().log_records.add(**fields)
    return request


def metrics(kind):
    request = ExportMetricsServiceRequest()
    metric = (
        request.resource_metrics.add()
        .scope_metrics.add()
        .metrics.add(name="requests", description="how many there were")
    )
    getattr(metric, kind).data_points.add(time_unix_nano=5)
    return request


TOLD = [
    pytest.param(traces(trace_id=T, span_id=S, name="s", start_time_unix_nano=1), "traces", id="span"),
    pytest.param(traces(trace_id=T, span_id=S), "traces", id="span of ids only"),
    pytest.param(traces(trace_id=b"short", span_id=S, name="s"), "traces", id="span with a bad id"),
    pytest.param(traces(name="s", kind=3), "traces", id="span without ids"),
    pytest.param(traces(name="s"), None, id="span of a name only"),
    pytest.param(traces(), None, id="empty span"),
    pytest.param(logs(time_unix_nano=1), "logs", id="log record"),
    pytest.param(logs(observed_time_unix_nano=1, event_name="e"), "logs", id="event"),
    pytest.param(logs(trace_id=T, span_id=S, severity_number=9), "logs", id="log record of a span"),
    pytest.param(logs(attributes=[{"key": "a"}]), "logs", id="log record of attributes only"),
    pytest.param(logs(severity_text="info"), None, id="log record of a text only"),
    pytest.param(metrics("gauge"), "metrics", id="gauge"),
    pytest.param(metrics("sum"), "metrics", id="sum"),
    pytest.param(metrics("histogram"), "metrics", id="histogram"),
    pytest.param(metrics("summary"), "metrics", id="summary"),
    pytest.param(ExportTraceServiceRequest(), None, id="nothing"),
]


@pytest.mark.parametrize(("request_", "signal"), TOLD)
def test_signal_of_a_request(request_, signal):
    assert signal_of(request_.SerializeToString()) == signal


def test_first_item_that_tells_decides():
    request = logs()
    request.resource_logs[0].scope_logs[1].log_records.add(time_unix_nano=4)
    assert signal_of(request.SerializeToString()) == "logs"


def test_damage_behind_what_tells_does_not_matter(recordings):
    for path in sorted(recordings.glob("*.pb")):
        body = path.read_bytes()
        assert signal_of(body) == signal_of(body + b"\xff") == "traces"


@given(st.binary(max_size=200))
def test_any_bytes_have_an_answer(body):
    assert signal_of(body) in {None, "traces", "logs", "metrics"}


SLOW = [
    pytest.param(b"\x78\x7f" * 2_000_000, id="a record of unknown numbers"),
    pytest.param(b"\x2a\x01x" * 1_000_000, id="a record of bodies"),
]


@pytest.mark.parametrize("item", SLOW)
def test_a_huge_item_that_tells_nothing_is_given_up(item):
    def inside(number, content):
        head, left = bytes([number << 3 | 2]), len(content)
        while left >= 128:
            head, left = head + bytes([left & 127 | 128]), left >> 7
        return head + bytes([left]) + content

    began = time.process_time()
    assert signal_of(inside(1, inside(2, inside(2, item)))) is None
    assert time.process_time() - began < 0.5  # seconds, where all of it takes several

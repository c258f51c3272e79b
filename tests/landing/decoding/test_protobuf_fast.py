from contextlib import suppress

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span

from otel_ragfault.landing.decoding.build import UnusableError, make_row
from otel_ragfault.landing.decoding.protobuf import parts_of
from otel_ragfault.landing.decoding.protobuf_fast import fast_row
from otel_ragfault.landing.decoding.protobuf_walk import origin_of

ORIGIN = origin_of(ResourceSpans(), ScopeSpans())


def span_of(**fields):
    given = {
        "trace_id": b"\1" * 16,
        "span_id": b"\2" * 8,
        "start_time_unix_nano": 5,
        "end_time_unix_nano": 6,
        "name": "s",
    }
    return Span(**{**given, **fields})


def with_attributes(**values):
    span = span_of()
    for key, (kind, value) in values.items():
        setattr(span.attributes.add(key=key.replace("__", ".")).value, f"{kind}_value", value)
    return span


def repeated():
    span = with_attributes(a=("int", 1))
    span.attributes.add(key="a").value.int_value = 2
    return span


def nested():
    span = span_of()
    span.attributes.add(key="a").value.array_value.values.add(int_value=1)
    return span


FAST = [
    pytest.param(span_of(), id="bare"),
    pytest.param(span_of(parent_span_id=b"\3" * 8, kind=3, flags=257, dropped_attributes_count=2**32 - 1), id="fields"),
    pytest.param(span_of(parent_span_id=bytes(8)), id="parent of zeros"),
    pytest.param(span_of(name="", status={"code": 2, "message": "caf\u00e9 \0"}), id="text"),
    pytest.param(
        with_attributes(
            gen_ai__operation__name=("string", "chat"),
            ragfault__stage=("string", "caf\u00e9"),
            most=("int", 2**63 - 1),
            least=("int", -(2**63)),
            real=("double", 3.0),
            yes=("bool", True),
            json=("string", '[{"id": "c1"}]'),
        ),
        id="attributes",
    ),
    pytest.param(with_attributes(ragfault__stage=("int", 5)), id="stage that is no text"),
]
GENERAL = [
    pytest.param(span_of(events=[{"name": "e"}]), id="event"),
    pytest.param(span_of(links=[{"span_id": b"x"}]), id="link"),
    pytest.param(span_of(trace_state="a=b"), id="trace state"),
    pytest.param(span_of(trace_id=b"\1"), id="short trace id"),
    pytest.param(span_of(trace_id=bytes(16)), id="trace id of zeros"),
    pytest.param(span_of(span_id=bytes(8)), id="span id of zeros"),
    pytest.param(span_of(parent_span_id=b"\1"), id="short parent"),
    pytest.param(span_of(start_time_unix_nano=0), id="no start"),
    pytest.param(span_of(end_time_unix_nano=2**64 - 1), id="impossible end"),
    pytest.param(span_of(kind=9), id="kind"),
    pytest.param(span_of(status={"code": -1}), id="status"),
    pytest.param(with_attributes(x=("double", float("nan"))), id="NaN"),
    pytest.param(with_attributes(x=("bytes", b"\xff")), id="bytes"),
    pytest.param(with_attributes(api_key=("string", "sk-1")), id="credential"),
    pytest.param(nested(), id="array"),
    pytest.param(repeated(), id="name sent twice"),
    pytest.param(Span(trace_id=b"\1" * 16, span_id=b"\2" * 8, attributes=[{"key": "a"}]), id="no value"),
]


@pytest.mark.parametrize("span", FAST)
def test_common_span_gives_the_row_of_the_general_way(span):
    expected = make_row(parts_of(span), ORIGIN)  # first, because names that are new go the general way once
    row = fast_row(span, ORIGIN)
    assert row == expected
    assert list(map(type, row)) == list(map(type, expected))


@pytest.mark.parametrize("span", GENERAL)
def test_uncommon_span_is_left_to_the_general_way(span):
    assert fast_row(span, ORIGIN) is None
    with suppress(UnusableError):
        make_row(parts_of(span), ORIGIN)


def test_recordings_give_the_same_rows_either_way(recordings):
    taken = 0
    for path in recordings.glob("*.pb"):
        for group in ExportTraceServiceRequest.FromString(path.read_bytes()).resource_spans:
            for scope in group.scope_spans:
                origin = origin_of(group, scope)
                for span in scope.spans:
                    row = fast_row(span, origin)
                    assert row in {None, make_row(parts_of(span), origin)}
                    taken += row is not None
    assert taken

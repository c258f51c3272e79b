import random

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from otel_ragfault.landing import MalformedError, decode_protobuf, to_table


@pytest.fixture
def request_():
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add(schema_url="https://r")
    group.resource.attributes.add(key="service.name").value.string_value = "SHOP"
    scope = group.scope_spans.add(schema_url="https://s")
    scope.scope.name = "LIB"
    for number in (1, 2, 3):
        scope.spans.add(trace_id=bytes([number]) * 16, span_id=bytes([number]) * 8, name=f"NAME{number}")
    return request


def names(decoded):
    to_table(decoded.rows)
    return [row.name for row in decoded.rows]


UNUSABLE = [
    pytest.param({"trace_id": bytes(16)}, "trace id of zeros", id="zero trace id"),
    pytest.param({"span_id": bytes(8)}, "span id of zeros", id="zero span id"),
    pytest.param({"trace_id": b""}, "trace id of 0 bytes, not 16", id="no trace id"),
    pytest.param({"trace_id": b"x" * 17}, "trace id of 17 bytes, not 16", id="long trace id"),
    pytest.param({"span_id": b"x" * 4}, "span id of 4 bytes, not 8", id="short span id"),
]


@pytest.mark.parametrize(("fields", "reason"), UNUSABLE)
def test_unusable_span_is_set_aside_and_the_rest_stays(request_, fields, reason):
    for name, value in fields.items():
        setattr(request_.resource_spans[0].scope_spans[0].spans[1], name, value)
    decoded = decode_protobuf(request_.SerializeToString())
    assert names(decoded) == ["NAME1", "NAME3"]
    assert dict(decoded.unusable) == {reason: 1}


REPAIRED = [
    pytest.param({"start_time_unix_nano": 2**64 - 1}, "start_time", None, id="time beyond int64"),
    pytest.param({"kind": 99}, "kind", 0, id="kind of the future"),
    pytest.param({"kind": -1}, "kind", 0, id="negative kind"),
    pytest.param({"parent_span_id": b"abc"}, "parent_span_id", None, id="short parent"),
]


@pytest.mark.parametrize(("fields", "column", "kept"), REPAIRED)
def test_what_cannot_be_kept_is_noted_and_the_span_stays(request_, fields, column, kept):
    for name, value in fields.items():
        setattr(request_.resource_spans[0].scope_spans[0].spans[1], name, value)
    row = decode_protobuf(request_.SerializeToString()).rows[1]
    assert getattr(row, column) == kept
    assert f'"{column}"' in row.repairs


def test_repeated_key_keeps_the_first_value_and_notes_the_others(request_):
    span = request_.resource_spans[0].scope_spans[0].spans[0]
    for number in (1, 2, 3):
        span.attributes.add(key="k").value.int_value = number
    row = decode_protobuf(request_.SerializeToString()).rows[0]
    assert row.attributes == '{"k":1}'
    assert row.repairs == '{"attributes.k":"sent again: 2; sent again: 3"}'


def test_span_with_text_that_is_not_utf8_does_not_cost_the_others(request_):
    decoded = decode_protobuf(request_.SerializeToString().replace(b"NAME2", b"NA\xff\xfe2"))
    assert names(decoded) == ["NAME1", "NAME3"]
    assert decoded.unusable.total() == 1
    row = decoded.rows[0]
    assert (row.service, row.scope_name) == ("SHOP", "LIB")
    assert "https://r" in row.resource
    assert "https://s" in row.scope


@pytest.mark.parametrize("name", [b"SHOP", b"LIB", b"https://r", b"https://s"], ids=str)
def test_resource_or_scope_that_is_not_utf8_does_not_cost_the_spans(request_, name):
    broken = request_.SerializeToString().replace(name, b"\xff" * len(name))
    assert names(decode_protobuf(broken)) == ["NAME1", "NAME2", "NAME3"]


def test_span_nested_too_deeply_does_not_cost_the_others(request_):
    value = request_.resource_spans[0].scope_spans[0].spans[1].attributes.add(key="k").value
    for _ in range(80):
        value = value.array_value.values.add()
    decoded = decode_protobuf(request_.SerializeToString())
    assert names(decoded) == ["NAME1", "NAME3"]
    assert decoded.unusable.total() == 1


@pytest.mark.parametrize("body", [b"\xff", b"\x0a\x05junk", b"\x0a\xff\xff\xff\xff\x7f", b"{}"], ids=repr)
def test_what_is_no_request_is_malformed(body):
    with pytest.raises(MalformedError):
        decode_protobuf(body)


def test_mutated_bodies_decode_or_are_malformed_and_never_anything_else(recordings):
    bodies = [path.read_bytes() for path in sorted(recordings.glob("*.pb"))]
    dice = random.Random(7)  # noqa: S311 - a fixed sequence of mutations
    outcomes = set()
    for _ in range(1500):
        body = bytearray(dice.choice(bodies))
        for _ in range(dice.randint(1, 4)):
            body[dice.randrange(len(body))] = dice.randrange(256)
        if dice.random() < 0.2:
            del body[dice.randrange(len(body)) :]
        try:
            decoded = decode_protobuf(bytes(body))
        except MalformedError:
            outcomes.add("malformed")
        else:
            to_table(decoded.rows)
            outcomes.add("unusable" if decoded.unusable else "rows")
    assert outcomes == {"malformed", "unusable", "rows"}

import math

import orjson
import pytest

from otel_ragfault.landing import MalformedError, decode_json, to_table
from otel_ragfault.landing.decoding.values import MAX_DEPTH

TRACE = "0af7651916cd43dd8448eb211c80319c"
SPAN = "b7ad6b7169203331"


def only_row(decoded):
    assert not decoded.unusable
    [row] = decoded.rows
    to_table([row])
    return row


SPELLINGS = [
    pytest.param({"traceId": TRACE.upper()}, "trace_id", bytes.fromhex(TRACE), id="upper-case hex"),
    pytest.param({"traceId": "CvdlGRbNQ92ESOshHIAxnA=="}, "trace_id", bytes.fromhex(TRACE), id="base64 trace id"),
    pytest.param({"traceId": "CvdlGRbNQ92ESOshHIAxnA"}, "trace_id", bytes.fromhex(TRACE), id="base64 unpadded"),
    pytest.param({"traceId": "_-_-_-_-_-_-_-_-_-_-_w=="}, "trace_id", b"\xff\xef\xfe" * 5 + b"\xff", id="base64url"),
    pytest.param({"spanId": "t61rcWkgMzE="}, "span_id", int(SPAN, 16), id="base64 span id"),
    pytest.param({"parentSpanId": "t61rcWkgMzE="}, "parent_span_id", int(SPAN, 16), id="base64 parent"),
    pytest.param({"parentSpanId": ""}, "parent_span_id", None, id="empty parent"),
    pytest.param({"parentSpanId": "0000000000000000"}, "parent_span_id", None, id="parent of zeros"),
    pytest.param({"kind": "SPAN_KIND_CLIENT"}, "kind", 3, id="kind by name"),
    pytest.param({"kind": 2}, "kind", 2, id="kind by number"),
    pytest.param({"kind": "4"}, "kind", 4, id="kind by number as text"),
    pytest.param({"kind": "Internal"}, "kind", 1, id="kind by short name"),
    pytest.param({"status": {"code": "STATUS_CODE_ERROR"}}, "status_code", 2, id="status by name"),
    pytest.param({"status": {"code": 1}}, "status_code", 1, id="status by number"),
    pytest.param({"status": {}}, "status_code", 0, id="empty status"),
    pytest.param({"status": None}, "status_code", 0, id="null status"),
    pytest.param({"startTimeUnixNano": 1796002487408969005}, "start_time", 1796002487408969005, id="time as number"),
    pytest.param({"startTimeUnixNano": "1796002487408969005"}, "start_time", 1796002487408969005, id="time as text"),
    pytest.param({"startTimeUnixNano": "0"}, "start_time", None, id="zero time is not known"),
    pytest.param({"startTimeUnixNano": ""}, "start_time", None, id="empty time"),
    pytest.param({"endTimeUnixNano": "999"}, "end_time", 999, id="reversed times are kept"),
    pytest.param({"droppedAttributesCount": "7"}, "dropped_attributes_count", 7, id="count as text"),
    pytest.param({"flags": 257}, "flags", 257, id="flags"),
    pytest.param({"traceState": "a=b"}, "trace_state", "a=b", id="trace state"),
    pytest.param({"name": None}, "name", "", id="null name"),
    pytest.param({"surprise": {"x": 1}}, "name", "s", id="unknown field"),
    pytest.param({"attributes": None}, "attributes", "{}", id="null attributes"),
]


@pytest.mark.parametrize(("fields", "column", "expected"), SPELLINGS)
def test_spellings_in_the_wild(request_of, span_of, fields, column, expected):
    row = only_row(decode_json(request_of(span_of(**fields))))
    assert getattr(row, column) == expected
    assert row.repairs is None


VALUES = [
    pytest.param({"stringValue": ""}, "", id="empty string"),
    pytest.param({"intValue": "9223372036854775807"}, 9223372036854775807, id="int as text"),
    pytest.param({"intValue": -9223372036854775808}, -9223372036854775808, id="int as number"),
    pytest.param({"intValue": 5.0}, 5, id="int as whole double"),
    pytest.param({"doubleValue": 1}, 1.0, id="double without point"),
    pytest.param({"doubleValue": "NaN"}, {"$double": "NaN"}, id="NaN by name"),
    pytest.param({"doubleValue": "-Infinity"}, {"$double": "-Infinity"}, id="infinity by name"),
    pytest.param({"doubleValue": math.nan}, {"$double": "NaN"}, id="NaN as parsed"),
    pytest.param({"boolValue": False}, False, id="false"),
    pytest.param({"bytesValue": "AP8="}, {"$bytes": "AP8="}, id="bytes"),
    pytest.param({"bytesValue": "AP8"}, {"$bytes": "AP8="}, id="bytes unpadded"),
    pytest.param({"arrayValue": {}}, [], id="empty array"),
    pytest.param({"arrayValue": {"values": [{"stringValue": "a"}, {}]}}, ["a", None], id="array"),
    pytest.param({"kvlistValue": {"values": [{"key": "a", "value": {"intValue": 1}}]}}, {"a": 1}, id="map"),
    pytest.param({"kvlist_value": {"values": [{"key": "a"}]}}, {"a": None}, id="snake-case map"),
    pytest.param({"string_value": "x"}, "x", id="snake-case string"),
    pytest.param({}, None, id="empty value"),
    pytest.param({"stringValue": None}, None, id="null content"),
    pytest.param(None, None, id="no value"),
]


@pytest.mark.parametrize(("value", "expected"), VALUES)
def test_attribute_values(request_of, span_of, value, expected):
    row = only_row(decode_json(request_of(span_of(attributes=[{"key": "k", "value": value}]))))
    found = orjson.loads(row.attributes)["k"]
    assert (found, type(found)) == (expected, type(expected))
    assert row.repairs is None


REPAIRS = [
    pytest.param({"startTimeUnixNano": "18446744073709551615"}, {"start_time": "18446744073709551615"}, id="time 2^64"),
    pytest.param({"startTimeUnixNano": 2**63 - 1}, {"start_time": "9223372036854775807"}, id="time of infinity"),
    pytest.param({"endTimeUnixNano": "-5"}, {"end_time": "-5"}, id="negative time"),
    pytest.param({"endTimeUnixNano": "soon"}, {"end_time": "soon"}, id="time in words"),
    pytest.param({"endTimeUnixNano": True}, {"end_time": "True"}, id="time as bool"),
    pytest.param({"kind": "SPAN_KIND_ODD"}, {"kind": "SPAN_KIND_ODD"}, id="unknown kind"),
    pytest.param({"kind": 300}, {"kind": "300"}, id="kind out of range"),
    pytest.param({"kind": -1}, {"kind": "-1"}, id="negative kind"),
    pytest.param({"flags": 2**32}, {"flags": "4294967296"}, id="flags out of range"),
    pytest.param({"name": 5}, {"name": "5"}, id="name as number"),
    pytest.param({"name": "a\ud800"}, {"name": "a\\ud800"}, id="surrogate in the name"),
    pytest.param({"parentSpanId": "xyz"}, {"parent_span_id": "xyz"}, id="odd parent"),
    pytest.param({"attributes": [{"key": "k", "value": "bare"}]}, {"attributes.k": "bare"}, id="bare value"),
    pytest.param({"attributes": [{"key": "k", "value": {"intValue": "1e3"}}]}, {"attributes.k": "1e3"}, id="odd int"),
    pytest.param(
        {"attributes": [{"key": "k", "value": {"intValue": "99999999999999999999"}}]},
        {"attributes.k": "99999999999999999999"},
        id="int beyond 64 bits",
    ),
    pytest.param({"attributes": [{"key": "k", "value": {"bytesValue": "*"}}]}, {"attributes.k": "*"}, id="not base64"),
    pytest.param(
        {"attributes": [{"key": "k", "value": {"newValue": 1}}]}, {"attributes.k": "{'newValue': 1}"}, id="new type"
    ),
    pytest.param(
        {"attributes": [{"key": "k", "value": {"intValue": 1}}, {"key": "k", "value": {"intValue": 2}}]},
        {"attributes.k": "sent again: 2"},
        id="key twice",
    ),
    pytest.param({"links": [{"traceId": "?"}]}, {"links[0].trace_id": "?"}, id="odd id of a link"),
    pytest.param({"events": [{"timeUnixNano": "?"}]}, {"events[0].time_unix_nano": "?"}, id="odd time of an event"),
]


@pytest.mark.parametrize(("fields", "repairs"), REPAIRS)
def test_what_cannot_be_kept_is_noted_and_the_span_stays(request_of, span_of, fields, repairs):
    row = only_row(decode_json(request_of(span_of(**fields))))
    assert orjson.loads(row.repairs) == repairs


UNUSABLE = [
    pytest.param({"traceId": "0" * 32}, "trace id of zeros", id="zero trace id"),
    pytest.param({"spanId": "0" * 16}, "span id of zeros", id="zero span id"),
    pytest.param({"traceId": ""}, "trace id of 0 bytes, not 16", id="no trace id"),
    pytest.param({"traceId": SPAN}, "trace id that is neither 32 hex digits nor base64 of 16 bytes", id="short"),
    pytest.param({"traceId": "g" * 32}, "trace id that is neither 32 hex digits nor base64 of 16 bytes", id="not hex"),
    pytest.param({"traceId": " " * 32}, "trace id that is neither 32 hex digits nor base64 of 16 bytes", id="blank"),
    pytest.param({"spanId": 5}, "span id that is neither 16 hex digits nor base64 of 8 bytes", id="number"),
    pytest.param({"attributes": {"a": 1}}, "attributes is not a list", id="attributes as object"),
    pytest.param({"events": ["x"]}, "events holds something else than objects", id="event as text"),
    pytest.param({"status": "ERROR"}, "status holds something else than objects", id="status as text"),
]


@pytest.mark.parametrize(("fields", "reason"), UNUSABLE)
def test_unusable_span_is_set_aside_and_the_rest_stays(request_of, span_of, fields, reason):
    decoded = decode_json(request_of(span_of(1), span_of(2, **fields), span_of(3)))
    assert dict(decoded.unusable) == {reason: 1}
    assert [row.span_id for row in decoded.rows] == [1, 3]


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"resourceSpans": None},
        {"resourceSpans": []},
        {"resourceSpans": [{}]},
        {"resourceSpans": [{"scopeSpans": [{}]}]},
    ],
    ids=str,
)
def test_request_without_spans_is_no_fault(request_):
    decoded = decode_json(request_)
    assert (decoded.rows, dict(decoded.unusable)) == ([], {})


@pytest.mark.parametrize("request_", [[], "x", 5, None, {"resourceSpans": {}}, {"resourceSpans": "x"}], ids=str)
def test_what_is_no_request_is_malformed(request_):
    with pytest.raises(MalformedError):
        decode_json(request_)


def test_malformed_group_does_not_cost_its_neighbours(request_of, span_of):
    good = request_of(span_of())["resourceSpans"][0]
    odd = {"resource": "x", "scopeSpans": [{"spans": [span_of(2), span_of(3)]}]}
    decoded = decode_json({"resourceSpans": ["x", odd, {"scopeSpans": 5}, good]})
    assert [row.span_id for row in decoded.rows] == [1]
    assert decoded.unusable.total() == 4


def test_service_and_scope_are_columns(span_of):
    group = {
        "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
        "schemaUrl": "https://r",
        "scopeSpans": [{"scope": {"name": "lib", "version": "1"}, "schemaUrl": "https://s", "spans": [span_of()]}],
    }
    row = only_row(decode_json({"resourceSpans": [group]}))
    assert (row.service, row.scope_name, row.scope_version) == ("shop", "lib", "1")
    assert orjson.loads(row.resource)["attributes"] == {"service.name": "shop"}
    assert orjson.loads(row.scope) == {"attributes": {}, "dropped_attributes_count": 0, "schema_url": "https://s"}


def test_a_value_nested_beyond_the_bound_is_left_out(request_of, span_of):
    value = {"stringValue": "core"}
    for _ in range(300):
        value = {"arrayValue": {"values": [value]}}
    row = only_row(decode_json(request_of(span_of(attributes=[{"key": "k", "value": value}]))))
    assert row.attributes.count("[") <= MAX_DEPTH
    assert "left out" in row.repairs

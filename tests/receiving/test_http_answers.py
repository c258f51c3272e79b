"""Every status code, with the body that OTLP wants, over real sockets."""

import gzip
import json

import orjson
import pyarrow as pa
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from otel_ragfault.landing.decoding.logs_protobuf import decode_logs_protobuf
from otel_ragfault.landing.decoding.set_aside import read_counts
from otel_ragfault.landing.spool import RecordKind, SpoolError, SpoolFullError
from otel_ragfault.receiving.options import Limits
from paths import RECORDINGS
from receiving.served import JSON, PROTOBUF, InProcess, request

BODY = request(3)
JSON_BODY = (RECORDINGS / "otel-openai-v2.jsonl").read_bytes().splitlines()[0]
DATED_LOG = bytes.fromhex("0a0d120b1209090100000000000000")
GOOD_SPAN = {"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331", "name": "good"}
BAD_SPAN = orjson.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [GOOD_SPAN, {**GOOD_SPAN, "traceId": "zz"}]}]}]})


def zstd(data):
    return pa.Codec("zstd").compress(data).to_pybytes()


def cut_inside_text(body):
    """The same request with a text that is not UTF-8 in one of its spans."""
    return body.replace(b"span 1", b"span \xff")


@pytest.fixture(scope="module")
def server():

    server = InProcess(limits=Limits(body=200_000))
    yield server
    server.stop()


@pytest.fixture
def kept(server):
    server.writer.records.clear()
    server.writer.error = None
    yield server.writer.records
    server.writer.error = None


@pytest.mark.parametrize(
    ("path", "content_type", "encoding", "body", "kind"),
    [
        ("/v1/traces", PROTOBUF, None, BODY, RecordKind.OTLP_TRACES),
        ("/v1/traces/", "application/x-protobuf; messageType=x", "identity", BODY, RecordKind.OTLP_TRACES),
        ("/v1/traces", PROTOBUF, "gzip", gzip.compress(BODY), RecordKind.OTLP_TRACES),
        ("/v1/traces", PROTOBUF, "zstd", zstd(BODY), RecordKind.OTLP_TRACES),
        ("/v1/traces", JSON, None, JSON_BODY, RecordKind.SPAN_ROWS),
        ("/v1/traces/", "Application/JSON; charset=UTF-8", "gzip", gzip.compress(JSON_BODY), RecordKind.SPAN_ROWS),
        ("/v1/traces", JSON, "zstd", zstd(JSON_BODY), RecordKind.SPAN_ROWS),
    ],
)
def test_what_is_good_is_kept_and_answered_in_kind(server, kept, path, content_type, encoding, body, kind):
    headers = {"content-encoding": encoding} if encoding else {}
    answer = server.post(path, body, content_type, headers)
    json_wanted = "json" in content_type.lower()
    assert (answer.status, answer.body) == (200, b"{}" if json_wanted else b"")
    assert answer.headers["content-type"] == (JSON if json_wanted else PROTOBUF)
    assert [record[0] for record in kept] == [kind]
    if kind is RecordKind.OTLP_TRACES:
        assert kept[0][1:] == (BODY, 3)


def test_a_chunked_body(server, kept):
    pieces = (BODY[start : start + 7] for start in range(0, len(BODY), 7))
    assert server.post(body=pieces).status == 200
    assert kept[0][1] == BODY


@pytest.mark.parametrize(("content_type", "body"), [(PROTOBUF, b""), (JSON, b"{}"), (JSON, b'{"resourceSpans":[]}')])
def test_a_request_without_spans_is_fine_and_leaves_nothing(server, kept, content_type, body):
    assert server.post(body=body, content_type=content_type).status == 200
    assert kept == []


def test_spans_that_cannot_be_stored_are_a_partial_success(server, kept):
    answer = server.post(body=request(2, bad=3))
    response = ExportTraceServiceResponse.FromString(answer.body)
    assert (answer.status, response.partial_success.rejected_spans) == (200, 3)
    assert "3 with trace id of 5 bytes, not 16" in response.partial_success.error_message
    assert kept == [(RecordKind.OTLP_TRACES, request(2, bad=3), 2)]


def test_a_span_that_protobuf_does_not_parse_costs_only_itself(server, kept):
    answer = server.post(body=cut_inside_text(BODY))
    assert ExportTraceServiceResponse.FromString(answer.body).partial_success.rejected_spans == 1
    assert [record[2] for record in kept] == [2]


def test_partial_success_in_json(server, kept):
    answer = server.post(body=BAD_SPAN, content_type=JSON)
    part = json.loads(answer.body)["partialSuccess"]
    assert (answer.status, part["rejectedSpans"]) == (200, "1")
    assert "trace id" in part["errorMessage"]
    assert [record[::2] for record in kept] == [(RecordKind.SPAN_ROWS, 1), (RecordKind.SET_ASIDE, 0)]
    assert read_counts(kept[1][1]).total() == 1


def test_when_no_span_is_usable_only_their_number_is_kept_and_all_are_rejected(server, kept):
    answer = server.post(body=request(0, bad=2))
    assert ExportTraceServiceResponse.FromString(answer.body).partial_success.rejected_spans == 2
    assert kept == [(RecordKind.SET_ASIDE, b'{"trace id of 5 bytes, not 16":2}', 0)]


def test_spans_that_can_never_be_stored_are_not_sent_again_because_of_a_full_spool(server, kept):
    server.writer.error = SpoolFullError("full")
    assert server.post(body=request(0, bad=2)).status == 200


def log_request(*texts):
    message = ExportLogsServiceRequest()
    group = message.resource_logs.add()
    group.resource.attributes.add(key="service.name").value.string_value = "shop"
    group.resource.attributes.add(key="host.name").value.string_value = "HOST"
    records = group.scope_logs.add().log_records
    for text in texts:
        records.add().body.string_value = text
    return message.SerializeToString()


def test_a_log_record_that_protobuf_does_not_parse_costs_only_itself(server, kept):
    body = log_request("one", "QQQQ", "three").replace(b"QQQQ", b"\xff\xfe\xfd\xfc")
    answer = server.post("/v1/logs", body)
    part = ExportLogsServiceResponse.FromString(answer.body).partial_success
    assert (answer.status, part.rejected_log_records) == (200, 1)
    assert "1 with not parsable as protobuf" in part.error_message
    assert kept == [(RecordKind.OTLP_LOGS, body, 2)]
    decoded = decode_logs_protobuf(kept[0][1])
    assert [row.body for row in decoded.rows] == ['"one"', '"three"']
    assert decoded.unusable.total() == 1


def test_a_resource_with_one_bad_text_keeps_the_others(server, kept):
    body = log_request("one").replace(b"HOST", b"\xff\xfe\xfd\xfc")
    assert server.post("/v1/logs", body).body == b""
    [row] = decode_logs_protobuf(kept[0][1]).rows
    assert (row.service, json.loads(row.resource)["dropped_attributes_count"]) == ("shop", 1)


def test_log_records(server, kept):
    message = ExportLogsServiceRequest()
    records = message.resource_logs.add().scope_logs.add().log_records
    records.add().body.string_value = "one"
    records.add(event_name="gen_ai.evaluation.result")
    body = message.SerializeToString()
    assert server.post("/v1/logs", body).status == 200
    assert kept == [(RecordKind.OTLP_LOGS, body, 2)]


REFUSED = [
    ("malformed protobuf", 400, {"body": b"\x0a\xff"}),
    ("a cut body", 400, {"body": BODY[:-3]}),
    ("no such message", 400, {"body": b"abc"}),
    ("a field of another wire type", 400, {"body": b"\x08\x01"}),
    ("malformed logs", 400, {"path": "/v1/logs", "body": BODY[:-3]}),
    ("spans where logs are wanted", 400, {"path": "/v1/logs", "body": BODY}),
    ("logs where spans are wanted", 400, {"body": DATED_LOG}),
    ("bad gzip", 400, {"body": b"not gzip", "headers": {"content-encoding": "gzip"}}),
    ("cut gzip", 400, {"body": gzip.compress(BODY)[:-9], "headers": {"content-encoding": "gzip"}}),
    ("bad zstd", 400, {"body": b"not zstd", "headers": {"content-encoding": "zstd"}}),
    ("nothing, compressed", 400, {"body": b"", "headers": {"content-encoding": "gzip"}}),
    ("not JSON", 400, {"body": b'{"resourceSpans":[', "content_type": JSON}),
    ("JSON of another shape", 400, {"body": b"[]", "content_type": JSON}),
    ("JSON with spans that are no list", 400, {"body": b'{"resourceSpans":{}}', "content_type": JSON}),
    ("JSON of another signal", 400, {"body": b'{"resourceLogs":[]}', "content_type": JSON}),
    ("deep JSON", 400, {"body": b"[" * 50_000, "content_type": JSON}),
    ("protobuf said to be JSON", 400, {"body": BODY, "content_type": JSON}),
    ("no such path", 404, {"path": "/v1/metrics"}),
    ("the root", 404, {"path": "/"}),
    ("a path with odd letters", 404, {"path": "/%ff%00/../v1/traces"}),
    ("GET", 405, {"method": "GET", "body": None}),
    ("PUT", 405, {"method": "PUT"}),
    ("POST to a page", 405, {"path": "/healthz"}),
    ("too large", 413, {"body": b"x" * 200_001}),
    ("too large when inflated", 413, {"body": gzip.compress(bytes(10**7)), "headers": {"content-encoding": "gzip"}}),
    ("no content type", 415, {"content_type": None}),
    ("another content type", 415, {"content_type": "text/plain"}),
    ("another charset", 415, {"content_type": "application/json; charset=utf-16"}),
    ("another encoding", 415, {"headers": {"content-encoding": "br"}}),
    ("two encodings", 415, {"headers": {"content-encoding": "gzip, gzip"}}),
]


@pytest.mark.parametrize(("status", "sent"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_can_never_succeed_is_refused_with_a_status(server, kept, status, sent):
    answer = server.post(**sent)
    assert answer.status == status
    if answer.headers["content-type"] == PROTOBUF:
        message = Status.FromString(answer.body)
        assert (message.code > 0, bool(message.message), len(message.details)) == (True, True, 0)
    else:
        assert set(orjson.loads(answer.body)) == {"code", "message"}
    assert "retry-after" not in answer.headers
    assert kept == []


def test_too_large_while_streaming(server, kept):
    with server.connect() as sender:
        sender.sendall(b"POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-protobuf\r\n"
                       b"transfer-encoding: chunked\r\n\r\n" + (b"2710\r\n" + b"x" * 10_000 + b"\r\n") * 21)  # fmt: skip
        assert sender.recv(1000).startswith(b"HTTP/1.1 413")
    assert kept == []


def test_a_body_of_exactly_the_bound_is_read(server, kept):
    assert server.post(body=b"\xff" * 200_000).status == 400


@pytest.mark.parametrize("error", [SpoolFullError("full"), SpoolError("broken"), OSError(5, "no disk")], ids=repr)
@pytest.mark.parametrize("content_type", [PROTOBUF, JSON])
def test_a_spool_that_cannot_take_more_says_try_again(server, kept, error, content_type):
    server.writer.error = error
    body = BODY if content_type == PROTOBUF else JSON_BODY
    answer = server.post(body=body, content_type=content_type)
    assert (answer.status, answer.headers["retry-after"]) == (503, "10")
    if content_type == PROTOBUF:
        info = RetryInfo()
        assert Status.FromString(answer.body).details[0].Unpack(info)
        assert info.retry_delay.seconds == 10
    else:
        assert orjson.loads(answer.body)["details"][0]["retryDelay"] == "10s"
    server.writer.error = None
    assert server.post(body=body, content_type=content_type).status == 200


def test_a_fault_of_ours_is_named_as_one(server, kept):
    server.writer.error = ZeroDivisionError("unforeseen")
    answer = server.post(body=BODY)
    assert (answer.status, Status.FromString(answer.body).code) == (500, 13)


def test_too_much_in_memory_at_once(serve):
    server = serve(limits=Limits(held=1000))
    assert server.post(body=b"x" * 2000).status == 503
    assert server.desk.budget.held == 0
    assert server.post(body=request(1)).status == 200


def test_after_a_stop_was_asked_for(serve):
    server = serve()
    server.desk.stopping.set()
    answer = server.post(body=BODY)
    assert (answer.status, answer.headers["retry-after"]) == (503, "1")


def test_pages_for_machines(serve):
    server = serve(unready=["the loader does not run"])
    assert server.post("/healthz", None, method="GET").body == b'{"alive":true}'
    answer = server.post("/readyz", None, method="GET")
    assert (answer.status, orjson.loads(answer.body)["reasons"]) == (503, ["the loader does not run"])
    server.post(body=request(2, bad=1))
    server.post(body=b"abc")
    text = server.post("/metrics", None, method="GET").body.decode()
    assert 'ragfault_accepted_total{encoding="protobuf",protocol="http",signal="traces"} 2.0' in text
    assert 'ragfault_rejected_total{protocol="http",signal="traces"} 1.0' in text
    assert 'ragfault_requests_refused_total{protocol="http",reason="malformed"} 1.0' in text


def test_tokens(serve, tmp_path):
    file = tmp_path / "token"
    file.write_text("first\nsecond\n")
    server = serve(token_file=file)
    for given, status in [(None, 401), ("Bearer third", 401), ("first", 401), ("Basic first", 401), ("Bearer ", 401),
                          ("Bearer first", 200), ("bearer second", 200)]:  # fmt: skip
        answer = server.post(body=BODY, headers={"authorization": given} if given else {})
        assert answer.status == status, given
    assert server.post(body=BODY).headers["www-authenticate"].startswith("Bearer")
    assert [server.post(page, None, method="GET").status for page in ("/healthz", "/readyz", "/metrics")] == [
        200,
        200,
        401,
    ]
    assert server.post("/nowhere").status == 404
    file.write_text("third")
    server.desk.tokens.reload()
    assert server.post(body=BODY, headers={"authorization": "Bearer first"}).status == 401
    assert server.post(body=BODY, headers={"authorization": "Bearer third"}).status == 200


@pytest.mark.parametrize(("open_paths", "statuses"), [("none", [401, 401, 401]), ("all", [200, 200, 200])])
def test_pages_may_be_open_or_closed(serve, tmp_path, open_paths, statuses):
    (tmp_path / "token").write_text("t")
    server = serve(token_file=tmp_path / "token", open_paths=open_paths)
    pages = ("/healthz", "/readyz", "/metrics")
    assert [server.post(page, None, method="GET").status for page in pages] == statuses

"""Bodies of all kinds of wrong: no crash, no 5xx, and the good spans of a partly bad request are kept.

RAGFAULT_FUZZ_BODIES is how many mutated bodies are sent (50000 for the long form), RAGFAULT_SPANS a folder of protobuf
bodies beside those of the repository.
"""

import gzip
import os
import random
from collections import Counter
from pathlib import Path

import orjson
import pytest
from google.protobuf import json_format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from otel_ragfault.landing import decode_protobuf
from otel_ragfault.landing.decoding.logs_protobuf import decode_logs_protobuf
from otel_ragfault.landing.decoding.row import SPAN_SCHEMA
from otel_ragfault.landing.decoding.row_log import LOG_SCHEMA
from otel_ragfault.landing.decoding.rows import read_rows
from otel_ragfault.landing.decoding.set_aside import read_counts
from otel_ragfault.landing.spool import RecordKind
from otel_ragfault.receiving.bodies import Form
from otel_ragfault.receiving.budget import Budget
from otel_ragfault.receiving.intake import Intake, Received
from otel_ragfault.receiving.refusal import Reason, RefusedError
from otel_ragfault.receiving.signals import Signal
from paths import RECORDINGS
from receiving.served import MemoryWriter

BODIES = int(os.environ.get("RAGFAULT_FUZZ_BODIES", "3000"))
NEVER_SUCCEEDS = {Reason.MALFORMED, Reason.BAD_COMPRESSION, Reason.TOO_LARGE}
pytestmark = pytest.mark.timeout(120 + BODIES // 20)


def seeds():
    folders = [RECORDINGS, *([Path(os.environ["RAGFAULT_SPANS"])] if "RAGFAULT_SPANS" in os.environ else [])]
    return [path.read_bytes() for folder in folders for path in sorted(folder.rglob("*.pb"))]


def json_seeds(*, logs=False):
    files = [path for path in sorted(RECORDINGS.glob("*.jsonl")) if (".logs." in path.name) is logs]
    return [line for path in files for line in path.read_bytes().splitlines()]


def log_seeds():
    """The recorded logs in protobuf."""
    parsed = [json_format.ParseDict(orjson.loads(line), ExportLogsServiceRequest()) for line in json_seeds(logs=True)]
    return [request.SerializeToString() for request in parsed]


def accept(body, *, signal=Signal.TRACES, form=Form.PROTOBUF, encoding=None):
    """What a request becomes: what was kept, and how it was judged; ``None`` for one that can never succeed."""
    writer = MemoryWriter()
    with Budget(2**28).open() as share:
        try:
            checked = Intake(writer, max_body=20 * 2**20).accept(Received(signal, form, encoding, body), share)
        except RefusedError as refused:
            assert refused.reason in NEVER_SUCCEEDS, refused  # noqa: PT017 - all others mean "send again", or a fault
            assert writer.records == []
            return None
    verify(writer.records, checked)
    return checked


def verify(records, checked):
    """What was acknowledged, and what was not, is what the loader will make of the records."""
    good, unusable = 0, Counter()
    for kind, payload, spans in records:
        if kind == RecordKind.SET_ASIDE:
            unusable += read_counts(payload)
            continue
        assert (spans, good) == (checked.good, 0)
        if kind in {RecordKind.OTLP_TRACES, RecordKind.OTLP_LOGS}:
            decoded = (decode_protobuf if kind == RecordKind.OTLP_TRACES else decode_logs_protobuf)(payload)
            good, unusable = len(decoded.rows), unusable + decoded.unusable
        else:
            schema = SPAN_SCHEMA if kind == RecordKind.SPAN_ROWS else LOG_SCHEMA
            good = read_rows(memoryview(payload), schema).num_rows
    assert (good, unusable.total()) == (checked.good, checked.unusable.total())


def cut(body, at, source):
    return body[:at] if source.random() < 0.5 else body[at:]


def replaced(body, at, source):
    return body[:at] + bytes([source.randrange(256)]) + body[at + 1 :]


def inserted(body, at, source):
    return body[:at] + source.randbytes(source.randrange(1, 9)) + body[at:]


def deleted(body, at, source):
    return body[:at] + body[at + source.randrange(1, 20) :]


def repeated(body, at, source):
    return body[:at] + body[at : at + 40] * source.randrange(2, 20) + body[at + 40 :]


def filled(body, at, source):
    end = at + source.randrange(1, 9)
    return body[:at] + b"\xff" * (end - at) + body[end:]


def flipped(body, at, source):
    result = bytearray(body)
    for _ in range(source.randrange(1, 6)):
        result[source.randrange(len(body))] ^= 1 << source.randrange(8)
    return bytes(result)


def doubled(body, at, source):
    return body + body[:at]


MUTATIONS = (cut, replaced, inserted, deleted, repeated, filled, flipped, doubled)


def mutate(body, source):
    """A body with one of the things done to it that bad senders, proxies and disks do."""
    if not body:
        return source.randbytes(source.randrange(50))
    return source.choice(MUTATIONS)(body, source.randrange(len(body)), source)


def test_mutated_bodies():
    source = random.Random(20261130)  # noqa: S311 - no secret
    protobuf = {Signal.TRACES: seeds(), Signal.LOGS: log_seeds()}
    json = {Signal.TRACES: json_seeds(), Signal.LOGS: json_seeds(logs=True)}
    taken = 0
    for number in range(BODIES):
        form = Form.JSON if number % 4 == 3 else Form.PROTOBUF
        signal = Signal.LOGS if number % 11 == 10 else Signal.TRACES
        sent = signal if number % 5 else Signal.TRACES  # some to the wrong place
        body = source.choice((json if form is Form.JSON else protobuf)[sent])
        for _ in range(source.randrange(1, 4)):
            body = mutate(body, source)
        encoding = None
        if number % 7 == 6:
            encoding, body = (
                "gzip",
                mutate(gzip.compress(body, 1), source) if source.random() < 0.5 else gzip.compress(body, 1),
            )
        taken += accept(body, signal=signal, form=form, encoding=encoding) is not None
    assert BODIES / 10 < taken < BODIES  # many go through in part: mutations must not all be obvious


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_bytes(body):
    for form in Form:
        for encoding in (None, "gzip", "zstd"):
            accept(body, form=form, encoding=encoding)
    accept(body, signal=Signal.LOGS)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)
FIELDS = (
    "name", "kind", "status", "attributes", "events", "links", "flags", "startTimeUnixNano", "parentSpanId"
)  # fmt: skip
SPAN = st.fixed_dictionaries(
    {
        "traceId": st.just("0af7651916cd43dd8448eb211c80319c") | ANYTHING,
        "spanId": st.just("b7ad6b7169203331") | ANYTHING,
    },
    optional=dict.fromkeys(FIELDS, ANYTHING),
)
GROUPS = st.lists(
    st.fixed_dictionaries({"scopeSpans": st.lists(st.fixed_dictionaries({"spans": st.lists(SPAN, max_size=3) | ANYTHING})) | ANYTHING})
    | ANYTHING,
    max_size=3,
)  # fmt: skip


def as_json(value):
    """JSON as lenient senders write it: integers of any size, NaN, lone surrogates."""
    import json

    return json.dumps(value).encode()


@given(st.fixed_dictionaries({"resourceSpans": GROUPS}) | ANYTHING)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_json(value):
    accept(as_json(value), form=Form.JSON)
    accept(as_json(value), form=Form.JSON, signal=Signal.LOGS)


@given(st.lists(st.tuples(st.binary(max_size=20), st.binary(max_size=10)), max_size=8))
@settings(max_examples=300, deadline=None)
def test_spans_with_any_ids(ids):
    message = ExportTraceServiceRequest()
    spans = message.resource_spans.add().scope_spans.add().spans
    spans.add(trace_id=b"t" * 16, span_id=b"s" * 8)
    for trace_id, span_id in ids:
        spans.add(trace_id=trace_id, span_id=span_id)
    checked = accept(message.SerializeToString())
    assert checked.good >= 1
    assert checked.good + checked.unusable.total() == len(ids) + 1


def test_good_spans_between_bad_ones_are_kept_whatever_is_wrong_with_those():
    message = ExportTraceServiceRequest.FromString(max(seeds(), key=len))
    spans = message.resource_spans[0].scope_spans[0].spans
    total = sum(len(scope.spans) for group in message.resource_spans for scope in group.scope_spans)
    for number in range(5):
        spans.add(trace_id=b"x" * number, span_id=b"12345678")
    spans.add(trace_id=b"t" * 16, span_id=b"s" * 8, name="SPOILED")
    body = message.SerializeToString().replace(b"SPOILED", b"SPOIL\xff\xfe")
    checked = accept(body)
    assert (checked.good, checked.unusable.total()) == (total, 6)


def test_numbers_beyond_all_bounds_in_json_do_not_cost_a_span():
    span = {"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331", "startTimeUnixNano": 10**30,
            "attributes": [{"key": "n", "value": {"intValue": str(10**40)}}]}  # fmt: skip
    text = orjson.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [{**span, "startTimeUnixNano": 1}]}]}]})
    assert accept(text.replace(b":1,", b":1" + b"0" * 300 + b","), form=Form.JSON).good == 1

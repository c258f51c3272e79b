"""What a receiver answers is believed: nothing counts as accepted that it did not accept."""

import socket
import uuid
from datetime import datetime

import grpc
import pytest

from emitting.receivers import PROTOBUF, answered, attributes, grpc_receiver, http_receiver
from otel_ragfault.errors import InputError
from otel_ragfault.jobs.emitting import destination
from otel_ragfault.jobs.emitting.events import Event
from otel_ragfault.jobs.emitting.sending import Sender

AT = datetime(2026, 11, 30, 12, 0, 0, 123456)  # noqa: DTZ001 - UTC without a zone, as it is stored


def event(number=1):
    told = {"gen_ai.evaluation.name": "refusal", "ragfault.evaluation.id": f"e{number}", "yes": True, "n": 2, "x": 0.5}
    return Event(f"e{number}", str(uuid.UUID(int=number)), "refusal", uuid.UUID(int=7), 0xAB, AT, told)


def send(url, *events, protocol="http/protobuf"):
    sender = Sender(destination(url, protocol, None, {}))
    try:
        return sender.send(events)
    finally:
        sender.close()


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "2")


@pytest.mark.parametrize(
    ("receiver", "protocol"), [(http_receiver, "http/protobuf"), (grpc_receiver, "grpc")], ids=["http", "grpc"]
)
def test_an_event_is_a_log_record_in_the_context_of_the_judged_span(receiver, protocol, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=seven,authorization=Bearer%20t")
    with receiver() as (url, kept):
        found = send(url, event(1), event(2), protocol=protocol)
    assert (found.accepted, found.rejected) == (True, 0)
    first, _ = kept.records
    assert (first.event_name, first.trace_id, first.span_id) == (
        "gen_ai.evaluation.result",
        (7).to_bytes(16),
        (0xAB).to_bytes(8),
    )
    assert first.time_unix_nano == 1_796_040_000_123_456_000
    assert attributes(first) == event(1).attributes
    assert kept.ids == ["e1", "e2"]
    (headers,) = kept.headers
    assert (headers["x-tenant"], headers["authorization"]) == ("seven", "Bearer t")


@pytest.mark.parametrize(
    ("answer", "accepted", "rejected", "said"),
    [
        pytest.param((200, answered()), True, 0, None, id="taken"),
        pytest.param((202, b""), True, 0, None, id="taken without a word"),
        pytest.param((200, answered(1, "too old")), True, 1, "too old", id="one was refused"),
        pytest.param((200, answered(0, "a hint")), True, 0, "a hint", id="only a warning"),
        pytest.param((200, answered(9)), True, 2, None, id="more refused than were sent"),
        pytest.param((200, b"{}", ("content-type", "application/json")), True, 0, None, id="an answer in JSON"),
        pytest.param((200, b"<html>", ("content-type", "text/html")), False, 0, "none of OTLP", id="a web page"),
        pytest.param((302, b"", ("location", "http://127.0.0.1:1/")), False, 0, "HTTP 302 Found", id="a redirect"),
        pytest.param((401, b"no"), False, 0, "HTTP 401 Unauthorized", id="no key"),
        pytest.param((404, b"no"), False, 0, "HTTP 404 Not Found", id="no such path"),
        pytest.param((503, b"later"), False, 0, "HTTP 503 Service Unavailable", id="never ready"),
    ],
)
def test_what_an_answer_over_http_means(answer, accepted, rejected, said):
    with http_receiver(lambda _: answer) as (url, _):
        found = send(url, event(1), event(2))
    assert (found.accepted, found.rejected) == (accepted, rejected)
    assert (said is None and found.said is None) or said in found.said


def test_a_receiver_that_is_busy_for_a_moment_is_asked_again(monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "10")
    states = [503, 200]
    with http_receiver(lambda _: (states.pop(0), answered())) as (url, kept):
        found = send(url, event())
    assert (found.accepted, kept.requests) == (True, 2)


@pytest.mark.parametrize(
    ("answer", "accepted", "rejected", "said"),
    [
        pytest.param(answered(), True, 0, None, id="taken"),
        pytest.param(answered(1, "too old"), True, 1, "too old", id="one was refused"),
        pytest.param(grpc.StatusCode.UNAUTHENTICATED, False, 0, "UNAUTHENTICATED: not today", id="no key"),
        pytest.param(grpc.StatusCode.UNAVAILABLE, False, 0, "UNAVAILABLE: not today", id="never ready"),
    ],
)
def test_what_an_answer_over_grpc_means(answer, accepted, rejected, said):
    with grpc_receiver(lambda _: answer) as (url, _):
        found = send(url, event(1), event(2), protocol="grpc")
    assert (found.accepted, found.rejected, found.said) == (accepted, rejected, said)


@pytest.mark.parametrize("protocol", ["http/protobuf", "grpc"])
def test_nobody_at_the_address_is_told_without_a_log_line(protocol, caplog):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        found = send(f"http://127.0.0.1:{unused.getsockname()[1]}", event(), protocol=protocol)
    assert not found.accepted
    assert "refused" in found.said.lower()
    assert "\n" not in found.said
    assert caplog.records == []


def test_an_sdk_that_is_switched_off_is_no_success(monkeypatch):
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    with http_receiver() as (url, kept), pytest.raises(InputError, match="unset OTEL_SDK_DISABLED"):
        send(url, event())
    assert kept.requests == 0


def test_the_content_type_is_that_of_protobuf():
    with http_receiver() as (url, kept):
        send(url, event())
    assert kept.headers[0]["content-type"] == PROTOBUF

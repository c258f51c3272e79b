"""An HTTP endpoint gets the call in a POST; whatever it does, there is a result in time."""

import json
import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.generators import TOKEN_ENV, open_generator


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((request, dict(self.headers)))
        self.server.behave(self, request)

    def log_message(self, *_):
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # clients that stop listening are the point


@contextmanager
def serving(behave):
    server = _Server(("127.0.0.1", 0), _Handler)
    server.seen, server.behave = [], behave
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    server.url = f"http://127.0.0.1:{server.server_address[1]}/generate"
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def sends(body, status=200, content_type="application/json", length=None, **headers):
    def behave(handler, _):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {
            "Content-Type": content_type,
            "Content-Length": str(length or len(data)),
            **headers,
        }.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    return behave


def drips(handler, _):
    handler.send_response(200)
    handler.end_headers()
    for _ in range(600):
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.05)


def drips_headers(handler, _):
    for _ in range(600):
        handler.wfile.write(b"H")
        handler.wfile.flush()
        time.sleep(0.05)


def hangs(handler, _):
    time.sleep(5)


def floods(handler, _):
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"x" * 100_000)


def hangs_up(handler, _):
    handler.connection.shutdown(socket.SHUT_RDWR)


def test_it_posts_the_call_and_reads_the_answer(ask):
    with serving(sends({"answer": "yes", "citations": ["c2"], "decision": "answer"})) as server:
        made = ask(server.url)
    assert (made.answer, made.citations, made.decision, made.failure) == ("yes", ("c2",), "answer", None)
    (request, headers), *_ = server.seen
    assert request == {"question": "why?", "chunks": [{"id": "c1", "text": "one"}, {"id": "c2", "text": "two"}]}
    assert headers["Content-Type"] == "application/json"
    assert "Authorization" not in headers


def test_a_token_of_the_environment_goes_along(ask, monkeypatch):
    monkeypatch.setenv(TOKEN_ENV, "not-a-real-one")
    with serving(sends({"answer": "yes"})) as server:
        ask(server.url)
    assert server.seen[0][1]["Authorization"] == "Bearer not-a-real-one"


def test_the_context_of_the_trace_goes_along(ask):
    with (
        serving(sends({"answer": "yes"})) as server,
        TracerProvider().get_tracer("t").start_as_current_span("a") as span,
    ):
        ask(server.url)
    assert server.seen[0][1]["Traceparent"].split("-")[1] == trace.format_trace_id(span.get_span_context().trace_id)


@pytest.mark.parametrize(
    ("behave", "answer"),
    [
        (sends("yes"), "yes"),
        (sends(b"just text", content_type="text/plain"), "just text"),
        (sends(b"[1] text", content_type="text/plain"), "[1] text"),
        (sends({"answer": "yes"}, content_type="text/html"), "yes"),
        (sends("Zürich".encode("latin-1"), content_type="text/plain; charset=iso-8859-1"), "Zürich"),
        (sends(b"<b>8 hours</b>", content_type="text/plain"), "<b>8 hours</b>"),
    ],
    ids=[
        "a JSON text",
        "plain text",
        "text that begins like JSON",
        "JSON by another name",
        "another charset",
        "markup",
    ],
)
def test_a_text_is_an_answer(ask, behave, answer):
    with serving(behave) as server:
        assert ask(server.url).answer == answer


@pytest.mark.parametrize(
    ("behave", "kind", "says"),
    [
        (sends(b"out of\nluck", status=503, content_type="text/plain"), "unavailable", "HTTP 503: out of luck"),
        (sends(b"", status=429), "unavailable", "HTTP 429"),
        (sends(b"", status=404), "http", "HTTP 404"),
        (sends(b"", status=307, Location="http://127.0.0.1:9/"), "http", "HTTP 307"),
        (sends(b""), "nothing", "empty"),
        (sends(None), "nothing", "returned nothing"),
        (sends([1]), "wrong_type", "the list [1]"),
        (sends({"answer": 8}), "wrong_type", "8 (a number)"),
        (sends({"text_of_answer": "yes"}), "wrong_type", "without the key 'answer' (found 'text_of_answer')"),
        (sends(b"{half"), "wrong_type", "no JSON"),
        (sends(b"<p>Sign in</p>", content_type="text/html"), "wrong_type", "a page of HTML (text/html)"),
        (sends(b"<!DOCTYPE html>\n<p>", content_type="text/plain"), "wrong_type", "a page of HTML (text/plain)"),
        (sends(b"\xff\xfe\x00", content_type="text/plain"), "wrong_type", "cannot be decoded (utf-8, byte 1)"),
        (sends(b'{"answer": "\xff"}'), "wrong_type", "cannot be decoded (utf-8, byte 13)"),
        (sends(b"yes", content_type="text/plain; charset=nope"), "wrong_type", "encoded as 'nope', which is not known"),
        (sends({"answer": "x" * 3_000_000}), "too_large", "3.0 MB"),
        (floods, "too_large", "at most 1 MB"),
        (sends({"answer": "yes"}, length=1000), "unreachable", "ended after 17 of 1000 bytes"),
        (hangs_up, "unreachable", "broke"),
        (hangs, "timeout", "1 s"),
        (drips, "timeout", "1 s"),
        (drips_headers, "timeout", "1 s"),
    ],
    ids=[
        "status", "too many", "not found", "redirection", "empty", "null", "list", "number", "other object", "no JSON", "a page", "a page by its text",
        "no text", "no text in JSON", "no such charset", "megabytes", "endless", "torn", "hangs up", "hangs", "drips", "drips headers",
    ],
)  # fmt: skip
def test_what_goes_wrong_is_in_the_result(ask, behave, kind, says):
    started = time.monotonic()
    with serving(behave) as server:
        made = ask(server.url, timeout=1.0)
        took = time.monotonic() - started
    assert made.answer is None
    assert made.failure.kind == kind
    assert says in made.failure.message
    assert took < 10


def test_nobody_listens(ask):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        made = ask(f"http://127.0.0.1:{unused.getsockname()[1]}/")
    assert made.failure.kind == "unreachable"
    assert "refused" in made.failure.message


@pytest.mark.parametrize("address", ["http://", "http://host:port/", "http://a b/", "https:///path"])
def test_an_address_that_is_none_is_told_at_once(address):
    with pytest.raises(InputError, match=r"http://127\.0\.0\.1:8000/generate was wanted"):
        open_generator(address)

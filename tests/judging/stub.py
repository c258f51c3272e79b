"""A small server of the chat-completions API on loopback, that behaves as a test tells it to."""

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Stub:
    """What the server was asked, and what it replies: ``behave(number, request)`` returns a ``Says`` or a dict of words."""

    url: str
    behave: object = None
    requests: list = field(default_factory=list)
    headers: list = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def questions(self):
        """The user's message of every request."""
        return [request["messages"][-1]["content"] for request in self.requests]


@dataclass
class Says:
    """A reply of the server, as raw as it is sent."""

    content: str | None = None
    status: int = 200
    headers: dict = field(default_factory=dict)
    refusal: str | None = None
    finish: str = "stop"
    usage: bool = True
    raw: str | None = None
    wait: threading.Event | None = None
    error: str = "no"


def words(request, word="yes", **others):
    """A reply to every question of the request, in the order in which it names them."""
    schema = keys_of(request)
    return json.dumps({"reason": "so it is"} | dict.fromkeys(schema, word) | others)


def keys_of(request):
    """The keys of the questions, from the prompt: a server need not be told the schema."""
    lines = request["messages"][-1]["content"].splitlines()
    return [line.split('"')[1] for line in lines if line.startswith('- "')]


def good(request):
    """The reply that speaks for the subject."""
    against = {"contradicts", "answers_anyway"}
    return words(request, **{key: "no" for key in keys_of(request) if key in against})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        stub = self.server.stub
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with stub.lock:
            number = len(stub.requests)
            stub.requests.append(request)
            stub.headers.append(dict(self.headers))
        says = stub.behave(number, request) if stub.behave else Says(good(request))
        if says.wait is not None:
            says.wait.wait(20)
        body = says.raw if says.raw is not None else json.dumps(_body(says, request))
        try:
            self.send_response(says.status)
            for name, value in (
                {"Content-Type": "application/json", "Content-Length": str(len(body.encode()))} | says.headers
            ).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())
        except OSError:
            pass  # the client has given up

    def log_message(self, *args):
        pass


def _body(says, request):
    if says.status != 200:
        return {"error": {"message": says.error, "type": "stub"}}
    message = {"role": "assistant", "content": says.content, "refusal": says.refusal}
    found = {
        "id": "stub-1",
        "object": "chat.completion",
        "created": 1,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": says.finish}],
    }
    return found | (
        {"usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}} if says.usage else {}
    )


@contextmanager
def serving(behave=None):
    """Run a server until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.stub = Stub(f"http://127.0.0.1:{server.server_port}/v1", behave)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""Senders that are slow, endless, wrong or many: each is got rid of in bounded time, and others are served meanwhile."""

import resource
import socket
import sys
import threading
import time

import pyarrow as pa
import pytest

from otel_ragfault.receiving.options import Limits
from receiving.served import InProcess, request, wait_for

MIB = 2**20
HEAD = b"POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-protobuf\r\n"
LIMITS = Limits(
    body=MIB, connections=150, head_seconds=1.0, body_seconds=1.0, idle_seconds=2, linger_seconds=1.0
)  # fmt: skip
SOON = 6.0
BODY = request(1)
SIZED = b"content-length: %d\r\n\r\n" % len(BODY)


@pytest.fixture(scope="module")
def server():
    server = InProcess(limits=LIMITS)
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def others_are_served(server):
    yield
    assert server.post(body=BODY).status == 200
    wait_for(lambda: server.connections == 0, SOON)
    assert server.desk.budget.held == 0


def read_all(sender, timeout=SOON):
    """What is received until the server closes; fails when it does not do so in time."""
    sender.settimeout(timeout)
    received = b""
    try:
        while piece := sender.recv(65536):
            received += piece
    except ConnectionError:
        pass
    return received


def drip(sender, piece, every, timeout=SOON):
    """Send a piece again and again until the server has enough; return what it said."""
    sender.settimeout(timeout)
    received = []
    reader = threading.Thread(target=lambda: received.append(read_all(sender, timeout)))
    reader.start()
    deadline = time.monotonic() + timeout
    while reader.is_alive():
        assert time.monotonic() < deadline, "the server never had enough"
        try:
            sender.sendall(piece)
        except OSError:
            break
        time.sleep(every)
    reader.join()
    return received[0]


def flood(sender):
    """Send requests without end, and never read an answer."""
    for _ in range(20_000):
        sender.sendall((HEAD + SIZED + BODY) * 20)


DRIPS = {
    "slow head": (b"POST / HTTP/1.1\r\n", b"a: b\r\n", 0.1, b"408"),
    "slow first line": (b"", b"P", 0.1, b"408"),
    "slow body": (HEAD + b"content-length: 100000\r\n\r\n", b"x", 0.1, b"408"),
    "slow chunks": (HEAD + b"transfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n", 0.1, b"408"),
    "endless body": (HEAD + b"transfer-encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n", 0, b"413"),
    "endless head": (b"POST / HTTP/1.1\r\na: ", b"x" * 65536, 0, b"400"),
    "endless heads": (b"POST / HTTP/1.1\r\n", b"a: " + b"x" * 6000 + b"\r\n", 0, b"400"),
    "endless chunk extension": (HEAD + b"transfer-encoding: chunked\r\n\r\n1;", b"x" * 65536, 0, b"400"),
    "endless garbage": (b"", b"\x00\xff" * 1000, 0, b"400"),
    "a body after its refusal": (b"POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n\r\n", b"x" * 1000, 0.01, b"404"),
}  # fmt: skip


@pytest.mark.parametrize(("begin", "piece", "every", "status"), DRIPS.values(), ids=DRIPS)
def test_it_ends(server, begin, piece, every, status):
    with server.connect() as sender:
        sender.sendall(begin)
        received = drip(sender, piece, every)
    # An endless sender may lose the answer: its data meets a closed connection.
    assert received == b"" or received.startswith(b"HTTP/1.1 " + status)


WRONG = {
    "garbage": (b"\x01\x02\x03\r\n\r\n", b"400"),
    "a TLS hello": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 500 + b"\r\n\r\n", b"400"),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"404"),
    "negative length": (HEAD + b"content-length: -3\r\n\r\nabc", b"400"),
    "two lengths": (HEAD + b"content-length: 3, 4\r\n\r\nabc", b"400"),
    "a length that is no number": (HEAD + b"content-length: x\r\n\r\nabc", b"400"),
    "a bad chunk": (HEAD + b"transfer-encoding: chunked\r\n\r\nzz\r\n", b"400"),
    "an unknown transfer encoding": (HEAD + b"transfer-encoding: gzip\r\n\r\nzz\r\n", b"400"),
    "no host": (b"POST /v1/traces HTTP/1.1\r\n\r\n", b"400"),
    "a control character in a head": (HEAD + b"a: \x00\r\n\r\n", b"400"),
}


@pytest.mark.parametrize(("sent", "status"), WRONG.values(), ids=WRONG)
def test_what_is_not_http_is_told_so_and_closed(server, sent, status):
    with server.connect() as sender:
        sender.sendall(sent)
        received = read_all(sender)
    assert received.startswith(b"HTTP/1.1 " + status)


def test_half_closed_after_the_request_is_answered(server):
    with server.connect() as sender:
        sender.sendall(HEAD + SIZED + BODY)
        sender.shutdown(socket.SHUT_WR)
        assert read_all(sender).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "sent", [b"", HEAD, HEAD + SIZED, HEAD + SIZED + BODY[:5]], ids=["none", "head", "length", "body"]
)
def test_closed_in_between_is_forgotten(server, sent):
    kept = len(server.writer.records)
    with server.connect() as sender:
        sender.sendall(sent)
        sender.shutdown(socket.SHUT_WR)
        assert read_all(sender) == b""
    assert len(server.writer.records) == kept


def test_a_silent_connection_and_an_idle_one_are_closed(server):
    with server.connect() as silent, server.connect() as idle:
        idle.sendall(HEAD + SIZED + BODY)
        assert read_all(idle).startswith(b"HTTP/1.1 200")
        assert read_all(silent) == b""


def test_pipelined_requests_are_answered_in_order(server):
    with server.connect() as sender:
        sender.sendall((HEAD + SIZED + BODY) * 50 + HEAD + b"content-length: 3\r\nconnection: close\r\n\r\nabc")
        received = read_all(sender)
    assert received.count(b"HTTP/1.1 200") == 50
    assert received.count(b"HTTP/1.1 400") == 1


def test_who_does_not_read_the_answers_is_closed(server):
    with server.connect() as sender:
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sender.settimeout(0.5)
        with pytest.raises(OSError, match=r"timed out|reset|[Bb]roken pipe"):
            flood(sender)
        wait_for(lambda: server.connections == 0, SOON)


def test_nobody_waits_for_a_thousand_idle_connections(server):
    senders = []
    try:
        senders.extend(server.connect() for _ in range(400))
        wait_for(lambda: server.connections <= LIMITS.connections, SOON)
        assert server.post(body=BODY).status == 200
        for sender in senders:
            try:
                sender.sendall(HEAD + b"content-length: 1000\r\n\r\nabc")
            except OSError:
                continue
        assert server.post(body=BODY).status == 200
    finally:
        for sender in senders:
            sender.close()


def test_continue_is_said_before_a_body_and_not_before_a_refusal(server):
    with server.connect() as sender:
        sender.sendall(HEAD + b"expect: 100-continue\r\n" + SIZED)
        assert sender.recv(1000).startswith(b"HTTP/1.1 100")
        sender.sendall(BODY)
        assert sender.recv(1000).startswith(b"HTTP/1.1 200")
    with server.connect() as sender:
        sender.sendall(HEAD + b"expect: 100-continue\r\ncontent-length: 100000000\r\n\r\n")
        assert sender.recv(1000).startswith(b"HTTP/1.1 413")


def peak_memory():
    usage = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_bomb_is_refused_and_memory_stays_flat(serve, encoding):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, encoding) as stream:
        for _ in range(1000):  # 10 GB take too long here; the bound stops the first 20 MiB anyway
            stream.write(bytes(MIB))
    server = serve()
    before = peak_memory()
    answer = server.post(body=sink.getvalue().to_pybytes(), headers={"content-encoding": encoding})
    assert answer.status == 413
    assert peak_memory() - before < 150 * MIB

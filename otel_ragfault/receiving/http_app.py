"""OTLP/HTTP as an ASGI application: one request in, one answer out."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Final

from otel_ragfault.receiving.answers import export_response, status_body
from otel_ragfault.receiving.bodies import Form, encoding_of, form_of, header_text
from otel_ragfault.receiving.budget import Share
from otel_ragfault.receiving.desk import Desk
from otel_ragfault.receiving.intake import Received
from otel_ragfault.receiving.refusal import Reason, RefusedError
from otel_ragfault.receiving.signals import Signal

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_SIGNALS: Final = {f"/v1/{signal.value}": signal for signal in Signal}
_PAGES: Final = frozenset({"/healthz", "/readyz", "/metrics"})
_PROTOCOL: Final = "http"


@dataclass(slots=True)
class Answer:
    """What is sent back."""

    status: int
    content_type: str
    body: bytes
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)


class _SenderGoneError(Exception):
    """The connection was closed before the request was complete."""


class HttpApp:
    """The application.

    Args:
        desk: what both protocols share.
        threads: where requests are checked and kept.
        body_seconds: for the body of a request.
    """

    def __init__(self, desk: Desk, threads: Executor, body_seconds: float) -> None:
        self._desk = desk
        self._threads = threads
        self._body_seconds = body_seconds

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request."""
        began = time.perf_counter()
        headers: dict[bytes, bytes] = dict(scope["headers"])
        try:
            answer = await self._answer(scope, headers, receive)
        except _SenderGoneError:
            self._desk.refused(_PROTOCOL, "sender_gone", "the connection was closed within a request")
            return
        except RefusedError as refused:
            answer = self._refusal(refused, headers)
        except Exception as error:  # noqa: BLE001 - a fault of ours, which must not end the server
            self._desk.failed(_PROTOCOL, error)
            answer = self._refusal(RefusedError(Reason.INTERNAL, "a fault of the receiver; see its log"), headers)
        self._desk.metrics.took(_PROTOCOL, time.perf_counter() - began)
        await _send(send, answer)

    async def _answer(self, scope: Mapping[str, Any], headers: Mapping[bytes, bytes], receive: Receive) -> Answer:
        path = scope["path"].rstrip("/") or "/"
        signal = _SIGNALS.get(path)
        if signal is None and path not in _PAGES:
            raise RefusedError(Reason.NOT_FOUND, f"{path[:100]}: no such path; send to {' or '.join(_SIGNALS)}")
        if not self._desk.is_open(path) and not self._desk.tokens.allow(headers.get(b"authorization", b"")):
            raise RefusedError(Reason.UNAUTHENTICATED, "no valid token; send Authorization: Bearer TOKEN")
        allowed = ("GET", "HEAD") if signal is None else ("POST",)
        if scope["method"] not in allowed:
            raise RefusedError(Reason.WRONG_METHOD, f"{scope['method'][:20]} {path}: send {allowed[0]}")
        if signal is None:
            return await asyncio.get_running_loop().run_in_executor(None, self._page, path)  # never behind requests
        return await self._export(signal, headers, receive)

    async def _export(self, signal: Signal, headers: Mapping[bytes, bytes], receive: Receive) -> Answer:
        form = form_of(header_text(headers, b"content-type"))
        encoding = encoding_of(header_text(headers, b"content-encoding"))
        self._desk.refuse_when_stopping()
        announced = headers.get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._desk.max_body:
            raise self._desk.too_large()
        with self._desk.budget.open() as share:
            body = await self._body(receive, share)
            received = Received(signal, form, encoding, body)
            del body
            loop = asyncio.get_running_loop()
            checked = await loop.run_in_executor(self._threads, self._desk.intake.accept, received, share)
        self._desk.metrics.taken(_PROTOCOL, signal, _label(form, encoding), checked)
        return Answer(200, form.value, export_response(signal, checked, form))

    async def _body(self, receive: Receive, share: Share) -> bytes:
        try:
            async with asyncio.timeout(self._body_seconds):
                return await self._read(receive, share)
        except TimeoutError:
            seconds = f"{self._body_seconds:g}"
            raise RefusedError(Reason.TOO_SLOW, f"the body did not come within {seconds} s") from None

    async def _read(self, receive: Receive, share: Share) -> bytes:
        pieces: list[bytes] = []
        size = 0
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _SenderGoneError
            piece = message.get("body", b"")
            more = message.get("more_body", False)
            size += len(piece)
            if size > self._desk.max_body:
                raise self._desk.too_large()
            share.reserve(len(piece))
            pieces.append(piece)
        return b"".join(pieces)

    def _page(self, path: str) -> Answer:
        status, content_type, body = self._desk.page(path)
        return Answer(status, content_type, body)

    def _refusal(self, refused: RefusedError, headers: Mapping[bytes, bytes]) -> Answer:
        reason = refused.reason
        self._desk.refused(_PROTOCOL, reason.label, refused.message)
        try:
            form = form_of(header_text(headers, b"content-type"))
        except RefusedError:
            form = Form.JSON  # a person, perhaps
        answer = Answer(reason.http_status, form.value, status_body(refused, form))
        if reason.retry_after is not None:
            answer.headers.append((b"retry-after", str(reason.retry_after).encode()))
        answer.headers += _EXTRA.get(reason, ())
        return answer


_EXTRA: Final[dict[Reason, list[tuple[bytes, bytes]]]] = {
    Reason.UNAUTHENTICATED: [(b"www-authenticate", b'Bearer realm="ragfault"')],
    Reason.WRONG_METHOD: [(b"allow", b"POST, GET, HEAD")],
    Reason.WRONG_TYPE: [(b"accept-encoding", b"gzip, zstd")],
    Reason.TOO_SLOW: [(b"connection", b"close")],
}


def _label(form: Form, encoding: str | None) -> str:
    return form.label if encoding is None else f"{form.label}+{encoding}"


async def _send(send: Send, answer: Answer) -> None:
    headers = [
        (b"content-type", answer.content_type.encode()),
        (b"content-length", str(len(answer.body)).encode()),
        *answer.headers,
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})

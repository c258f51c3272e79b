"""An HTTP endpoint of the user's: the call as JSON in a POST, the answer as JSON or plain text."""

import os
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from email.message import Message
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.generators.context import carried_context
from otel_ragfault.jobs.generators.reply import decoded, read_reply, too_large
from otel_ragfault.jobs.generators.values import MOST_BYTES, Chunk, Failure, FailureKind, Generated, Limits
from otel_ragfault.model.wording import shown

TOKEN_ENV: Final = "RAGFAULT_GENERATOR_TOKEN"  # noqa: S105 - the name of a variable
"""Environment variable whose value is sent as a bearer token."""

_MOST_BODY: Final = 8 * MOST_BYTES  # an answer as JSON, escaped at the worst
_SERVER_ERROR: Final = 500
_COME_BACK: Final = (408, 425, 429)
_READ: Final = 1 << 16
_MOST_TOLD: Final = 300
_PAGE: Final = ("<!doctype html", "<html")

_Body = tuple[bytes, Message]


class HttpGenerator:
    """An endpoint that takes ``{"question": …, "chunks": [{"id": …, "text": …}, …]}``.

    It answers ``{"answer": …}``, perhaps with ``citations`` and ``decision``, or a plain text. A page of HTML is no
    answer: servers say with one that something is wrong, whatever their status is. The context of the trace goes along
    as ``traceparent``. Redirections are not followed: a POST would become something else.

    Raises:
        InputError: the address is none.
    """

    def __init__(self, spec: str) -> None:
        _check(spec)
        self.spec = spec
        self.identity = spec
        self._opener = urllib.request.build_opener(_NoRedirect)

    def generate(self, question: str, chunks: Sequence[Chunk], limits: Limits) -> Generated:
        """Post the call, and wait no longer than the limit, whatever the server, or the look-up of its name, does."""
        started = time.monotonic()
        asked = orjson.dumps(
            {"question": question, "chunks": [{"id": chunk.id, "text": chunk.text} for chunk in chunks]}
        )
        headers: dict[str, str] = {"Content-Type": "application/json", "Accept": "application/json"}
        if token := os.environ.get(TOKEN_ENV):
            headers["Authorization"] = f"Bearer {token}"
        headers |= carried_context()
        request = urllib.request.Request(self.spec, data=asked, headers=headers, method="POST")  # noqa: S310 - checked
        deadline = started + limits.timeout
        found = _within(limits.timeout, lambda: self._post(request, limits.timeout, deadline))
        read = Generated(failure=found) if isinstance(found, Failure) else _read(*found)
        return Generated(read.answer, read.citations, read.decision, read.failure, time.monotonic() - started)

    def close(self) -> None:
        """Nothing stays open between calls."""

    def _post(self, request: urllib.request.Request, timeout: float, deadline: float) -> "_Body | Failure":
        """Return the body and what its header says that it is, or why there is none."""
        try:
            with self._opener.open(request, timeout=timeout) as response:
                body = _body(response, deadline, timeout)
                return body if isinstance(body, Failure) else (body, response.headers)
        except urllib.error.HTTPError as error:
            with error:
                kind: FailureKind = "unavailable" if error.code >= _SERVER_ERROR or error.code in _COME_BACK else "http"
                return Failure(kind, _status(error))
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                return _late(timeout)
            return Failure("unreachable", f"no connection to {request.host} ({_line(error.reason)})")
        except TimeoutError:
            return _late(timeout)
        except (OSError, HTTPException, ValueError) as error:
            return Failure("unreachable", f"the connection to {request.host} broke ({_line(error)})")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _check(address: str) -> None:
    try:
        parts = urlsplit(address)
        is_good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number
        is_good = False
    if not is_good or any(map(str.isspace, address)):
        raise InputError(
            f"--generator: found {shown(address)}; an address such as http://127.0.0.1:8000/generate was wanted"
        )


def _within(seconds: float, work: "Callable[[], _Body | Failure]") -> "_Body | Failure":
    """Do the work in a thread, and leave it behind when it takes longer: not all of it can be told to stop."""
    done: list[_Body | Failure] = []
    thread = threading.Thread(target=lambda: done.append(work()), name="ragfault-http", daemon=True)
    thread.start()
    thread.join(seconds)
    return done[0] if done else _late(seconds)


def _body(response: Any, deadline: float, timeout: float) -> bytes | Failure:
    said = bytearray()
    while part := response.read1(_READ):
        said += part
        if len(said) > _MOST_BODY:
            return too_large(None)
        if time.monotonic() > deadline:
            return _late(timeout)
    length = response.headers.get("Content-Length")
    if length is not None and length.isdecimal() and int(length) > len(said):
        return Failure("unreachable", f"the answer ended after {len(said)} of {length} bytes")
    return bytes(said)


def _read(body: bytes, header: Message) -> Generated:
    """Read a body: JSON whatever the header says, else a text that is no page."""
    text = decoded(body, header.get_content_charset("utf-8"))
    if isinstance(text, Failure):
        return Generated(failure=text)
    if not text:
        return Generated(failure=Failure("nothing", "the answer is empty; a JSON object or a text was wanted"))
    try:
        return read_reply(orjson.loads(text))
    except orjson.JSONDecodeError as error:
        failure = _no_text(text, header.get_content_type(), error)
        return read_reply(text) if failure is None else Generated(failure=failure)


def _no_text(text: str, kind: str, error: orjson.JSONDecodeError) -> Failure | None:
    """Say why what is no JSON is no text of an answer either."""
    if "html" in kind or text[: len(_PAGE[0])].lower().startswith(_PAGE):
        return Failure("wrong_type", f"the answer is a page of HTML ({kind}); JSON or text/plain was wanted")
    return Failure("wrong_type", f"the answer is no JSON ({error})") if "json" in kind else None


def _status(error: urllib.error.HTTPError) -> str:
    with suppress(OSError, HTTPException):
        said = " ".join(error.read(_MOST_TOLD).decode("utf-8", "replace").split())
        return f"HTTP {error.code}{': ' if said else ''}{said}"
    return f"HTTP {error.code}"


def _late(timeout: float) -> Failure:
    return Failure("timeout", f"it took longer than {timeout:g} s")


def _line(error: object) -> str:
    text = error.strerror if isinstance(error, OSError) and not isinstance(error, socket.gaierror) else str(error)
    return " ".join(str(text or error).split())[:_MOST_TOLD] or type(error).__name__

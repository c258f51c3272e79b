"""Send events with the log exporters of the OpenTelemetry SDK, and see what the receiver answers.

The exporters read the environment (headers, TLS, compression, timeout) and repeat what may be repeated. They keep the
answer to themselves; it is looked at on its way, because a receiver that answers 200 may have refused a part.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import grpc  # type: ignore[import-untyped] # no stubs are published with it
import requests
from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # no stubs are published with it
from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter as GrpcExporter
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter as HttpExporter
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse

from otel_ragfault.jobs.emitting.records import log_records

if TYPE_CHECKING:
    from otel_ragfault.jobs.emitting.destination import Destination
    from otel_ragfault.jobs.emitting.events import Event

_LOGGERS: Final = "opentelemetry.exporter.otlp"
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Answer:
    """What a receiver made of some events.

    Attributes:
        accepted: whether it took them, except for those that it rejected.
        rejected: how many of them it took notice of and refused; which ones, it does not say.
        said: what it said, or why it could not be reached.
    """

    accepted: bool
    rejected: int = 0
    said: str | None = None


class Sender:
    """Sends events to one destination."""

    def __init__(self, where: "Destination") -> None:
        self._watch = _Watch()
        self._exporter: HttpExporter | GrpcExporter
        if where.protocol == "grpc":
            self._exporter = _WatchedGrpc(where.url, self._watch)
        else:
            self._exporter = HttpExporter(endpoint=where.url, session=_WatchedSession(self._watch))

    def send(self, events: "Sequence[Event]") -> Answer:
        """Send events as one request, repeated where the protocol says so."""
        self._watch.answer = Answer(accepted=False, said="no answer was seen")
        with _quiet(), suppress(requests.RequestException):  # what came of it was seen on its way
            self._exporter.export(log_records(events))
        answer = self._watch.answer
        return Answer(answer.accepted, min(answer.rejected, len(events)), answer.said)

    def close(self) -> None:
        """Close the connection."""
        self._exporter.shutdown()


@dataclass(slots=True)
class _Watch:
    """The last answer that was seen."""

    answer: Answer = Answer(accepted=False)


class _WatchedSession(requests.Session):
    """The HTTP connection of the exporter."""

    def __init__(self, watch: _Watch) -> None:
        super().__init__()
        self._watch = watch

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        """Send a request, and keep what came of it."""
        try:
            response = super().send(request, **{**options, "allow_redirects": False})
        except Exception as error:
            self._watch.answer = Answer(accepted=False, said=_short(_cause(error)))
            raise
        self._watch.answer = _read(response)
        return response


def _read(response: requests.Response) -> Answer:
    if not 200 <= response.status_code < 300:  # noqa: PLR2004 - the exporter takes a redirect for success
        return Answer(accepted=False, said=_short(f"HTTP {response.status_code} {response.reason}"))
    message = ExportLogsServiceResponse()
    if "json" not in response.headers.get("content-type", ""):  # protobuf was sent, so that is the answer
        try:
            message.ParseFromString(response.content)
        except DecodeError:
            return Answer(accepted=False, said="the answer is none of OTLP; is this the address of an OTLP receiver?")
    return _taken(message)


def _taken(message: ExportLogsServiceResponse) -> Answer:
    partial = message.partial_success
    return Answer(
        accepted=True, rejected=max(0, partial.rejected_log_records), said=_short(partial.error_message) or None
    )


class _WatchedGrpc(GrpcExporter):
    """The exporter for gRPC, whose stub is looked at."""

    def __init__(self, url: str, watch: _Watch) -> None:
        self._watch = watch
        super().__init__(endpoint=url)
        self._look()  # older exporters make their stub here, once

    def _initialize_channel_and_stub(self) -> None:
        super()._initialize_channel_and_stub()  # type: ignore[no-untyped-call]
        self._look()

    def _look(self) -> None:
        stub: Any = self._client
        if not isinstance(stub, _WatchedStub):
            stub = _WatchedStub(stub, self._watch)
        self._client = stub


class _WatchedStub:
    """The stub of the service, which keeps what came of each call."""

    def __init__(self, stub: Any, watch: _Watch) -> None:
        self._stub = stub
        self._watch = watch

    def Export(self, *arguments: Any, **options: Any) -> Any:  # noqa: N802 - the name of the method of the service
        """Call the service."""
        try:
            response = self._stub.Export(*arguments, **options)
        except grpc.RpcError as error:
            said = f"{error.code().name}: {error.details()}" if isinstance(error, grpc.Call) else str(error)
            self._watch.answer = Answer(accepted=False, said=_short(said))
            raise
        self._watch.answer = _taken(response)
        return response


def _cause(error: BaseException) -> str:
    """Return what is at the bottom of an error of a connection, which wraps others that say little."""
    inner: BaseException | None = error
    bottom = str(error) or type(error).__name__
    while inner is not None:
        if isinstance(inner, OSError) and isinstance(inner.strerror, str):
            bottom = inner.strerror
        inner = inner.__cause__ or inner.__context__
    return bottom


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the exporters from logging what is reported here."""
    logger = logging.getLogger(_LOGGERS)
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)

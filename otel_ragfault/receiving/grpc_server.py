"""OTLP/gRPC: the Export methods of traces and logs.

The methods are served as streaming on the side of the sender, which is the same on the wire: so a call without a token
is refused before its message is read, and a message that drips in can be given up. Messages are decompressed here,
because here the bound is ours and a bad one is the sender's fault; the library calls that an internal error.
"""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import grpc  # type: ignore[import-untyped] # no stubs are published with it

from otel_ragfault.errors import ConfigError
from otel_ragfault.receiving.address import Address, resolve
from otel_ragfault.receiving.answers import export_response, status_message
from otel_ragfault.receiving.bodies import Form, compression_of_message
from otel_ragfault.receiving.checks import Checked
from otel_ragfault.receiving.desk import Desk
from otel_ragfault.receiving.intake import Received
from otel_ragfault.receiving.options import Limits
from otel_ragfault.receiving.refusal import Reason, RefusedError
from otel_ragfault.receiving.signals import Signal

_PROTOCOL: Final = "grpc"
_METHODS: Final = {
    "/opentelemetry.proto.collector.trace.v1.TraceService/Export": Signal.TRACES,
    "/opentelemetry.proto.collector.logs.v1.LogsService/Export": Signal.LOGS,
}
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
_DETAILS: Final = "grpc-status-details-bin"
_FRAME: Final = 5  # bytes before a message


class GrpcServer:
    """The server, on threads of its own.

    Args:
        desk: what both protocols share.
        limits: bounds on what senders may do.
        address: where to listen.
        credentials: TLS, if wanted.

    Raises:
        ConfigError: the address is in use, or not one of this machine.
    """

    def __init__(
        self, desk: Desk, limits: Limits, address: Address, credentials: grpc.ServerCredentials | None
    ) -> None:
        self._server = grpc.server(
            ThreadPoolExecutor(limits.rpc_threads, "ragfault-grpc"),
            handlers=(_Handlers(desk, limits.body_seconds),),
            options=_options(limits),
            maximum_concurrent_rpcs=limits.rpcs,
        )
        self.address = Address(address.host, self._listen(address, credentials))

    def start(self) -> None:
        """Begin to serve."""
        self._server.start()

    def stop(self, grace: float) -> threading.Event:
        """Take no more calls; the event is set when those under way are finished, or given up after the grace."""
        stopped: threading.Event = self._server.stop(grace)
        return stopped

    def _listen(self, address: Address, credentials: grpc.ServerCredentials | None) -> int:
        resolve(address)
        try:
            if credentials is None:
                port = self._server.add_insecure_port(str(address))
            else:
                port = self._server.add_secure_port(str(address), credentials)
        except RuntimeError:
            port = 0
        if not port:
            raise ConfigError(
                f"{address}: gRPC cannot listen there; a free address of this machine and, for TLS, a certificate and "
                "its key were wanted; stop who uses it, name another, or check the TLS options"
            )
        return int(port)


def _options(limits: Limits) -> list[tuple[str, Any]]:
    return [
        ("grpc.max_receive_message_length", limits.body + _FRAME),
        ("grpc.max_send_message_length", limits.body),
        ("grpc.per_message_decompression", 0),
        ("grpc.so_reuseport", 0),
        ("grpc.max_concurrent_streams", limits.rpcs),
        ("grpc.max_connection_idle_ms", int(limits.idle_seconds * 4000)),
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.keepalive_timeout_ms", 20_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ("grpc.http2.max_ping_strikes", 5),
        ("grpc.server_handshake_timeout_ms", int(limits.head_seconds * 1000)),
    ]


class _Handlers(grpc.GenericRpcHandler):  # type: ignore[misc] # the library is not typed
    def __init__(self, desk: Desk, seconds: float) -> None:
        self._desk = desk
        self._watch = _Watch(seconds)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        """Return the handler of a method; others are answered with UNIMPLEMENTED."""
        signal = _METHODS.get(handler_call_details.method)
        return None if signal is None else grpc.stream_unary_rpc_method_handler(partial(self._export, signal))

    def _export(self, signal: Signal, messages: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        began = time.perf_counter()
        try:
            return self._taken(signal, messages, context)
        except RefusedError as refused:
            self._refuse(refused, context)
        except grpc.RpcError:
            self._desk.refused(
                _PROTOCOL, "sender_gone", "a call ended before its message was complete, or was too slow"
            )
            context.set_code(grpc.StatusCode.CANCELLED)
        except Exception as error:  # noqa: BLE001 - a fault of ours, which must not end the server
            self._desk.failed(_PROTOCOL, error)
            self._refuse(RefusedError(Reason.INTERNAL, "a fault of the receiver; see its log"), context)
        finally:
            self._desk.metrics.took(_PROTOCOL, time.perf_counter() - began)
        return b""

    def _taken(self, signal: Signal, messages: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        metadata = dict(context.invocation_metadata())
        if not self._desk.tokens.allow(_bytes(metadata.get("authorization", b""))):
            raise RefusedError(Reason.UNAUTHENTICATED, "no valid token; send the metadata authorization: Bearer TOKEN")
        self._desk.refuse_when_stopping()
        with self._watch.over(context.cancel):
            message = next(messages, None)
        if message is None:
            raise RefusedError(Reason.MALFORMED, "a call without a message")
        checked, label = self._keep(signal, message)
        self._desk.metrics.taken(_PROTOCOL, signal, label, checked)
        return export_response(signal, checked, Form.PROTOBUF)

    def _keep(self, signal: Signal, message: bytes) -> tuple[Checked, str]:
        encoding = compression_of_message(message)
        with self._desk.budget.open() as share:
            share.reserve(len(message))
            checked = self._desk.intake.accept(Received(signal, Form.PROTOBUF, encoding, message), share)
        return checked, "protobuf" if encoding is None else f"protobuf+{encoding}"

    def _refuse(self, refused: RefusedError, context: grpc.ServicerContext) -> None:
        self._desk.refused(_PROTOCOL, refused.reason.label, refused.message)
        context.set_trailing_metadata(((_DETAILS, status_message(refused)),))
        context.set_code(_CODES[refused.reason.grpc_code])
        context.set_details(refused.message)


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("latin-1", "replace")


class _Watch:
    """Cancels calls whose message does not come in time. One thread for all of them, begun with the first."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[float, Callable[[], object]]] = {}
        self._next = 0
        self._thread: threading.Thread | None = None

    def over(self, cancel: Callable[[], object]) -> "_Watched":
        return _Watched(self, cancel)

    def add(self, cancel: Callable[[], object]) -> int:
        with self._lock:
            self._next += 1
            self._waiting[self._next] = (time.monotonic() + self._seconds, cancel)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="ragfault-grpc-watch", daemon=True)
                self._thread.start()
            return self._next

    def remove(self, number: int) -> None:
        with self._lock:
            self._waiting.pop(number, None)

    def _run(self) -> None:
        while True:
            time.sleep(min(0.5, self._seconds / 2))
            now = time.monotonic()
            with self._lock:
                late = [cancel for deadline, cancel in self._waiting.values() if deadline < now]
            for cancel in late:
                cancel()


class _Watched:
    def __init__(self, watch: _Watch, cancel: Callable[[], object]) -> None:
        self._watch = watch
        self._cancel = cancel
        self._number = 0

    def __enter__(self) -> None:
        self._number = self._watch.add(self._cancel)

    def __exit__(self, *_: object) -> None:
        self._watch.remove(self._number)

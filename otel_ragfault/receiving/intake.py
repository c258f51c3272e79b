"""From the body of a request to a durable record in the spool: the path that both protocols share."""

import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from otel_ragfault.landing.decoding.set_aside import write_counts
from otel_ragfault.landing.spool import RecordKind, SpoolError, SpoolFullError
from otel_ragfault.receiving.bodies import Form, decompress
from otel_ragfault.receiving.checks import Checked, check_logs, check_traces
from otel_ragfault.receiving.refusal import Reason, RefusedError
from otel_ragfault.receiving.signals import Signal
from otel_ragfault.receiving.weight import refuse_heavy_json, refuse_heavy_protobuf

if TYPE_CHECKING:
    from otel_ragfault.receiving.budget import Share

# Parsing holds the interpreter anyway; more at a time would only hold more parsed requests in memory.
_PARSERS: Final = 2
_LARGE: Final = 2**20  # of such bodies, one at a time
_CHECKS: Final[dict[Signal, tuple[RecordKind, Callable[[bytes], Checked]]]] = {
    Signal.TRACES: (RecordKind.OTLP_TRACES, check_traces),
    Signal.LOGS: (RecordKind.OTLP_LOGS, check_logs),
}


class Writer(Protocol):
    """What the intake needs of a :class:`~otel_ragfault.landing.spool.SpoolWriter`."""

    def append(self, kind: RecordKind, payload: bytes, *, spans: int) -> None:
        """Keep a record; it is durable on return."""
        ...


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came in, with its body complete."""

    signal: Signal
    form: Form
    encoding: str | None
    body: bytes


class Intake:
    """Checks requests and keeps them. :meth:`accept` blocks for an fsync: call it in a thread.

    Args:
        writer: the spool.
        max_body: bytes that a body may have once decompressed.
    """

    def __init__(self, writer: Writer, *, max_body: int) -> None:
        self.max_body = max_body
        self._writer = writer
        self._parsers = threading.BoundedSemaphore(_PARSERS)
        self._alone = threading.Lock()
        self._trouble: str | None = None
        self._trouble_at = 0.0

    def accept(self, received: Received, share: "Share") -> Checked:
        """Check a request and keep what is usable of it; when this returns, that is durable.

        Raises:
            RefusedError: nothing of it was kept.
        """
        with self._parsers:
            body = received.body
            if received.encoding is not None:
                body = decompress(body, received.encoding, self.max_body, share.reserve)
            with self._alone if len(body) > _LARGE else nullcontext():
                _refuse_heavy(received.signal, received.form, body)
                kind, payload, checked = _prepared(received.signal, received.form, body)
        if checked.good:
            self._append(kind, payload, checked.good)
        if checked.unusable and not (checked.good and received.form is Form.PROTOBUF):
            self._enter(checked)  # the loader finds those in protobuf that was kept by itself
        return checked

    @property
    def trouble(self) -> str | None:
        """Why the spool could not be written when it was last tried; ``None`` when it could."""
        return self._trouble

    @property
    def trouble_age(self) -> float:
        """The seconds since the spool refused a record."""
        return time.monotonic() - self._trouble_at

    def _append(self, kind: RecordKind, payload: bytes, count: int) -> None:
        try:
            self._writer.append(kind, payload, spans=count)
        except SpoolFullError as error:
            self._in_trouble(error)
            raise RefusedError(Reason.SPOOL_FULL, "the spool is full; send again later") from error
        except (SpoolError, OSError) as error:
            self._in_trouble(error)
            raise RefusedError(Reason.SPOOL_FAILED, "the spool cannot be written; send again later") from error
        self._trouble = None

    def _enter(self, checked: Checked) -> None:
        """Keep the counts of what cannot be stored. It will never succeed, so no trouble with that is the sender's."""
        with suppress(SpoolError, OSError):
            self._writer.append(RecordKind.SET_ASIDE, write_counts(checked.unusable), spans=0)

    def _in_trouble(self, error: Exception) -> None:
        self._trouble, self._trouble_at = str(error), time.monotonic()


def _refuse_heavy(signal: Signal, form: Form, body: bytes) -> None:
    if form is Form.JSON:
        refuse_heavy_json(body)
    else:
        refuse_heavy_protobuf(signal, body)


def _prepared(signal: Signal, form: Form, body: bytes) -> tuple[RecordKind, bytes, Checked]:
    if form is Form.JSON:
        from otel_ragfault.receiving.json_bodies import prepare_json

        return prepare_json(signal, body)
    kind, check = _CHECKS[signal]
    return kind, body, check(body)

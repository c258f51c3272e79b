"""uvicorn's HTTP/1.1 connection, with the time limits that uvicorn leaves to a proxy.

Of the servers that were tried with hostile clients (slow heads, slow and endless bodies, giant heads, garbage, a
thousand idle or dripping connections), this one answers no malformed request with a 5xx, keeps memory flat, and serves
others meanwhile; only limits in time were missing. httptools takes heads of any size, granian and cheroot answer a
broken chunk with 500, cheroot's threads are all taken by ten slow senders, and none limits the time of a body.
"""

import asyncio
from typing import Any, Final, Literal

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from otel_ragfault.receiving.options import Limits

Phase = Literal["head", "body", "work", "unread", "rest", "idle", "closing"]
HEAD_BYTES: Final = 64 * 1024
_AHEAD_BYTES: Final = 1024 * 1024


class GuardedProtocol(H11Protocol):
    """A connection that knows how long it has been in its phase."""

    limits: Limits = Limits()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin; if there are too many now, the one that has kept us waiting longest makes way."""
        super().connection_made(transport)
        self.phase: Phase = "head"
        self.since = self.loop.time()
        self.half_closed = False
        if len(self.connections) > self.limits.connections:
            others = [other for other in self.connections if isinstance(other, GuardedProtocol) and other.can_go]
            min(others, key=lambda other: other.since, default=self).transport.abort()

    @property
    def can_go(self) -> bool:
        """Whether no complete request is under way, and it is not going already."""
        return self._phase_now() not in {"work", "closing"}

    def data_received(self, data: bytes) -> None:
        """Take what came, unless too much comes ahead of an answer: uvicorn reads on for each request it begins."""
        super().data_received(data)
        if self._phase_now() == "work" and len(self.conn.trailing_data[0]) > _AHEAD_BYTES:
            self.transport.abort()

    def eof_received(self) -> bool | None:  # type: ignore[override] # uvicorn never keeps a connection
        """Keep a half-closed connection for the answer to a request that is complete. TLS has no such state."""
        cycle: Any = self.cycle
        if self.scheme == "https" or cycle is None or cycle.response_complete or cycle.more_body:
            return None
        self.half_closed = True
        return True

    def on_response_complete(self) -> None:
        """Go on to the next request; after the last one of a half-closed connection, close it."""
        super().on_response_complete()
        if self.half_closed and self.cycle.response_complete:
            self.transport.close()

    def enforce(self, now: float) -> None:
        """Close the connection if it has been in its phase for too long; to be called about twice a second."""
        phase = self._phase_now()
        if phase != self.phase:
            self.phase, self.since = phase, now
            return
        limit = self._limit(phase)
        if limit is None or now - self.since < limit:
            return
        if phase == "head" and self.conn.trailing_data[0] and self.conn.our_state is h11.IDLE:
            self._say_timeout()
        self.transport.abort()

    def _limit(self, phase: Phase) -> float | None:
        if phase == "head":
            return self.limits.head_seconds
        return self.limits.linger_seconds if phase in {"unread", "rest", "closing"} else None  # others have their own

    def _phase_now(self) -> Phase:
        if self.transport.is_closing():
            return "closing"
        cycle: Any = self.cycle  # None before the first request, whatever its type says
        if cycle is None:
            return "head"
        if self.flow.write_paused:
            return "unread"
        if not cycle.response_complete:
            return "body" if cycle.more_body else "work"
        if self.conn.their_state is h11.SEND_BODY:
            return "rest"
        return "head" if self.conn.trailing_data[0] else "idle"

    def _say_timeout(self) -> None:
        head = h11.Response(status_code=408, headers=[("connection", "close"), ("content-length", "0")])
        self.transport.write((self.conn.send(head) or b"") + (self.conn.send(h11.EndOfMessage()) or b""))


def guarded(limits: Limits) -> type[GuardedProtocol]:
    """Return the protocol with these limits."""
    return type("LimitedProtocol", (GuardedProtocol,), {"limits": limits})

"""The HTTP server: uvicorn in the event loop of this process, on a socket of ours."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Generator
from typing import Any

from uvicorn import Config, Server

from otel_ragfault.receiving.http_app import HttpApp
from otel_ragfault.receiving.http_protocol import HEAD_BYTES, GuardedProtocol, guarded
from otel_ragfault.receiving.options import Limits

_ENFORCE_EVERY = 0.5
_GRACE = 10  # seconds for requests under way when the server stops


class HttpServer(Server):
    """uvicorn without its signal handlers, which are the receiver's.

    Args:
        app: the application.
        limits: bounds on what senders may do.
        context: TLS, if wanted.
    """

    def __init__(self, app: HttpApp, limits: Limits, context: ssl.SSLContext | None) -> None:
        config = Config(
            app,
            http=guarded(limits),
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=int(limits.idle_seconds),
            timeout_graceful_shutdown=_GRACE,
            h11_max_incomplete_event_size=HEAD_BYTES,
        )
        config.load()
        config.ssl = context
        super().__init__(config)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave signals alone."""
        yield

    async def run_on(self, listener: socket.socket) -> None:
        """Serve until told to stop; then finish the requests under way."""
        enforcer = asyncio.create_task(self._enforce())
        try:
            await self.serve(sockets=[listener])
        finally:
            enforcer.cancel()

    def stop(self) -> None:
        """Take no more connections, and let :meth:`run_on` return when the last request is answered."""
        self.should_exit = True

    async def _enforce(self) -> None:
        while True:
            await asyncio.sleep(_ENFORCE_EVERY)
            now = asyncio.get_running_loop().time()
            connections: list[Any] = list(self.server_state.connections)
            for connection in connections:
                if isinstance(connection, GuardedProtocol):
                    connection.enforce(now)

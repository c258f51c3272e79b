"""The receiver as a whole: what is started, in which order, and how it stops without losing anything."""

import asyncio
import logging
import os
import resource
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from otel_ragfault import __version__
from otel_ragfault.errors import ConfigError
from otel_ragfault.landing.spool import SpoolError, SpoolWriter
from otel_ragfault.receiving import journal, notes
from otel_ragfault.receiving.address import Address, bind, bound
from otel_ragfault.receiving.desk import Desk
from otel_ragfault.receiving.grpc_server import GrpcServer
from otel_ragfault.receiving.http_app import HttpApp
from otel_ragfault.receiving.http_server import HttpServer
from otel_ragfault.receiving.intake import Intake
from otel_ragfault.receiving.metrics import Metrics
from otel_ragfault.receiving.options import CollectOptions, refuse_open_door
from otel_ragfault.receiving.readiness import Readiness
from otel_ragfault.receiving.supervisor import LoaderProcess
from otel_ragfault.receiving.tls import Tls
from otel_ragfault.receiving.tokens import Tokens

DONE: Final = 0
INTERRUPTED: Final = 130
_THREADS: Final = 32
_GRACE: Final = 10.0
_TICK: Final = 1.0


class Collector:
    """A receiver. Everything that can be wrong with the options is found out before anything is started.

    Args:
        options: how it runs.

    Raises:
        ConfigError: an option is wrong, or an address is in use.
        SpoolError: the spool cannot be made.
    """

    def __init__(self, options: CollectOptions) -> None:
        if options.http is None and options.grpc is None:
            raise ConfigError("neither HTTP nor gRPC is wanted; at least one was; give --http or --grpc an address")
        self._options = options
        self._tokens = Tokens(options.token_file)
        refuse_open_door(options, has_token=self._tokens.required)
        self._tls = None if options.tls is None else Tls(options.tls)
        self._writer = SpoolWriter(options.db, source="collect", max_bytes=options.max_spool)
        intake = Intake(self._writer, max_body=options.limits.body)
        self._loader = LoaderProcess(options.db)
        self._ready = Readiness(options, self._writer, intake, self._loader)
        metrics = Metrics([self._ready.numbers])
        self._desk = Desk(options, self._tokens, intake, metrics, self._ready.reasons)
        self._threads = ThreadPoolExecutor(_THREADS, "ragfault-intake")
        self._listener = None if options.http is None else bind(options.http)
        self._grpc = self._make_grpc()
        self._interrupts = 0

    @property
    def http_address(self) -> Address | None:
        """Where HTTP is served; the port is the one that was chosen."""
        return None if self._listener is None else bound(self._listener)

    @property
    def grpc_address(self) -> Address | None:
        """Where gRPC is served; the port is the one that was chosen."""
        return None if self._grpc is None else self._grpc.address

    async def run(self) -> int:
        """Receive until a signal says stop; return the exit code."""
        _raise_file_limit()
        stop = asyncio.Event()
        self._handle_signals(stop)
        notes.remove_old(self._options.db)
        self._loader.start()
        if self._grpc is not None:
            self._grpc.start()
        http, serving = self._serve_http(self._listener)
        self._say_started()
        try:
            await self._until(stop, serving)
        finally:
            await self._finish(http, serving)
        return DONE

    def _make_grpc(self) -> GrpcServer | None:
        options = self._options
        if options.grpc is None:
            return None
        try:
            return GrpcServer(self._desk, options.limits, options.grpc, None if self._tls is None else self._tls.grpc)
        except ConfigError:
            if self._listener is not None:
                self._listener.close()
            raise

    def _serve_http(self, listener: socket.socket | None) -> "tuple[HttpServer | None, asyncio.Task[None] | None]":
        if listener is None:
            return None, None
        limits = self._options.limits
        app = HttpApp(self._desk, self._threads, limits.body_seconds)
        server = HttpServer(app, limits, None if self._tls is None else self._tls.http)
        return server, asyncio.create_task(server.run_on(listener))

    def _handle_signals(self, stop: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, stop.set)
        loop.add_signal_handler(signal.SIGINT, self._interrupt, stop)
        loop.add_signal_handler(signal.SIGHUP, self._reload)

    def _interrupt(self, stop: asyncio.Event) -> None:
        self._interrupts += 1
        if self._interrupts > 1:  # what was acknowledged is durable
            journal.log("interrupted twice: gone at once", logging.WARNING)
            os._exit(INTERRUPTED)
        stop.set()

    def _reload(self) -> None:
        try:
            self._tokens.reload()
            if self._tls is not None:
                self._tls.reload()
        except ConfigError as error:
            journal.log("reload failed; what was loaded before stays", logging.ERROR, reason=str(error))
        else:
            journal.log("reloaded", tokens=self._tokens.required, tls=self._tls is not None)

    async def _until(self, stop: asyncio.Event, serving: "asyncio.Task[None] | None") -> None:
        loop = asyncio.get_running_loop()
        while not stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _TICK)
            self._desk.refusals.flush()
            await loop.run_in_executor(None, self._tick)
            if serving is not None and serving.done():
                serving.result()
                raise RuntimeError("the HTTP server ended by itself")

    def _tick(self) -> None:
        self._ready.say_changes()
        notes.write(self._options.db, self._note(running=True))

    async def _finish(self, http: HttpServer | None, serving: "asyncio.Task[None] | None") -> None:
        began = time.monotonic()
        journal.log("stopping", drain_seconds=self._options.drain_seconds)
        self._desk.stopping.set()
        answered = None if self._grpc is None else self._grpc.stop(_GRACE)
        if http is not None and serving is not None:
            http.stop()
            await serving
        loop = asyncio.get_running_loop()
        if answered is not None:
            await loop.run_in_executor(None, answered.wait)
        with suppress(SpoolError):  # a segment that cannot be renamed is found by the next loader all the same
            await loop.run_in_executor(None, self._writer.close)
        drained = await loop.run_in_executor(None, self._loader.drain, self._options.drain_seconds)
        self._desk.refusals.flush(now=True)
        await loop.run_in_executor(None, notes.write, self._options.db, self._note(running=False))
        waiting = await loop.run_in_executor(None, self._ready.spool_bytes)
        level = logging.INFO if drained else logging.WARNING
        journal.log("stopped", level, seconds=round(time.monotonic() - began, 3), drained=drained, spool_bytes=waiting)

    def _note(self, *, running: bool) -> dict[str, Any]:
        return {
            "running": running,
            "pid": os.getpid(),
            "http": None if self._options.http is None else str(self._ready.http),
            "grpc": None if self._options.grpc is None else str(self.grpc_address),
            "loader": {"pid": self._loader.pid, "restarts": self._loader.restarts, **self._loader.stats},
            **self._desk.metrics.totals(),
        }

    def _say_started(self) -> None:
        self._ready.http = self.http_address
        journal.log(
            "started",
            version=__version__,
            pid=os.getpid(),
            db=str(self._options.db),
            http=None if self.http_address is None else str(self.http_address),
            grpc=None if self.grpc_address is None else str(self.grpc_address),
            tls=self._tls is not None,
            token=self._tokens.required,
        )


def _raise_file_limit() -> None:
    """Allow as many open files as we may have: a thousand idle senders must not keep the spool from opening a file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

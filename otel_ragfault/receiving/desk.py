"""What the servers of both protocols share: who is let in, what is taken, what is counted."""

import logging
import threading
from collections.abc import Callable
from typing import Final

import orjson

from otel_ragfault.receiving import journal
from otel_ragfault.receiving.bodies import JSON_TYPE
from otel_ragfault.receiving.budget import Budget
from otel_ragfault.receiving.intake import Intake
from otel_ragfault.receiving.metrics import CONTENT_TYPE, Metrics
from otel_ragfault.receiving.options import CollectOptions
from otel_ragfault.receiving.refusal import Reason, RefusedError
from otel_ragfault.receiving.tokens import Tokens

_OPEN_PATHS: Final = {
    "none": frozenset[str](),
    "health": frozenset({"/healthz", "/readyz"}),
    "all": frozenset({"/healthz", "/readyz", "/metrics"}),
}

Unready = Callable[[], list[str]]
"""Returns why the receiver is not ready; nothing when it is."""


class Desk:
    """One for a receiver.

    Args:
        options: as the receiver runs.
        tokens: who is let in.
        intake: where requests go.
        metrics: where they are counted.
        unready: what keeps the receiver from being ready.
    """

    def __init__(
        self, options: CollectOptions, tokens: Tokens, intake: Intake, metrics: Metrics, unready: Unready
    ) -> None:
        self.tokens = tokens
        self.intake = intake
        self.metrics = metrics
        self.max_body = options.limits.body
        self.budget = Budget(options.limits.held)
        self.stopping = threading.Event()
        self.refusals = journal.RefusalLog()
        self._open = _OPEN_PATHS[options.open_paths]
        self._unready = unready

    def is_open(self, path: str) -> bool:
        """Return whether a path needs no token."""
        return path in self._open

    def refuse_when_stopping(self) -> None:
        """Refuse a request that comes after the receiver was told to stop.

        Raises:
            RefusedError: it was.
        """
        if self.stopping.is_set():
            raise RefusedError(Reason.STOPPING, "the receiver is stopping; send again in a moment")

    def too_large(self) -> RefusedError:
        """Return the refusal of a body beyond the bound."""
        return RefusedError(Reason.TOO_LARGE, f"a body beyond {self.max_body} bytes; send fewer spans at a time")

    def refused(self, protocol: str, reason: str, message: str) -> None:
        """Count a refusal."""
        self.metrics.refused(protocol, reason)
        self.refusals.add(reason, message)

    def failed(self, protocol: str, error: BaseException) -> None:
        """Log a fault of ours."""
        journal.log("fault while serving a request", logging.ERROR, error=error, protocol=protocol)

    def page(self, path: str) -> tuple[int, str, bytes]:
        """Return status, content type and body of one of the pages for machines."""
        if path == "/metrics":
            return 200, CONTENT_TYPE, self.metrics.text()
        if path == "/healthz":
            return 200, JSON_TYPE, b'{"alive":true}'
        reasons = self._unready()
        return 503 if reasons else 200, JSON_TYPE, orjson.dumps({"ready": not reasons, "reasons": reasons})

"""Bytes of requests that are held in memory at one time, bounded over all connections."""

import threading
from types import TracebackType
from typing import Self

from otel_ragfault.receiving.refusal import Reason, RefusedError


class Budget:
    """A bound on bytes; safe for threads."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._held = 0
        self._lock = threading.Lock()

    @property
    def held(self) -> int:
        """The bytes that are held now."""
        return self._held

    def open(self) -> "Share":
        """Return the share of one request, to be used as a context manager."""
        return Share(self)

    def change(self, size: int) -> bool:
        """Add to what is held; return whether it fits."""
        with self._lock:
            if size > 0 and self._held + size > self.limit:
                return False
            self._held += size
            return True


class Share:
    """What one request holds; all of it is given back at the end of the block."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._size = 0

    def reserve(self, size: int) -> None:
        """Hold more bytes.

        Raises:
            RefusedError: all requests together would hold too many.
        """
        if not self._budget.change(size):
            raise RefusedError(Reason.BUSY, "too many requests are under way; send again in a moment")
        self._size += size

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._budget.change(-self._size)
        self._size = 0

"""Our own failures: counted by kind, logged once a kind, never raised into the pipeline."""

import logging
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType, TracebackType

_logger = logging.getLogger("otel_ragfault")
_lock = threading.Lock()
_counts: Counter[str] = Counter()


class Guard:
    """Wraps code of ours that meets the user's objects: ``with READ: …`` swallows and counts any ``Exception``.

    Without state of its own, so that one guard serves all threads and nests in itself. ``BaseException`` passes.
    """

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        self.caught(error)
        return True

    def caught(self, error: Exception) -> None:
        """Counts an error: for the three places, run at every call, where ``with`` is too slow and ``try`` is used."""
        count_failure(self.kind, f"{type(error).__name__} at {_place(error.__traceback__)}")


def count_failure(kind: str, reason: str) -> None:
    """Counts one failure; the first of its kind is logged with its reason, which must not hold the user's content."""
    with _lock:
        _counts[kind] += 1
        first = _counts[kind] == 1
    if first:
        with suppress(Exception):  # a handler of the user's may fail, too
            _logger.warning(
                "capture: %s (%s); the pipeline is not affected, further ones are only counted", kind, reason
            )


def capture_failures() -> Mapping[str, int]:
    """Returns how often capture could not record something since the process started, by kind.

    Kinds are short dotted words such as ``redact``, ``extract``, ``read`` or ``score_kind``. An empty mapping is what
    to hope for; the first failure of a kind is also logged to the logger ``otel_ragfault``.
    """
    with _lock:
        return MappingProxyType(dict(_counts))


def forget_failures() -> None:
    """Starts counting, and logging, anew."""
    with _lock:
        _counts.clear()


def _place(trace: TracebackType | None) -> str:
    """Names the file and line where an error began: enough to find it, and free of content."""
    if trace is None:
        return "unknown"
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"

"""The log: one line for a start, a stop or a change of state, never one a request; as text or as JSON."""

import logging
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from typing import Any, Final, Literal

import orjson

LogFormat = Literal["text", "json"]

_LOGGER: Final = logging.getLogger("otel_ragfault.receiving")
_REPORT_EVERY: Final = 30.0


def log(event: str, level: int = logging.INFO, *, error: BaseException | None = None, **fields: Any) -> None:
    """Write one line: what happened, and its fields."""
    _LOGGER.log(level, event, extra={"fields": fields}, exc_info=error)


def start_log(form: LogFormat) -> None:
    """Write the log to stderr from now on, and keep the libraries' own lines out of it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines() if form == "json" else _TextLines())
    _LOGGER.handlers = [handler]
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.propagate = False
    for name in ("uvicorn", "uvicorn.error", "grpc", "asyncio"):  # they write a line for each hostile client
        logging.getLogger(name).setLevel(logging.CRITICAL)


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": _moment(record),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return orjson.dumps(fields, default=str).decode()


class _TextLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields = "".join(f" {name}={_plain(value)}" for name, value in getattr(record, "fields", {}).items())
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return f"{_moment(record)} {record.levelname.lower():7} {record.getMessage()}{fields}{trace}"


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _plain(value: Any) -> str:
    text = value if isinstance(value, str) and value and value.isprintable() else orjson.dumps(value, default=str)
    text = text if isinstance(text, str) else text.decode()
    return orjson.dumps(text).decode() if " " in text and not text.startswith(("{", "[", '"')) else text


class RefusalLog:
    """Gathers refusals, and writes at most one line about them in half a minute."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, str] = {}
        self._next = 0.0

    def add(self, reason: str, message: str) -> None:
        """Note one refusal; the first message of each kind is kept as an example."""
        self._counts[reason] += 1
        self._examples.setdefault(reason, message[:200])

    def flush(self, *, now: bool = False) -> None:
        """Write the line, when there is something to say and its time has come."""
        if not self._counts or (time.monotonic() < self._next and not now):
            return
        self._next = time.monotonic() + _REPORT_EVERY
        counts, self._counts = self._counts, Counter()
        examples, self._examples = self._examples, {}
        log("requests refused", logging.WARNING, counts=dict(counts), examples=examples)

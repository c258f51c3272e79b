"""The loader as a process of its own: ``python -m otel_ragfault.receiving.loading DB``.

It obeys its stdin and reports on its stdout, a line of JSON at a time. ``drain`` lets it empty the spool and exit; when
stdin ends, the receiver is gone, however it died, and the loader stops after the segment in hand. Ctrl-C on the
terminal and a service manager that signals the whole group do not concern it: the receiver says when to stop.
"""

import gc
import logging
import os
import signal
import sys
import threading
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, Final

import orjson

_GC_AFTER: Final = 200_000
_REPORT_EVERY: Final = 0.5
_LAST_WORDS: Final = 10.0  # seconds to finish the segment in hand when the receiver is gone
_LONGEST_ORDER: Final = 100
_DRAIN_WAIT: Final = 3600.0  # the receiver decides how long draining may take


class _Orders:
    """What the receiver wants, read by a thread."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.drain = False
        threading.Thread(target=self._listen, name="ragfault-orders", daemon=True).start()

    def _listen(self) -> None:
        # Not sys.stdin: at exit, the interpreter would wait for the lock of a file object that a thread reads from.
        while order := os.read(0, _LONGEST_ORDER):
            if b"drain" in order:
                self.drain = True
                self.stop.set()
        self.stop.set()
        threading.Timer(_LAST_WORDS, os._exit, (0,)).start()


def main(db: Path) -> None:
    """Load until told otherwise."""
    from otel_ragfault.landing.loader import SpoolLoader, load_spool

    gc.freeze()
    gc.set_threshold(_GC_AFTER)  # rows by the ten thousand make the collector run often, and hold no cycles
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    logging.getLogger("otel_ragfault").handlers = [_Forward()]
    orders = _Orders()
    loader = SpoolLoader(db)
    finished = threading.Event()
    reporter = threading.Thread(target=_report, args=(loader, finished), name="ragfault-report")
    reporter.start()
    try:
        loader.run(orders.stop)
        if orders.drain:
            load_spool(db, wait=_DRAIN_WAIT)
            say({"drained": True})
    finally:
        finished.set()
        reporter.join()


class _Forward(logging.Handler):
    """Leaves the log to the receiver."""

    def emit(self, record: logging.LogRecord) -> None:
        trace = None if record.exc_info is None else logging.Formatter().formatException(record.exc_info)
        say({"log": {"level": record.levelno, "message": record.getMessage(), "traceback": trace}})


def say(report: dict[str, Any]) -> None:
    """Tell the receiver something; one that is gone is no matter."""
    try:
        sys.stdout.buffer.write(orjson.dumps(report, default=str) + b"\n")
        sys.stdout.buffer.flush()
    except (OSError, ValueError):
        return


def _report(loader: Any, finished: threading.Event) -> None:
    ended = False
    while not ended:
        ended = finished.wait(_REPORT_EVERY)
        stats = loader.stats
        say({"stats": asdict(stats) if is_dataclass(stats) and not isinstance(stats, type) else dict(stats)})


if __name__ == "__main__":
    main(Path(sys.argv[1]))

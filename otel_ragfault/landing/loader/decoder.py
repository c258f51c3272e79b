"""The process that decodes ahead: ``python -m otel_ragfault.landing.loader.decoder FD``, started by the loader.

It answers what it is asked over the pipe ``FD``, and ends when the other end of it does, however the loader died. It
changes nothing on disk other than pieces that it keeps aside.
"""

import gc
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from otel_ragfault.landing.loader import handover
from otel_ragfault.landing.loader.groups import decode_group

_GC_AFTER: Final = 200_000  # rows by the ten thousand hold no cycles


def main(fd: int) -> None:
    """Answer until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the loader says when to end
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(_GC_AFTER)
    with Connection(fd) as pipe, suppress(EOFError, OSError):
        while True:
            failures: list[Exception] = []
            batches = decode_group(pipe.recv(), failures.append)
            handover.give(pipe, (batches, [str(failure) for failure in failures]))


if __name__ == "__main__":
    main(int(sys.argv[1]))

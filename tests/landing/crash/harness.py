"""Kill processes that write spans, and find out whether anything acknowledged is missing or doubled.

A writer is a Python program that writes a line to standard output for every span that was acknowledged to it, the span
id in hex digits, and only then. Other suites bring writers of their own.
"""

import os
import random
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from otel_ragfault.landing.loader import load_spool, spool_status
from otel_ragfault.store import connect

HERE = Path(__file__).parent
ROUNDS = int(os.environ.get("RAGFAULT_CRASH_ROUNDS", "5"))


def run_until_killed(command, *, crash_at=None, kill_after=None, limit=60.0, env=None, meanwhile=None):
    """Run a writer until it dies of SIGKILL: its own, at a fault point, or ours, seconds after its first line.

    ``meanwhile`` is called after the first line, before those seconds.

    Returns:
        The ids of the spans that were acknowledged to it.
    """
    environment = {**os.environ, **(env or {})}
    if crash_at is not None:
        environment["RAGFAULT_CRASH_AT"] = crash_at
    process = subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    guard = threading.Timer(limit, process.kill)
    guard.start()
    began = time.monotonic()
    try:
        first = process.stdout.readline()
        if meanwhile is not None:
            meanwhile()
        if kill_after is not None:
            time.sleep(kill_after)
            process.kill()
        rest, errors = process.communicate()
    finally:
        guard.cancel()
        process.kill()
    assert process.returncode == -9, (process.returncode, errors.decode()[-2000:])
    assert kill_after is not None or time.monotonic() - began < limit, f"{crash_at} was never reached"
    lines = (first + rest).split(b"\n")
    return [int(line, 16) for line in lines[:-1] if line]  # what follows the last line end was cut off with the process


def writer(name, db, *arguments):
    """Return the command of one of the writers beside this file."""
    return [sys.executable, HERE / f"{name}.py", db, *arguments]


@dataclass
class Ledger:
    """What was acknowledged for a database so far, and whether it is there."""

    db: Path
    acknowledged: list = field(default_factory=list)

    def add(self, ids):
        assert len(set(ids)) == len(ids)
        self.acknowledged += ids

    def check(self, *, load=True):
        """Load what is left, and compare: every acknowledged span once, none twice, no spool left."""
        if load:
            load_spool(self.db, wait=60)
        with closing(connect(self.db, read_only=True, wait=30)) as con:
            stored = [row[0] for row in con.execute("SELECT span_id FROM span").fetchall()]
            ((in_ledger,),) = con.execute("SELECT coalesce(sum(spans), 0) FROM segment").fetchall()
            ((rejected,),) = con.execute("SELECT coalesce(sum(spans), 0) FROM rejected_span").fetchall()
        missing = set(self.acknowledged) - set(stored)
        doubled = len(stored) - len(set(stored))
        assert (len(missing), doubled, rejected) == (0, 0, 0)
        assert in_ledger == len(stored)
        status = spool_status(self.db)
        assert (status.files, status.rejected_files) == (0, 0)
        return len(stored)


def random_pause(number):
    """Return the seconds to let a writer live, the same ones for the same number."""
    return random.Random(number).uniform(0.0, 1.2)  # noqa: S311 - no secret

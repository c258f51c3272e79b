"""Named points where a test may let the process die.

``RAGFAULT_CRASH_AT=spool.before_fsync`` kills the process when it comes to that point; ``spool.before_fsync:3`` when it
comes there for the third time. Without the variable a point costs a comparison.
"""

import os
import signal

POINTS = frozenset(
    {
        "spool.before_write",
        "spool.before_fsync",
        "spool.after_fsync",
        "spool.sealing",
        "spool.sealed",
        "loader.recovering",
        "loader.before_commit",
        "loader.after_commit",
        "loader.after_checkpoint",
        "loader.before_unlink",
        "loader.after_unlink",
    }
)
"""The points there are."""

_name, _, _count = os.environ.get("RAGFAULT_CRASH_AT", "").partition(":")
_left = {_name: int(_count or "1")} if _name else {}


def crash_point(name: str) -> None:
    """Die here, with SIGKILL, when the environment says so."""
    if name not in _left:
        return
    _left[name] -= 1
    if not _left[name]:
        os.kill(os.getpid(), signal.SIGKILL)

"""Waiting for what happens in another process."""

import time

PAUSE = 0.02


def eventually(check, *, seconds=30.0, what="it"):
    """Call until the result is true, and return it."""
    deadline = time.monotonic() + seconds
    while not (found := check()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not happen within {seconds} s")
        time.sleep(PAUSE)
    return found

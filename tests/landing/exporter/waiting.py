"""Patience."""

import time


def until(condition, seconds=60):
    """Wait until something is so; return whether it became so in time."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()

"""Generators with one habit each; tests name them as ``file.py:function``."""

import os
import time
from pathlib import Path

REFUSAL = "The documents do not say."


def first_chunk(question, chunks):
    """Reads what comes first."""
    return {"answer": chunks[0], "citations": [chunks[0].id]} if chunks else REFUSAL


def confused(question, chunks):
    """Can read one chunk, and no more."""
    return str(chunks[0]) if len(chunks) == 1 else "Staff fly economy class."


def crowded(question, chunks):
    """Reads everything, as long as there are no more than four chunks."""
    return " ".join(chunks) if 0 < len(chunks) <= 4 else REFUSAL


def everything(question, chunks):
    return " ".join(chunks) or REFUSAL


def knows(question, chunks):
    """Never reads."""
    return "Business class is open from 8 hours."


def never(question, chunks):
    return "Staff fly economy class."


def asks_back(question, chunks):
    return "Which country do you mean?"


def declines(question, chunks):
    return REFUSAL


def alternates(question, chunks):
    """Answers rightly every second time it is asked the same."""
    file = Path(os.environ["PROBE_TEST_FOLDER"]) / f"{len(chunks)}-{chunks[0].id if chunks else ''}"
    with file.open("a") as asked:
        asked.write("x")
    return "8 hours" if file.stat().st_size % 2 else "economy"


def counted(question, chunks):
    """Keeps count of its calls, and takes a moment."""
    with (Path(os.environ["PROBE_TEST_FOLDER"]) / "calls").open("a") as calls:
        calls.write("x")
    time.sleep(float(os.environ.get("PROBE_TEST_PAUSE", "0")))
    return str(chunks[0]) if chunks else REFUSAL


def _only_with(chunks, number, act):
    return act() if len(chunks) == number else "8 hours"


def raises(question, chunks):
    return _only_with(chunks, 1, lambda: 1 / 0)


def hangs(question, chunks):
    return _only_with(chunks, 1, lambda: time.sleep(60))


def nothing(question, chunks):
    return _only_with(chunks, 1, lambda: None)


def megabytes(question, chunks):
    return _only_with(chunks, 1, lambda: "x" * 5_000_000)


def wrong_type(question, chunks):
    return _only_with(chunks, 1, lambda: 8)


def exits(question, chunks):
    return _only_with(chunks, 1, lambda: (_ for _ in ()).throw(SystemExit(3)))


def dies(question, chunks):
    return _only_with(chunks, 1, lambda: os._exit(9))

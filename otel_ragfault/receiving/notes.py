"""What a receiver leaves in the folder of the spool for ``ragfault status``: one file of JSON a process."""

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import orjson

from otel_ragfault.landing.spool import spool_folder

_PREFIX: Final = "receiver-"
_SUFFIX: Final = ".json"
_FRESH_SECONDS: Final = 30.0  # a running receiver writes its note every second
_KEPT_SECONDS: Final = 7 * 24 * 3600


def write(db: Path, note: dict[str, Any]) -> None:
    """Write the note of this process. A note is a courtesy: where it cannot be written, there is none."""
    folder = spool_folder(db)
    path = folder / f"{_PREFIX}{os.getpid()}{_SUFFIX}"
    unfinished = path.with_suffix(".note")
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
        unfinished.write_bytes(orjson.dumps({**note, "written_at": time.time()}, default=str))
        unfinished.replace(path)


def read(db: Path) -> list[dict[str, Any]]:
    """Return the notes of all receivers of a database, the newest first; those of dead ones say so."""
    notes = []
    with suppress(OSError):
        for path in spool_folder(db).glob(f"{_PREFIX}*{_SUFFIX}"):
            note = _read_one(path)
            if note is not None:
                notes.append(note)
    return sorted(notes, key=lambda note: -float(note.get("written_at", 0)))


def remove_old(db: Path) -> None:
    """Remove the notes of receivers that ended long ago."""
    for note in read(db):
        if not note["running"] and time.time() - float(note.get("written_at", 0)) > _KEPT_SECONDS:
            with suppress(OSError):
                (spool_folder(db) / f"{_PREFIX}{note['pid']}{_SUFFIX}").unlink()


def _read_one(path: Path) -> dict[str, Any] | None:
    try:
        note = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    if not isinstance(note, dict):
        return None
    note["pid"] = int(path.name.removeprefix(_PREFIX).removesuffix(_SUFFIX))
    fresh = abs(time.time() - float(note.get("written_at", 0))) < _FRESH_SECONDS
    note["running"] = bool(note.get("running")) and fresh and _runs(note["pid"])
    return note


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

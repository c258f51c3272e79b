"""Create a database so that it is there whole, or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from otel_ragfault.errors import DatabaseError
from otel_ragfault.store import connect


def create_whole(path: Path) -> None:
    """Create the database at ``path`` where there is none.

    It is made under another name and then linked into place: a disk that fills up, or a process that is killed in
    between, leaves no half database behind that nobody could open any more; and of two that create it at once, the
    first wins.

    Raises:
        DatabaseError: it cannot be created.
        OSError: it cannot be moved into place.
    """
    if path.exists():
        return
    unfinished = path.with_name(f"{path.name}.new-{os.getpid()}")
    _remove(unfinished)
    try:
        connect(unfinished, create=True, wait=0).close()
        _link(unfinished, path)
    except DatabaseError as error:
        raise DatabaseError(str(error).replace(unfinished.name, path.name)) from error.__cause__
    finally:
        _remove(unfinished)


def _remove(unfinished: Path) -> None:
    with suppress(OSError):
        unfinished.unlink()
    with suppress(OSError):
        _wal(unfinished).unlink()


def _wal(path: Path) -> Path:
    return path.with_name(f"{path.name}.wal")


def _link(unfinished: Path, path: Path) -> None:
    if _wal(unfinished).exists():
        raise OSError(f"{unfinished}: the new database could not be written completely")
    try:
        os.link(unfinished, path)
    except FileExistsError:
        pass  # another process was first
    except OSError:  # a file system without links
        if not path.exists():
            unfinished.rename(path)

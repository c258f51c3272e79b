"""The files to follow: those that were named, those in folders, and what rotation made of them."""

import re
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.landing.importing.positions import Position, key_of, name_key

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from otel_ragfault.landing.importing.positions import Positions

_SLACK = 1.0  # seconds by which the clock of a file system may lag


class Sources:
    """What there is to follow at a moment.

    A file that was rotated away is found beside its old name: as ``traces-….jsonl``, as the Collector calls it, or as
    ``traces.jsonl.1``. It is read when it was written since its source was followed last, or was not read to its end.

    Args:
        paths: files, which need not exist yet, and folders.
        positions: how far files were read.
    """

    def __init__(self, paths: "Sequence[Path]", positions: "Positions") -> None:
        self._paths = paths
        self._positions = positions
        known = {path: positions.load(name_key(path)) for path in paths}
        now = time.time()
        self._since = {path: (now if last is None else last.saved_at) - _SLACK for path, last in known.items()}
        if None in known.values():
            self.mark(now)

    def mark(self, moment: float) -> None:
        """Remember that every file which was there at a moment has a position.

        Raises:
            OSError: it cannot be written; the older mark stays.
        """
        for path in self._paths:
            self._positions.save(name_key(path), Position(str(path), 0, 0, "", moment))

    def named(self) -> "Iterator[Path]":
        """Yield the files that were named or are in a folder that was."""
        for path in self._paths:
            if path.is_dir():
                yield from _files(path)
            elif path.is_file():
                yield path

    def rotated(self) -> "Iterator[Path]":
        """Yield files that had one of the names before, oldest first."""
        for path in self._paths:
            if path.is_dir():
                continue
            for file in sorted(_files(path.parent), key=_age):
                if _is_rotated(file, path) and self._is_wanted(file, self._since[path]):
                    yield file

    def _is_wanted(self, file: Path, since: float) -> bool:
        try:
            stat = file.stat()
        except OSError:
            return False
        return stat.st_mtime >= since or self._is_unfinished(stat)

    def _is_unfinished(self, stat: "os.stat_result") -> bool:
        position = self._positions.load(key_of(stat))
        return position is not None and position.offset < stat.st_size


def _is_rotated(file: Path, path: Path) -> bool:
    """Tell whether a name is one that rotation gives; ``shop-admin.jsonl`` is another source than ``shop.jsonl``."""
    stem, suffix, name = re.escape(path.stem), re.escape(path.suffix), re.escape(path.name)
    return re.fullmatch(rf"{stem}-\d.*{suffix}(\.gz|\.zst)?|{name}[.-]\d.*", file.name) is not None


def _age(file: Path) -> tuple[float, str]:
    with suppress(OSError):
        return file.stat().st_mtime, file.name
    return 0.0, file.name


def _files(folder: Path) -> "list[Path]":
    try:
        return sorted(file for file in folder.iterdir() if not file.name.startswith(".") and file.is_file())
    except OSError:
        return []

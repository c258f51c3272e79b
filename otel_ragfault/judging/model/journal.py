"""Replies that were paid and are not in the database yet: a file beside it, so that no kill loses one.

A reply is a line, synced before anything else happens with it. What is in the file is stored in the database by its
question's key, which makes storing it twice harmless; then the file is emptied.
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

import orjson

from otel_ragfault.errors import DatabaseBusyError, InputError
from otel_ragfault.judging.model.asking import Outcome

_SUFFIX: Final = ".judge.jsonl"


class Journal:
    """The journal of a database, held by one run at a time.

    Args:
        db: the database.
        model: the model that replies.

    Raises:
        DatabaseBusyError: on entering, when another run holds it.
    """

    def __init__(self, db: Path, model: str) -> None:
        self.path = db.with_name(db.name + _SUFFIX)
        self._model = model
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        file = self.path.open("a+b")
        try:
            _lock(file)
        except OSError:
            file.close()
            raise DatabaseBusyError(
                f"{self.path}: another run of ragfault judge is asking; wait for it, or end it"
            ) from None
        self._file = file
        self._drop_torn_line()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        file, self._file = self._opened, None
        if not file.seek(0, os.SEEK_END):
            self.path.unlink(missing_ok=True)
        file.close()

    @property
    def _opened(self) -> IO[bytes]:
        if self._file is None:
            raise RuntimeError("the journal is not open")
        return self._file

    def add(self, outcome: Outcome) -> dict[str, Any]:
        """Write a paid outcome, synced; return it as a row of ``judge_reply``."""
        row = {
            "question_key": outcome.key,
            "model": self._model,
            "reply": outcome.text,
            "failure": outcome.failure,
            "input_tokens": outcome.input_tokens,
            "output_tokens": outcome.output_tokens,
            "attempts": outcome.attempts,
            "replied_at": datetime.now(UTC).replace(tzinfo=None).isoformat(),
        }
        self._opened.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
        self._opened.flush()
        os.fsync(self._opened.fileno())
        return row

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield what is in the file.

        Raises:
            InputError: a line is damaged.
        """
        self._opened.seek(0)
        for number, line in enumerate(self._opened, start=1):
            try:
                yield orjson.loads(line)
            except orjson.JSONDecodeError:
                raise InputError(
                    f"{self.path}:{number}: is no reply of a judge; replies that were paid are kept there; "
                    "remove that line, and its question is asked again"
                ) from None

    def clear(self) -> None:
        """Empty the file: everything in it is in the database."""
        self._opened.truncate(0)
        os.fsync(self._opened.fileno())

    def _drop_torn_line(self) -> None:
        """Cut off a line that a kill left half-written: its reply was never used."""
        file = self._opened
        file.seek(0)
        content = file.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            file.truncate(whole)


def _lock(file: IO[bytes]) -> None:
    """Lock the file for as long as it is open; a process that dies lets go of it."""
    try:
        import fcntl
    except ImportError:  # Windows: whoever has the file open keeps others from deleting it
        return
    fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)

"""The baseline: the labels that are expected, in a file that is committed beside the tests."""

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.errors import InputError
from otel_ragfault.faults import is_pass

if TYPE_CHECKING:
    from collections.abc import Iterator

_FORMAT: Final = 1
_REMEDY: Final = "restore the file, or delete it and run pytest --ragfault-update"


@dataclass(frozen=True, slots=True)
class Expected:
    """What a test is expected to get: a label, and what the user gets."""

    label: str
    outcome: str

    @property
    def passed(self) -> bool:
        """Whether the label is a pass."""
        return is_pass(self.label)


def read_baseline(path: Path) -> dict[str, Expected]:
    """Return what each test is expected to get, by its node id; nothing where there is no file.

    Raises:
        InputError: the file is no baseline.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); a baseline was wanted; {_REMEDY}") from error
    try:
        said: Any = json.loads(text)
        if said["format"] != _FORMAT:
            raise InputError(f"{path}: found format {said['format']!r}, this release reads {_FORMAT}; {_REMEDY}")
        return {test: Expected(str(one["label"]), str(one["outcome"])) for test, one in said["tests"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: is no baseline of ragfault ({error}); {_REMEDY}") from error


def update_baseline(path: Path, found: Mapping[str, Expected], *, gone: Callable[[str], bool] | None = None) -> int:
    """Put what tests got into the baseline; what it has of other tests stays.

    Several runs may do so at once: each reads and writes under a lock, and the file is replaced as a whole.

    Args:
        path: the file.
        found: what each test got, by its node id.
        gone: tells of a test that was not run whether it is there no more, so that its entry is dropped.

    Returns:
        How many entries were dropped.

    Raises:
        InputError: the file is no baseline, or cannot be written.
    """
    try:
        with _locked(path):
            before = read_baseline(path)
            dropped = {test for test in before if test not in found and gone is not None and gone(test)}
            _write(path, {test: one for test, one in before.items() if test not in dropped} | dict(found))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; a file to write the baseline to was wanted") from error
    return len(dropped)


def _write(path: Path, tests: Mapping[str, Expected]) -> None:
    lines = [
        f"    {json.dumps(test)}: {json.dumps({'label': one.label, 'outcome': one.outcome})}"
        for test, one in sorted(tests.items())
    ]
    text = f'{{\n  "format": {_FORMAT},\n  "tests": {{\n' + ",\n".join(lines) + "\n  }\n}\n"
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.write(text)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)


@contextmanager
def _locked(path: Path) -> "Iterator[None]":
    """Hold a lock in a file beside a file, which is gone afterwards; where the system has none, nothing is held."""
    try:
        import fcntl
    except ImportError:  # no POSIX
        yield
        return
    lock = path.with_name(f".{path.name}.lock")
    descriptor = _taken(lock, fcntl)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)  # while it is held: who waits for it sees that it is gone, and makes another
        os.close(descriptor)


def _taken(lock: Path, fcntl: Any) -> int:
    """Return the descriptor of a lock that is held, of the file that has this name while it is held."""
    while True:
        descriptor = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
        os.close(descriptor)

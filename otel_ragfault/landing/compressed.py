"""Compressed files and records, decompressed with flat memory.

A stream that was cut gives what is in it before the cut, and then says that it was cut.
"""

import gzip
import io
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa

from otel_ragfault.landing.decoding.otlp import MalformedError

if TYPE_CHECKING:
    from typing_extensions import Buffer

ZSTD = b"\x28\xb5\x2f\xfd"
GZIP = b"\x1f\x8b"
_STEP = 65_536


def compression_of(head: bytes) -> str | None:
    """Return ``gzip`` or ``zstd`` for the beginning of a file that is compressed as a whole."""
    return next((name for magic, name in ((GZIP, "gzip"), (ZSTD, "zstd")) if head.startswith(magic)), None)


def inflate_record(body: bytes, bound: int) -> bytes:
    """Return a record without its zstd compression.

    Raises:
        MalformedError: it is damaged, or becomes larger than ``bound``.
    """
    content = bytearray()
    try:
        with pa.CompressedInputStream(pa.BufferReader(body), "zstd") as stream:
            while chunk := stream.read(_STEP):
                content += chunk
                if len(content) > bound:
                    raise MalformedError(f"a compressed message of more than {bound} bytes; no more are read")
    except OSError as error:
        raise MalformedError(f"zstd that cannot be decompressed ({error})") from None
    return bytes(content)


class InflatedFile(io.RawIOBase):
    """The content of a compressed file, members one after the other. Where it is cut or damaged, it ends.

    Args:
        file: the compressed file, at its beginning.
        compression: ``gzip`` or ``zstd``.
    """

    def __init__(self, file: BinaryIO, compression: str) -> None:
        self._file = file
        self._compression = compression
        self.problem: str | None = None
        self._position = 0
        self._step = _STEP
        self._stream = self._open()

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def seekable(self) -> bool:
        """Tell that it can be read again from its beginning."""
        return True

    def tell(self) -> int:
        """Return how many bytes of the content were read."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go back to the beginning."""
        if offset or whence != io.SEEK_SET:
            raise io.UnsupportedOperation("only the beginning can be found again")
        self._file.seek(0)
        self._stream = self._open()
        self._position, self._step, self.problem = 0, _STEP, None
        return 0

    def readinto(self, buffer: "Buffer") -> int:
        """Read some bytes; none at the end, and where the file is damaged."""
        view = memoryview(buffer).cast("B")
        try:
            data = self._read(min(len(view), self._step))
        except (EOFError, OSError, zlib.error) as error:
            if self._step == 1 or self._compression == "gzip":
                self.problem = f"{self._compression} that is cut off or damaged ({error}); what came before was read"
                return 0
            self._step_back()
            return self.readinto(buffer)
        view[: len(data)] = data
        self._position += len(data)
        return len(data)

    def _step_back(self) -> None:
        """Arrow gives nothing of a read that comes to the cut: go there again, and on in single bytes."""
        position = self._position
        self.seek(0)
        while self._position < position:
            self._position += len(self._read(min(_STEP, position - self._position)))
        self._step = 1

    def _read(self, size: int) -> bytes:
        data: bytes = self._stream.read1(size) if self._compression == "gzip" else self._stream.read(size)
        return data

    def _open(self) -> Any:
        if self._compression == "gzip":
            return gzip.GzipFile(fileobj=self._file)
        return pa.CompressedInputStream(_Lent(self._file), "zstd")


class _Lent(io.RawIOBase):
    """A file that stays open when Arrow closes what it was given."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "Buffer") -> int:
        view = memoryview(buffer).cast("B")
        data = self._file.read(len(view))
        view[: len(data)] = data
        return len(data)

"""Bodies of requests: what their headers say they are, and decompression that stops at a bound."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

import pyarrow as pa

from otel_ragfault.receiving.refusal import Reason, RefusedError

PROTOBUF_TYPE: Final = "application/x-protobuf"
JSON_TYPE: Final = "application/json"
ENCODINGS: Final = ("gzip", "zstd")
_PIECE: Final = 2**20
_GZIP_MAGIC: Final = b"\x1f\x8b"


class Form(Enum):
    """The two encodings of OTLP messages, by content type."""

    PROTOBUF = PROTOBUF_TYPE
    JSON = JSON_TYPE

    @property
    def label(self) -> str:
        """The name in metrics."""
        return self.name.lower()


def form_of(content_type: str) -> Form:
    """Return the form that a content type names; parameters do not matter, a charset other than UTF-8 does.

    Raises:
        RefusedError: it is neither protobuf nor JSON.
    """
    essence, *parameters = (part.strip().lower() for part in content_type.split(";"))
    charsets = [text.partition("=")[2].strip().strip('"') for text in parameters if text.startswith("charset")]
    if essence in {PROTOBUF_TYPE, "application/protobuf"}:
        return Form.PROTOBUF
    if essence == JSON_TYPE and all(charset in {"utf-8", "utf8"} for charset in charsets):
        return Form.JSON
    found = f"content type {content_type[:100]!r}" if content_type else "no content type"
    raise RefusedError(Reason.WRONG_TYPE, f"{found}; send {PROTOBUF_TYPE} or {JSON_TYPE}")


def encoding_of(content_encoding: str) -> str | None:
    """Return ``gzip``, ``zstd``, or ``None`` for a body that is not compressed.

    Raises:
        RefusedError: another encoding, or several.
    """
    name = content_encoding.strip().lower()
    if name in {"", "identity"}:
        return None
    name = name.removeprefix("x-")
    if name in ENCODINGS:
        return name
    raise RefusedError(
        Reason.WRONG_TYPE, f"content encoding {content_encoding[:100]!r}; send identity, {' or '.join(ENCODINGS)}"
    )


def decompress(body: bytes, encoding: str, limit: int, reserve: Callable[[int], None]) -> bytes:
    """Decompress a body, in pieces, up to a bound.

    Args:
        body: the compressed bytes.
        encoding: ``gzip`` or ``zstd``.
        limit: bytes that may come out.
        reserve: told of each piece before it is kept; may refuse it.

    Raises:
        RefusedError: the bytes are not so compressed, are cut off, or inflate beyond the bound.
    """
    if not body:
        raise RefusedError(Reason.BAD_COMPRESSION, f"an empty body is no {encoding}; leave the content encoding out")
    pieces: list[bytes] = []
    size = 0
    try:
        with pa.CompressedInputStream(pa.BufferReader(body), encoding) as stream:
            while piece := stream.read(min(_PIECE, limit + 1 - size)):
                size += len(piece)
                if size > limit:
                    raise RefusedError(Reason.TOO_LARGE, f"inflates beyond {limit} bytes; send fewer spans at a time")
                reserve(len(piece))
                pieces.append(piece)
    except (OSError, pa.ArrowException) as error:
        raise RefusedError(Reason.BAD_COMPRESSION, f"not {encoding} ({_one_line(error)})") from None
    return b"".join(pieces)


def compression_of_message(message: bytes) -> str | None:
    """Return how a gRPC message is compressed. No OTLP request begins as gzip does: such a tag has no wire type."""
    return "gzip" if message.startswith(_GZIP_MAGIC) else None


def header_text(headers: Mapping[bytes, bytes], name: bytes) -> str:
    """Return a header as text; an absent one is empty."""
    return headers.get(name, b"").decode("latin-1").strip()


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:120]

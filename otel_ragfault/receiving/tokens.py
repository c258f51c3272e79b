"""Bearer tokens: read from a file or the environment, compared in constant time."""

import hmac
import os
from pathlib import Path
from typing import Final

from otel_ragfault.errors import ConfigError

TOKEN_VARIABLE: Final = "RAGFAULT_COLLECT_TOKEN"  # noqa: S105 - the name of a variable, not a token
_SCHEME: Final = b"bearer"


class Tokens:
    """The tokens that are taken. A file may hold several, one a line, so that they can be exchanged without a gap.

    Args:
        file: where they are; without it the environment variable is used, and without that every request is let in.

    Raises:
        ConfigError: the file cannot be read or holds no token.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._tokens = self._read()

    @property
    def required(self) -> bool:
        """Whether requests need a token at all."""
        return bool(self._tokens)

    def reload(self) -> None:
        """Read the file again; when that fails, the old tokens stay.

        Raises:
            ConfigError: it cannot be read or holds no token.
        """
        self._tokens = self._read()

    def allow(self, authorization: bytes) -> bool:
        """Return whether the header ``Authorization`` lets a request in."""
        if not self._tokens:
            return True
        scheme, _, sent = authorization.strip().partition(b" ")
        given = sent.strip()
        matches = [hmac.compare_digest(given, token) for token in self._tokens]  # all, whichever it is
        return scheme.lower() == _SCHEME and any(matches)

    def _read(self) -> tuple[bytes, ...]:
        if self._file is None:
            return _usable([os.environ.get(TOKEN_VARIABLE, "")], f"the variable {TOKEN_VARIABLE}")
        try:
            lines = self._file.read_text("utf-8").splitlines()
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "not text in UTF-8"
            raise ConfigError(f"{self._file}: {reason}; a file with a token a line was wanted; check it") from None
        tokens = _usable([line for line in lines if not line.lstrip().startswith("#")], str(self._file))
        if not tokens:
            raise ConfigError(f"{self._file}: no token in it; at least one line was wanted; write a token into it")
        return tokens


def _usable(texts: list[str], where: str) -> tuple[bytes, ...]:
    tokens = [text.strip() for text in texts if text.strip()]
    for token in tokens:
        if not (token.isascii() and token.isprintable()) or " " in token:
            raise ConfigError(
                f"{where}: a token with spaces or characters that no HTTP header holds; printable ASCII was wanted; "
                "make a new one, for example with: openssl rand -hex 32"
            )
    return tuple(token.encode() for token in tokens)

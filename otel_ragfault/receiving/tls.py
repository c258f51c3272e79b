"""TLS of both protocols: certificate, key, and a CA that senders' certificates have to come from."""

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import grpc  # type: ignore[import-untyped] # no stubs are published with it

from otel_ragfault.errors import ConfigError


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Files in PEM."""

    cert: Path
    key: Path
    client_ca: Path | None = None


class Tls:
    """What both servers show and trust: the files as they were when they were last read.

    Connections that are open stay as they are; each new one gets what :meth:`reload` read last.

    Args:
        files: where certificate, key and CA are.

    Raises:
        ConfigError: a file cannot be read, or is not what it should be.
    """

    def __init__(self, files: TlsFiles) -> None:
        self._files = files
        context, configuration = _read_all(files)
        self.http = RenewableContext(context)
        self._renewed: grpc.ServerCertificateConfiguration | None = None
        self.grpc: grpc.ServerCredentials = grpc.dynamic_ssl_server_credentials(
            configuration, self._fetch, require_client_authentication=files.client_ca is not None
        )

    def reload(self) -> None:
        """Read the files again, for both protocols; when that fails, what was read before stays in use for both.

        Raises:
            ConfigError: a file cannot be read, or is not what it should be.
        """
        context, configuration = _read_all(self._files)
        self.http.current, self._renewed = context, configuration

    def _fetch(self) -> grpc.ServerCertificateConfiguration | None:
        """Return what gRPC has not seen yet; it asks before each handshake."""
        renewed, self._renewed = self._renewed, None
        return renewed


class RenewableContext(ssl.SSLContext):
    """A context for a server that listens already: each new connection is made by ``current``.

    An event loop keeps the context that it was started with, and OpenSSL's own contexts take a new certificate but
    never forget a CA.
    """

    current: ssl.SSLContext

    def __new__(cls, current: ssl.SSLContext) -> Self:
        """Make it for a context to begin with."""
        made = super().__new__(cls, ssl.PROTOCOL_TLS_SERVER)
        made.current = current
        return made

    def wrap_bio(self, *arguments: Any, **options: Any) -> ssl.SSLObject:
        """Begin a connection."""
        return self.current.wrap_bio(*arguments, **options)


def _read_all(files: TlsFiles) -> tuple[ssl.SSLContext, grpc.ServerCertificateConfiguration]:
    key, cert = _read(files.key), _read(files.cert)
    root = None if files.client_ca is None else _read(files.client_ca)
    context = _context(files)  # OpenSSL takes files, gRPC takes bytes
    if (key, cert) != (_read(files.key), _read(files.cert)):
        raise ConfigError(f"{files.cert}: it, or its key, changes just now; files at rest were wanted; try again")
    return context, grpc.ssl_server_certificate_configuration([(key, cert)], root_certificates=root)


def _context(files: TlsFiles) -> ssl.SSLContext:
    """Return the context of the HTTP server; this also proves that the files fit together."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(files.cert, files.key, password=_no_password)
    except (OSError, ValueError, ssl.SSLError) as error:
        raise _unusable(
            files.cert, error, f"a certificate in PEM, and its key without a password in {files.key}"
        ) from None
    if files.client_ca is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        try:
            context.load_verify_locations(files.client_ca)
        except (OSError, ssl.SSLError) as error:
            raise _unusable(files.client_ca, error, "the certificate of a CA in PEM") from None
    return context


def _no_password() -> str:
    raise ValueError("the key has a password")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unusable(path, error, "a file in PEM") from None


def _unusable(path: Path, error: Exception, wanted: str) -> ConfigError:
    reason = getattr(error, "strerror", None) or getattr(error, "reason", None) or str(error)
    return ConfigError(f"{path}: {reason}; {wanted} was wanted; check the TLS options")

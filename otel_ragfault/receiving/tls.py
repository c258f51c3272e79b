"""TLS of both protocols: certificate, key, and a CA that senders' certificates have to come from."""

import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc  # type: ignore[import-untyped] # no stubs are published with it

from otel_ragfault.errors import ConfigError


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Files in PEM."""

    cert: Path
    key: Path
    client_ca: Path | None = None


def http_context(files: TlsFiles) -> ssl.SSLContext:
    """Return the context of the HTTP server; this also proves that the files fit together.

    Raises:
        ConfigError: a file cannot be read, or is not what it should be.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    load_certificate(context, files)
    if files.client_ca is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        try:
            context.load_verify_locations(files.client_ca)
        except (OSError, ssl.SSLError) as error:
            raise _unusable(files.client_ca, error, "the certificate of a CA in PEM") from None
    return context


def load_certificate(context: ssl.SSLContext, files: TlsFiles) -> None:
    """Load certificate and key into a context, which uses them for connections that come later.

    Raises:
        ConfigError: they cannot be read, or do not belong together.
    """
    for path in (files.cert, files.key):
        _read(path)
    try:
        context.load_cert_chain(files.cert, files.key, password=_no_password)
    except (OSError, ValueError, ssl.SSLError) as error:
        raise _unusable(
            files.cert, error, f"a certificate in PEM, and its key without a password in {files.key}"
        ) from None


def grpc_credentials(files: TlsFiles) -> grpc.ServerCredentials:
    """Return the credentials of the gRPC server.

    Raises:
        ConfigError: a file cannot be read.
    """
    root = None if files.client_ca is None else _read(files.client_ca)
    pair = (_read(files.key), _read(files.cert))
    return grpc.ssl_server_credentials([pair], root_certificates=root, require_client_auth=root is not None)


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

"""What can be set about a receiver."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from otel_ragfault.errors import ConfigError
from otel_ragfault.receiving.address import Address
from otel_ragfault.receiving.tls import TlsFiles

MIB: Final = 2**20
OpenPaths = Literal["none", "health", "all"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what senders may do.

    Attributes:
        body: bytes of a body, as sent and decompressed.
        held: bytes of all bodies that are in memory at one time.
        connections: HTTP connections; beyond them the one that has been idle longest is closed.
        head_seconds: for the head of a request, and for the first one to begin.
        body_seconds: for the body of a request.
        idle_seconds: between requests.
        linger_seconds: for a sender that goes on sending after its answer, or does not read it.
        rpcs: gRPC calls that are under way or waiting.
        rpc_threads: threads that serve them.
    """

    body: int = 20 * MIB
    held: int = 256 * MIB
    connections: int = 1000
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    idle_seconds: float = 75.0
    linger_seconds: float = 5.0
    rpcs: int = 256
    rpc_threads: int = 64


@dataclass(frozen=True, slots=True)
class CollectOptions:
    """How ``ragfault collect`` runs.

    Attributes:
        db: the database; its spool lies beside it.
        http: where OTLP/HTTP is served, if at all.
        grpc: where OTLP/gRPC is served, if at all.
        token_file: tokens, one a line; without it the environment may hold one.
        tls: certificate and key, for both protocols.
        no_auth: let everybody in, on addresses that other machines reach too.
        open_paths: which of ``/healthz`` and ``/readyz`` (health), and ``/metrics`` (all), need no token.
        max_spool: bytes that may wait for the database.
        drain_seconds: how long stopping waits for the loader to empty the spool.
    """

    db: Path
    http: Address | None
    grpc: Address | None
    token_file: Path | None = None
    tls: TlsFiles | None = None
    no_auth: bool = False
    open_paths: OpenPaths = "health"
    max_spool: int = 2048 * MIB
    drain_seconds: float = 30.0
    limits: Limits = field(default_factory=Limits)


def refuse_open_door(options: CollectOptions, *, has_token: bool) -> None:
    """Refuse to listen where other machines can reach, when everybody would be let in.

    Raises:
        ConfigError: an address is not loopback, and there is neither a token nor a CA for senders' certificates.
    """
    if options.no_auth or has_token or (options.tls is not None and options.tls.client_ca is not None):
        return
    for address in (options.http, options.grpc):
        if address is not None and not address.is_loopback:
            raise ConfigError(
                f"{address}: other machines reach this address, and no token is set; a loopback address or a token was "
                "wanted; give --token-file or --tls-client-ca, or say --insecure-no-auth"
            )

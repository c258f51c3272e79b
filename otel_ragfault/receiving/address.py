"""Addresses to listen on."""

import ipaddress
import socket
from dataclasses import dataclass

from otel_ragfault.errors import ConfigError

_BACKLOG = 1024
_LAST_PORT = 65535


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port; port 0 is any free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return all(ipaddress.ip_address(host.partition("%")[0]).is_loopback for host in self._numeric())

    def _numeric(self) -> list[str]:
        return [str(found[4][0]) for found in resolve(self)]


def parse_address(text: str) -> Address:
    """Return the address that ``HOST:PORT`` names; an IPv6 host is in brackets.

    Raises:
        ValueError: it names none.
    """
    host, colon, port = text.strip().rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    if not colon or not host or (":" in host and not bracketed):
        raise ValueError(f"found {text!r}, wanted HOST:PORT such as 127.0.0.1:4318 or [::1]:4318, or off")
    if not (port.isascii() and port.isdigit()) or int(port) > _LAST_PORT:
        raise ValueError(f"found the port {port!r}, wanted a number up to {_LAST_PORT}")
    return Address(host[1:-1] if bracketed else host, int(port))


def resolve(address: Address) -> list[tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[str | int, ...]]]:
    """Look a host up.

    Raises:
        ConfigError: it is not known.
    """
    try:
        return list(  # the types of the standard library allow for platforms without IPv6
            socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)  # type: ignore[arg-type]
        )
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"{address}: {reason}; an address of this machine was wanted; check the host") from None


def bind(address: Address) -> socket.socket:
    """Bind a socket; it is neither shared with another process nor listening yet.

    Raises:
        ConfigError: the address is in use, or not one of this machine.
    """
    family, kind, protocol, _, target = resolve(address)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(target)
        listener.listen(_BACKLOG)  # now, so that a second process on this port learns of it at once
        listener.setblocking(False)  # noqa: FBT003 - the standard library's signature
    except OSError as error:
        listener.close()
        raise ConfigError(
            f"{address}: {error.strerror}; a free address of this machine was wanted; stop who uses it, or name another"
        ) from None
    return listener


def bound(listener: socket.socket) -> Address:
    """Return where a socket is bound."""
    host, port = listener.getsockname()[:2]
    return Address(str(host), int(port))

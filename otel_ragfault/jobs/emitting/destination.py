"""Where events are sent: what the options say, else what the environment of OpenTelemetry says."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args
from urllib.parse import SplitResult, urlsplit, urlunsplit

from otel_ragfault.errors import InputError
from otel_ragfault.model.wording import shown

Protocol = Literal["http/protobuf", "grpc"]
PROTOCOLS: Final[tuple[Protocol, ...]] = get_args(Protocol)

_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_INSECURE: Final = ("OTEL_EXPORTER_OTLP_LOGS_INSECURE", "OTEL_EXPORTER_OTLP_INSECURE")
_DEFAULTS: Final[dict[Protocol, str]] = {
    "http/protobuf": "http://localhost:4318",
    "grpc": "http://localhost:4317",
}
_PATH: Final = "/v1/logs"


@dataclass(frozen=True, slots=True)
class Destination:
    """An OTLP receiver of log records.

    Attributes:
        protocol: how it is spoken to.
        url: the whole address, with the path where HTTP has one.
        name: what it is called in the record of what was sent; the address in one form without credentials, unless it
            was named.
    """

    protocol: Protocol
    url: str
    name: str

    @property
    def address(self) -> str:
        """The address as it may be shown: without a name and a password, and without a query."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment=""))


def destination(
    endpoint: str | None, protocol: str | None, name: str | None, environment: Mapping[str, str]
) -> Destination:
    """Work out where to send.

    Args:
        endpoint: the address of the receiver, for HTTP with or without the path of logs; before the environment.
        protocol: one of :data:`PROTOCOLS`; before the environment.
        name: what the destination is called in the record of what was sent.
        environment: the variables ``OTEL_EXPORTER_OTLP_…`` and all others.

    Raises:
        InputError: protocol or address are none.
    """
    spoken = _protocol(protocol, environment)
    given, setting = ("--endpoint", endpoint) if endpoint is not None else _first(environment, _ENDPOINTS)
    address = setting or _DEFAULTS[spoken]
    if spoken == "grpc" and "://" not in address:  # host:port, which the convention reads as secured
        is_open = (_first(environment, _INSECURE)[1] or "").lower() == "true"
        address = f"{'http' if is_open else 'https'}://{address}"
    url = _url(given, address, spoken)
    found = Destination(spoken, url, "")
    return replace(found, name=name or _one_form(found.address, spoken))


def _protocol(given: str | None, environment: Mapping[str, str]) -> Protocol:
    source, value = ("--protocol", given) if given is not None else _first(environment, _PROTOCOLS)
    for known in PROTOCOLS:
        if (value or PROTOCOLS[0]) == known:
            return known
    raise InputError(f"{source}: found {shown(value)}; {' or '.join(PROTOCOLS)} was wanted; correct it")


def _first(environment: Mapping[str, str], names: tuple[str, ...]) -> tuple[str, str | None]:
    for name in names:
        if environment.get(name, "").strip():
            return name, environment[name].strip()
    return names[-1], None


def _url(source: str, text: str, protocol: Protocol) -> str:
    parts = _parts(text)
    if parts is None:
        raise InputError(
            f"{source}: found {shown(_hidden(text))}; an address such as {_DEFAULTS[protocol]} was wanted; correct it"
        )
    if protocol == "grpc":
        return f"{parts.scheme}://{parts.netloc}"
    if source == _ENDPOINTS[0] or parts.path.rstrip("/").endswith(_PATH):
        return text
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") + _PATH))


def _one_form(address: str, protocol: Protocol) -> str:
    """Return an address in the form that all its spellings share: of the host, of a default port, of a last slash."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    default = 80 if parts.scheme == "http" and protocol != "grpc" else 443  # without a port gRPC takes 443
    port = "" if parts.port in {None, default} else f":{parts.port}"
    return urlunsplit(parts._replace(netloc=host + port, path=parts.path.rstrip("/")))


def _parts(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text)
        port = parts.port  # raises for one that is no number, or too large
    except ValueError:
        return None
    is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and port != 0
    return parts if is_address and not any(map(str.isspace, text)) else None


def _hidden(text: str) -> str:
    before, mark, after = text.rpartition("@")
    return f"…@{after}" if mark and before else text

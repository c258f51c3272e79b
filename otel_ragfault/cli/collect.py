"""``ragfault collect``: receive spans and log records over OTLP."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import File, db_option
from otel_ragfault.cli.output import say
from otel_ragfault.errors import ConfigError

if TYPE_CHECKING:
    from otel_ragfault.receiving import Address, CollectOptions
    from otel_ragfault.receiving.collector import Collector

    _AddressType = click.ParamType["Address | None"]
else:
    _AddressType = click.ParamType

_MIB = 2**20


class Listen(_AddressType):
    """``HOST:PORT``, or ``off``."""

    name = "ADDRESS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "Address | None":
        """Read the address."""
        from otel_ragfault.receiving import parse_address

        if not isinstance(value, str) or value == "off":
            return None if value == "off" else value
        try:
            return parse_address(value)
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)


def _need_extra() -> None:
    missing = [name for name in ("uvicorn", "h11", "prometheus_client") if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"{', '.join(missing)} is not installed; ragfault collect needs the extra of that name; "
            "run: pip install 'otel-ragfault[collect]'"
        )


@click.command(
    epilog=example(
        "ragfault collect --db rag.duckdb",
        "ragfault collect --db rag.duckdb --http 0.0.0.0:4318 --token-file token --tls-cert tls.crt --tls-key tls.key",
    )
)
@db_option
@click.option(
    "--http", default="127.0.0.1:4318", show_default=True, type=Listen(), help="Serve OTLP/HTTP there, or off."
)
@click.option(
    "--grpc", default="127.0.0.1:4317", show_default=True, type=Listen(), help="Serve OTLP/gRPC there, or off."
)
@click.option("--token-file", metavar="FILE", type=File(), help="Bearer tokens, one a line; read again on SIGHUP.")
@click.option("--tls-cert", metavar="FILE", type=File(), help="Certificate chain in PEM, for both protocols.")
@click.option("--tls-key", metavar="FILE", type=File(), help="Its key, without a password.")
@click.option("--tls-client-ca", metavar="FILE", type=File(), help="Senders need a certificate of this CA.")
@click.option("--insecure-no-auth", is_flag=True, help="Let everybody in, on addresses that other machines reach too.")
@click.option(
    "--open",
    "open_paths",
    default="health",
    show_default=True,
    type=click.Choice(["none", "health", "all"]),
    help="Pages that need no token: /healthz and /readyz, or /metrics too.",
)
@click.option("--max-body", default=20, show_default=True, type=click.IntRange(1, 200), help="MiB of one request.")
@click.option("--max-spool", default=2048, show_default=True, type=click.IntRange(1), help="MiB that may wait on disk.")
@click.option(
    "--max-connections", default=1000, show_default=True, type=click.IntRange(1), help="HTTP connections at a time."
)
@click.option(
    "--body-timeout", default=30.0, show_default=True, type=click.FloatRange(0.1), help="Seconds for a request's body."
)
@click.option(
    "--idle-timeout", default=75.0, show_default=True, type=click.FloatRange(1), help="Seconds between requests."
)
@click.option(
    "--drain-timeout", default=30.0, show_default=True, type=click.FloatRange(0), help="Seconds to load what is left."
)
@click.option("--log-format", default="text", show_default=True, type=click.Choice(["text", "json"]), help="On stderr.")
def collect(db: Path, **given: Any) -> int:
    """Receive spans and log records over OTLP/HTTP and OTLP/gRPC, and load them into the database.

    What is acknowledged is on disk, in a spool beside the database; a process of its own loads it from there. The
    database is held for milliseconds at a time. SIGTERM and Ctrl-C finish what is under way; a second Ctrl-C exits at
    once, and loses nothing that was acknowledged. The environment variable RAGFAULT_COLLECT_TOKEN may hold a token
    instead of --token-file.
    """
    import asyncio

    _need_extra()
    from otel_ragfault.receiving import start_log
    from otel_ragfault.receiving.collector import Collector

    options = _options(db, given)
    start_log(given["log_format"])
    collector = Collector(options)
    _say_where(collector, tls=options.tls is not None)
    return asyncio.run(collector.run())


def _options(db: Path, given: dict[str, Any]) -> "CollectOptions":
    from otel_ragfault.receiving import CollectOptions, Limits, TlsFiles

    cert, key, client_ca = given["tls_cert"], given["tls_key"], given["tls_client_ca"]
    if (cert is None) != (key is None):
        raise click.UsageError("--tls-cert and --tls-key belong together; give both.")
    if client_ca is not None and cert is None:
        raise click.UsageError("--tls-client-ca needs --tls-cert and --tls-key.")
    return CollectOptions(
        db=db,
        http=given["http"],
        grpc=given["grpc"],
        token_file=given["token_file"],
        tls=None if cert is None else TlsFiles(cert, key, client_ca),
        no_auth=given["insecure_no_auth"],
        open_paths=given["open_paths"],
        max_spool=given["max_spool"] * _MIB,
        drain_seconds=given["drain_timeout"],
        limits=Limits(
            body=given["max_body"] * _MIB,
            connections=given["max_connections"],
            body_seconds=given["body_timeout"],
            idle_seconds=given["idle_timeout"],
        ),
    )


def _say_where(collector: "Collector", *, tls: bool) -> None:
    import sys

    secure = "s" if tls else ""
    if collector.http_address is not None:
        say(f"OTLP/HTTP on http{secure}://{collector.http_address}")
    if collector.grpc_address is not None:
        say(f"OTLP/gRPC on {collector.grpc_address}")
    sys.stdout.flush()

"""The OTLP receiver behind ``ragfault collect``: HTTP and gRPC in front, the spool behind, the loader beside.

The receiver itself is :class:`otel_ragfault.receiving.collector.Collector`, which needs the extra ``collect``.
"""

from otel_ragfault.receiving.address import Address, parse_address
from otel_ragfault.receiving.journal import LogFormat, start_log
from otel_ragfault.receiving.options import CollectOptions, Limits, OpenPaths
from otel_ragfault.receiving.tls import TlsFiles
from otel_ragfault.receiving.tokens import TOKEN_VARIABLE

__all__ = [
    "TOKEN_VARIABLE",
    "Address",
    "CollectOptions",
    "Limits",
    "LogFormat",
    "OpenPaths",
    "TlsFiles",
    "parse_address",
    "start_log",
]

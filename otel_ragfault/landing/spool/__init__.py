"""The durable spool beside a database: records are appended and fsynced here first, and loaded later."""

from otel_ragfault.landing.spool.crash import POINTS, crash_point
from otel_ragfault.landing.spool.errors import SpoolError, SpoolFullError
from otel_ragfault.landing.spool.folder import spool_folder
from otel_ragfault.landing.spool.record import MAX_PAYLOAD, RecordKind
from otel_ragfault.landing.spool.writer import SpoolStats, SpoolWriter

__all__ = [
    "MAX_PAYLOAD",
    "POINTS",
    "RecordKind",
    "SpoolError",
    "SpoolFullError",
    "SpoolStats",
    "SpoolWriter",
    "crash_point",
    "spool_folder",
]

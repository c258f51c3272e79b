"""From the spool into the database: each segment once, whoever dies whenever."""

from otel_ragfault.landing.loader.batch import Batch, Landed, Rejected
from otel_ragfault.landing.loader.database import is_busy
from otel_ragfault.landing.loader.load import SpoolLoader, load_spool
from otel_ragfault.landing.loader.stats import LoaderStats, LoadReport
from otel_ragfault.landing.loader.status import SpoolStatus, spool_status
from otel_ragfault.landing.loader.store import store

__all__ = [
    "Batch",
    "Landed",
    "LoadReport",
    "LoaderStats",
    "Rejected",
    "SpoolLoader",
    "SpoolStatus",
    "is_busy",
    "load_spool",
    "spool_status",
    "store",
]

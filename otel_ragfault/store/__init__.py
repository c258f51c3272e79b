"""The DuckDB file: opened, checked, created."""

from otel_ragfault.store.database import attach, connect, detach, start_instance, transaction
from otel_ragfault.store.derived import derived_is_current
from otel_ragfault.store.rows import named_rows, registered
from otel_ragfault.store.schema import SCHEMA_VERSION

__all__ = [
    "SCHEMA_VERSION",
    "attach",
    "connect",
    "derived_is_current",
    "detach",
    "named_rows",
    "registered",
    "start_instance",
    "transaction",
]

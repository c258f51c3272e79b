"""The DuckDB file: opened, checked, created."""

from otel_ragfault.store.database import connect, transaction
from otel_ragfault.store.schema import SCHEMA_VERSION

__all__ = ["SCHEMA_VERSION", "connect", "transaction"]

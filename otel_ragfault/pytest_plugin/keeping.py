"""Keep the spans of tests in a database, for the other commands. Workers of a run may all keep theirs in one."""

from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.landing import DuckDBSpanExporter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opentelemetry.sdk.trace import ReadableSpan


def keep(path: str, spans: "Sequence[ReadableSpan]") -> None:
    """Keep spans beside a database; they wait in its spool until a command reads it."""
    exporter = DuckDBSpanExporter(Path(path), load_every=None)
    exporter.export(spans)
    exporter.shutdown()

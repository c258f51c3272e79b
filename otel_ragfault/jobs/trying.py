"""Try conventions on a file: what each of its spans tells, without a database."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.conventions import SpanView, StageRecord
from otel_ragfault.conventions.mapping import convention
from otel_ragfault.conventions.registry import Convention, conventions
from otel_ragfault.jobs.normalise import span_view
from otel_ragfault.landing import import_files
from otel_ragfault.landing.loader import Landed

if TYPE_CHECKING:
    import pyarrow as pa

    from otel_ragfault.landing import ImportReport
    from otel_ragfault.model.mapping import ConventionMapping

_FAILED: Final = 2
_COLUMNS: Final = [  # the times are left out: Python has no nanoseconds
    "trace_id",
    "span_id",
    "parent_span_id",
    "scope_name",
    "scope_version",
    "name",
    "attributes",
    "events",
    "resource",
    "status_code",
    "dropped_attributes_count",
    "dropped_events_count",
]


@dataclass(frozen=True, slots=True)
class TriedSpan:
    """One span of a file.

    Attributes:
        claimed_by: every mapping and convention that claims it, in the order in which they are asked.
        record: what the first of them reads; ``None`` when it tells nothing, or nobody claims the span.
    """

    trace_id: str
    span_id: str
    name: str
    scope: str
    claimed_by: tuple[str, ...]
    record: StageRecord | None


@dataclass(slots=True)
class Tried:
    """The first ``spans`` of a file, how many there are in all (``total``), and what of it could not be read."""

    spans: list[TriedSpan] = field(default_factory=list)
    total: int = 0
    report: "ImportReport | None" = None


def try_file(path: Path, mapping: "Sequence[ConventionMapping]" = (), *, limit: int | None = None) -> Tried:
    """Ask the mappings and every convention about the spans of a file of OTLP requests.

    Args:
        path: the file, in any form that can be imported.
        mapping: conventions of the configuration, asked first.
        limit: how many spans to ask about; all by default.

    Raises:
        InputError: it is not a file that can be read.
        ConfigError: a convention of another package cannot be loaded.
    """
    tried = Tried()
    tried.report = import_files([path], _Asking(tried, (*map(convention, mapping), *conventions()), limit))
    return tried


class _Asking:
    """Where the rows of the file go: they are asked about, and not kept."""

    def __init__(self, tried: Tried, asked: Sequence[Convention], limit: int | None) -> None:
        self._tried = tried
        self._asked = asked
        self._limit = limit

    def write(self, batch: "pa.Table", *, source: str, wait: float | None = None) -> Landed:  # noqa: ARG002 - a sink
        """Ask about rows of the table span."""
        room = batch.num_rows if self._limit is None else max(0, self._limit - len(self._tried.spans))
        self._tried.total += batch.num_rows
        for row in batch.select(_COLUMNS).slice(0, room).to_pylist():
            self._tried.spans.append(_tried(row, self._asked))
        return Landed(batch.num_rows, 0)


def _tried(row: dict[str, Any], asked: Sequence[Convention]) -> TriedSpan:
    view = _view(row)
    claiming = [one for one in asked if one.claims(view)]
    scope = " ".join(part for part in (view.scope_name, view.scope_version) if part)
    return TriedSpan(
        row["trace_id"].hex if hasattr(row["trace_id"], "hex") else str(row["trace_id"]),
        f"{row['span_id']:016x}",
        view.name,
        scope,
        tuple(one.name for one in claiming),
        claiming[0].read(view) if claiming else None,
    )


def _view(row: dict[str, Any]) -> SpanView:
    return span_view(
        [
            row["scope_name"] or "",
            row["scope_version"] or "",
            row["name"],
            row["attributes"],
            row["events"],
            row["status_code"] == _FAILED,
            row["dropped_attributes_count"],
            row["dropped_events_count"],
            row["parent_span_id"] is not None,
            row["resource"],
        ]
    )

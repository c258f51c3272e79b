"""What a loader did, for reports and metrics."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from otel_ragfault.landing.loader.batch import Landed

if TYPE_CHECKING:
    from uuid import UUID

    from otel_ragfault.landing.loader.batch import Batch


@dataclass(slots=True)
class LoaderStats:
    """Counts of a loader.

    Attributes:
        segments: segments that were stored.
        spans: spans that were stored.
        duplicates: spans that were stored before, and dropped.
        logs: log records that were stored.
        unusable: spans and log records that were set aside, by reason.
        lock_waits: how often the database was found in use.
        failures: loads that failed, other than by waiting in vain.
        last_error: what the last of them said.
        last_load_at: when something was last stored, in seconds since 1970; 0 for never.
        lag: seconds between the last record of the oldest segment of the last load and the end of that load.
        hold: seconds for which the last load held the database.
    """

    segments: int = 0
    spans: int = 0
    duplicates: int = 0
    logs: int = 0
    unusable: Counter[str] = field(default_factory=Counter)
    lock_waits: int = 0
    failures: int = 0
    last_error: str = ""
    last_load_at: float = 0.0
    lag: float = 0.0
    hold: float = 0.0

    def add(self, landed: Landed, batch: "Batch") -> None:
        """Count a segment that was stored."""
        self.segments += 1
        self.spans += landed.spans
        self.duplicates += landed.duplicates
        self.logs += landed.logs
        self.unusable.update({rejected.reason: rejected.spans or 1 for rejected in batch.rejected})


@dataclass(slots=True)
class LoadReport:
    """What was loaded by one call.

    Attributes:
        segments: what each segment brought that was stored by this call.
        recovered: segments of dead processes among them.
        removed: files that are gone because what they held is in the database file.
        rejected: what was set aside, by reason; torn pieces count as one each.
    """

    segments: "dict[UUID, Landed]" = field(default_factory=dict)
    recovered: int = 0
    removed: int = 0
    rejected: Counter[str] = field(default_factory=Counter)

    @property
    def landed(self) -> Landed:
        """The sum over all segments."""
        return sum(self.segments.values(), Landed())

    @property
    def spans(self) -> int:
        """Spans that were stored."""
        return self.landed.spans

    @property
    def duplicates(self) -> int:
        """Spans that were stored before, and dropped."""
        return self.landed.duplicates

    @property
    def logs(self) -> int:
        """Log records that were stored."""
        return self.landed.logs

"""Whether the receiver can take requests, and the numbers of spool and loader."""

import logging
import os
import shutil
from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.landing.loader import spool_status
from otel_ragfault.landing.spool import SpoolWriter, spool_folder
from otel_ragfault.receiving import journal
from otel_ragfault.receiving.intake import Intake
from otel_ragfault.receiving.options import CollectOptions
from otel_ragfault.receiving.supervisor import LoaderProcess

if TYPE_CHECKING:
    from otel_ragfault.receiving.address import Address

_LEAST_FREE: Final = 32 * 2**20
_FORGIVEN_AFTER: Final = 30.0  # seconds after which a failed write no longer counts, because nothing tried since
_LOADER_NUMBERS: Final = {
    "segments": "loader_segments_total",
    "spans": "loader_spans_total",
    "duplicates": "loader_duplicates_total",
    "logs": "loader_logs_total",
    "lock_waits": "loader_lock_waits_total",
    "failures": "loader_failures_total",
    "last_load_at": "loader_last_load_timestamp_seconds",
    "lag": "loader_lag_seconds",
    "hold": "loader_hold_seconds",
}


class Readiness:
    """Looks at spool and loader.

    Args:
        options: as the receiver runs.
        writer: the spool.
        intake: which knows whether the spool took its last record.
        loader: the loader process.
    """

    def __init__(self, options: CollectOptions, writer: SpoolWriter, intake: Intake, loader: LoaderProcess) -> None:
        self.http: Address | None = options.http
        self._options = options
        self._writer = writer
        self._intake = intake
        self._loader = loader
        self._folder = spool_folder(options.db)
        self._said: list[str] = []

    def reasons(self) -> list[str]:
        """Return why requests would be refused, or not become visible; nothing when all is well."""
        found = []
        if self.spool_bytes() >= self._options.max_spool:
            found.append("the spool is full")
        elif self._intake.trouble is not None and self._intake.trouble_age < _FORGIVEN_AFTER:
            found.append("the spool could not be written")
        found += self._place_problems()
        if not self._loader.alive:
            found.append("the loader does not run")
        return found

    def say_changes(self) -> None:
        """Log when the reasons have changed."""
        reasons = self.reasons()
        if reasons != self._said:
            self._said = reasons
            if not reasons:
                journal.log("ready")
            elif self._intake.trouble is None:
                journal.log("not ready", logging.WARNING, reasons=reasons)
            else:
                journal.log("not ready", logging.WARNING, reasons=reasons, detail=self._intake.trouble)

    def spool_bytes(self) -> int:
        """Return how many bytes wait for the database."""
        return self._writer.stats.spool_bytes

    def numbers(self) -> dict[str, float]:
        """Return the numbers of spool and loader for ``/metrics``."""
        spool = spool_status(self._options.db)
        writer = self._writer.stats
        return {
            "spool_bytes": float(spool.bytes),
            "spool_segments": float(spool.files),
            "spool_oldest_age_seconds": spool.oldest_age or 0.0,
            "spool_torn_pieces": float(spool.torn_files),
            "spool_rejected_pieces": float(spool.rejected_files),
            "spool_limit_bytes": float(self._options.max_spool),
            "spool_commits_total": float(writer.commits),
            "spool_sealed_total": float(writer.sealed),
            "loader_up": float(self._loader.alive),
            "loader_restarts_total": float(self._loader.restarts),
            "ready": float(not self.reasons()),
            **_loader_numbers(self._loader.stats),
        }

    def _place_problems(self) -> list[str]:
        place = self._folder if self._folder.exists() else self._folder.parent
        if not os.access(place, os.W_OK | os.X_OK):
            return ["the folder of the spool cannot be written"]
        try:
            free = shutil.disk_usage(place).free
        except OSError:
            return ["the folder of the spool cannot be read"]
        return ["the disk is nearly full"] if free < _LEAST_FREE else []


def _loader_numbers(stats: dict[str, Any]) -> dict[str, float]:
    numbers = {target: float(stats.get(name, 0)) for name, target in _LOADER_NUMBERS.items()}
    return {**numbers, "loader_set_aside_total": float(sum(stats.get("unusable", {}).values()))}

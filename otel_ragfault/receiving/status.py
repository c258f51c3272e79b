"""How landing stands: the spool, those who receive, and the database, if somebody lets us look into it."""

import re
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.loader import SpoolStatus, is_busy, spool_status
from otel_ragfault.receiving import notes
from otel_ragfault.sql import read_query
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_DAYS: Final = 14
_REASONS: Final = 20
_HOLDER: Final = re.compile(r"held in (?P<program>.*?) \(PID (?P<pid>\d+)\)")


@dataclass(slots=True)
class DatabaseStatus:
    """What the database says.

    Attributes:
        state: ``ready``, ``in use``, ``absent``, or what keeps it from being read.
        holder: who holds it, with ``pid`` and ``program``, when it is in use and DuckDB can tell.
        bytes: size of the file and its write-ahead log.
        segments: segments that were loaded.
        spans: spans in them that were stored,
        logs: log records,
        duplicates: and spans that were dropped, because they were there already.
        last_load: when something was last loaded.
        days: ``day`` and ``spans``, the newest first.
        rejected: what could not be stored, by reason.
    """

    state: str
    holder: dict[str, Any] | None = None
    bytes: int = 0
    segments: int = 0
    spans: int = 0
    logs: int = 0
    duplicates: int = 0
    last_load: datetime | None = None
    days: list[dict[str, Any]] = field(default_factory=list)
    rejected: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Status:
    """Everything together; ``lag`` is in seconds, from a record's arrival to its row."""

    spool: SpoolStatus
    database: DatabaseStatus
    receivers: list[dict[str, Any]]
    lag: float | None

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "spool": {**asdict(self.spool), "folder": str(self.spool.folder)},
            "database": asdict(self.database),
            "receivers": self.receivers,
            "lag": self.lag,
        }


def landing_status(db: Path, *, wait: float = 2.0) -> Status:
    """Look at everything. The database is waited for shortly, and left out when somebody keeps it.

    Args:
        db: the database.
        wait: seconds to wait for who holds it.
    """
    receivers = notes.read(db)
    spool = spool_status(db)
    return Status(spool, _database(db, wait), receivers, _lag(spool, receivers))


def _lag(spool: SpoolStatus, receivers: list[dict[str, Any]]) -> float | None:
    """Return how old the oldest waiting record is, or else how long the last load came after what it loaded."""
    if spool.oldest_age is not None and spool.sealed:
        return spool.oldest_age
    lags = [note["loader"].get("lag") for note in receivers if note["running"] and isinstance(note.get("loader"), dict)]
    return next((float(lag) for lag in lags if lag is not None), None)


def _database(db: Path, wait: float) -> DatabaseStatus:
    if not db.exists():
        return DatabaseStatus("absent")
    size = sum(path.stat().st_size for path in (db, db.with_name(f"{db.name}.wal")) if path.exists())
    try:
        con = connect(db, read_only=True, wait=wait)
    except DatabaseError as error:
        if not is_busy(error):
            return DatabaseStatus(str(error), bytes=size)
        return DatabaseStatus("in use", _holder(str(error.__cause__ or error)), size)
    with con:
        return _asked(con, size)


def _asked(con: "DuckDBPyConnection", size: int) -> DatabaseStatus:
    status = DatabaseStatus("ready", bytes=size)
    totals = con.execute(read_query("receiving", "ledger_totals").body).fetchone()
    if totals is not None:
        status.segments, status.spans, status.logs, status.duplicates, last_load = totals
        status.last_load = None if last_load is None else last_load.replace(tzinfo=UTC)
    days = con.execute(read_query("receiving", "spans_by_day").body, {"days": _DAYS}).fetchall()
    status.days = [{"day": None if day is None else day.isoformat(), "spans": spans} for day, spans in days]
    reasons = con.execute(read_query("receiving", "rejected_by_reason").body, {"reasons": _REASONS}).fetchall()
    status.rejected = dict(reasons)
    return status


def _holder(text: str) -> dict[str, Any] | None:
    found = _HOLDER.search(" ".join(text.split()))
    return None if found is None else {"pid": int(found["pid"]), "program": found["program"]}

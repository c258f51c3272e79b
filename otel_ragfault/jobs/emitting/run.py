"""Send what was not sent yet, and remember what was accepted.

The database is open for moments only: to read the events of some requests, and to mark those that were accepted. A run
that is killed between the two sends a batch again, with the same ids.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

import pyarrow as pa

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.emitting.events import Event, label_event, verdict_event
from otel_ragfault.model.wording import shown
from otel_ragfault.sql import read_query
from otel_ragfault.store import named_rows, registered, transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.jobs.emitting.destination import Destination
    from otel_ragfault.jobs.emitting.sending import Sender

_REQUESTS: Final = 5_000
_EVENTS: Final = 500
_FOLDER: Final = "emitting"

Opening = Callable[[], AbstractContextManager["DuckDBPyConnection"]]


@dataclass(frozen=True, slots=True)
class Scope:
    """What is to be sent.

    Attributes:
        labelling: only labels of this labelling, and verdicts on its requests; ``None`` for the newest of all.
        since: only of requests that started since, UTC.
        only: labels, or verdicts; ``None`` for both.
        content: whether explanations and texts of claims go along.
    """

    labelling: str | None = None
    since: datetime | None = None
    only: Literal["labels", "verdicts"] | None = None
    content: bool = True


@dataclass(slots=True)
class Emitted:
    """What became of a run.

    Attributes:
        sent: how many events were accepted, by subject.
        rejected: how many the receiver refused one by one; they are tried again by the next run.
        before: how many the destination had accepted before.
        stopped_by: why the run ended early; ``None`` for one that came to its end.
        reasons: what the receiver said of events that it refused.
    """

    sent: dict[str, int] = field(default_factory=dict)
    rejected: int = 0
    before: int = 0
    stopped_by: str | None = None
    reasons: list[str] = field(default_factory=list)


def emit(
    reading: Opening,
    writing: Opening,
    where: "Destination",
    sender: "Sender",
    scope: Scope,
    *,
    on_progress: Callable[[int, int], None] | None = None,
) -> Emitted:
    """Send every event in scope that the destination has not accepted yet.

    Args:
        reading: opens the database for reading.
        writing: opens it for writing.
        where: the destination.
        sender: sends to it.
        scope: what is to be sent.
        on_progress: called with the requests done and the requests in all.

    Raises:
        InputError: there is no such labelling.
    """
    done = Emitted(before=_sent_before(reading, where))
    for events, looked_at, total in _waiting(reading, where, scope):
        for start in range(0, len(events), _EVENTS):
            if not _send(events[start : start + _EVENTS], writing, where, sender, done):
                return done
        if on_progress is not None:
            on_progress(looked_at, total)
    return done


def waiting_events(reading: Opening, where: "Destination", scope: Scope) -> Iterator[Event]:
    """Yield every event in scope that the destination has not accepted yet.

    Raises:
        InputError: there is no such labelling.
    """
    for events, _, _ in _waiting(reading, where, scope):
        yield from events


def _waiting(reading: Opening, where: "Destination", scope: Scope) -> Iterator[tuple[list[Event], int, int]]:
    """Yield the events of some requests, the number of requests looked at, and of those in all."""
    with reading() as con:
        requests = _requests(con, scope)
    for start in range(0, len(requests), _REQUESTS):
        some = requests[start : start + _REQUESTS]
        with reading() as con:
            events = _events(con, some, where, scope)
        yield events, start + len(some), len(requests)


def _requests(con: "DuckDBPyConnection", scope: Scope) -> list[str]:
    if scope.labelling is not None:
        ((found, newest),) = con.execute(
            read_query(_FOLDER, "labelling").body, {"labelling": scope.labelling}
        ).fetchall()
        if not found:
            raise InputError(
                f"found labelling {shown(scope.labelling)}; one that is stored was wanted, such as "
                f"{', '.join(newest) if newest else '(there is none yet; run ragfault label)'}; correct --labelling"
            )
    since = None if scope.since is None else scope.since.astimezone(UTC).replace(tzinfo=None)
    parameters = {"labelling": scope.labelling, "since": since}
    return [row[0] for row in con.execute(read_query(_FOLDER, "scope").body, parameters).fetchall()]


def _events(con: "DuckDBPyConnection", requests: list[str], where: "Destination", scope: Scope) -> list[Event]:
    given = {"requests": requests, "destination": where.name}
    events: list[Event] = []
    if scope.only != "verdicts":
        rows = _rows(con, "label_events", {**given, "labelling": scope.labelling})
        events.extend(label_event(row, content=scope.content) for row in rows)
    if scope.only != "labels":
        events.extend(verdict_event(row, content=scope.content) for row in _rows(con, "verdict_events", given))
    return events


def _rows(con: "DuckDBPyConnection", name: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
    return named_rows(con.execute(read_query(_FOLDER, name).body, parameters))


def _send(events: Sequence[Event], writing: Opening, where: "Destination", sender: "Sender", done: Emitted) -> bool:
    """Send some events; return whether the run can go on.

    Where a part of them was refused, which part is not known; each is then sent by itself, with the same id as before.
    """
    answer = sender.send(events)
    if not answer.accepted:
        done.stopped_by = answer.said or "the receiver did not take them"
        return False
    if answer.rejected == 0:
        _mark(events, writing, where, done)
        return True
    if len(events) > 1 and answer.rejected < len(events):
        return all(_send([event], writing, where, sender, done) for event in events)
    done.rejected += len(events)
    if answer.said is not None and answer.said not in done.reasons:
        done.reasons.append(answer.said)
    return True


def _mark(events: Sequence[Event], writing: Opening, where: "Destination", done: Emitted) -> None:
    accepted = pa.table(
        {name: [getattr(event, name) for event in events] for name in ("event_id", "request_id", "subject")}
    )
    now = datetime.now(UTC).replace(tzinfo=None)
    with writing() as con, transaction(con), registered(con, "accepted_event", accepted):
        con.execute(read_query(_FOLDER, "mark").body, {"destination": where.name, "sent_at": now})
    for event in events:
        done.sent[event.subject] = done.sent.get(event.subject, 0) + 1


def _sent_before(reading: Opening, where: "Destination") -> int:
    with reading() as con:
        ((count,),) = con.execute(read_query(_FOLDER, "counts").body, {"destination": where.name}).fetchall()
    return int(count)

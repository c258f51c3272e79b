"""``ragfault status``: how landing stands."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import db_option, json_option
from otel_ragfault.cli.output import say, say_json
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from otel_ragfault.receiving.status import Status

_UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB")
_STEP: Final = 1024


@click.command(epilog=example("ragfault status --db rag.duckdb"))
@db_option
@json_option
def status(db: Path, *, as_json: bool) -> None:
    """Show what waits in the spool, who holds the database, and what was stored, dropped and refused.

    Works while `ragfault collect` runs, and while somebody keeps the database to himself.
    """
    from otel_ragfault.cli.tables import say_table
    from otel_ragfault.receiving.status import landing_status

    found = landing_status(db)
    if as_json:
        say_json({"db": str(db), **found.as_dict()})
        return
    say_table(["what", "how it stands"], [[name, text] for name, text in _lines(found)])
    if found.database.days:
        say()
        rows = [[day["day"] or "without a start", str(day["spans"])] for day in found.database.days]
        say_table(["day", "spans"], rows, ["left", "right"])
    counts = _counts(found)
    if counts:
        say()
        say_table(["refused or set aside", "count"], counts, ["left", "right"])


def _lines(found: "Status") -> Iterator[tuple[str, str]]:
    spool, database = found.spool, found.database
    waiting = f"{counted(spool.files, 'segment')}, {_size(spool.bytes)}"
    age = "" if spool.oldest_age is None else f", the oldest {spool.oldest_age:.1f} s old"
    yield "spool", f"{waiting}{age}; {spool.writers} being written"
    yield (
        "kept aside",
        (f"{spool.torn_files} torn, {counted(spool.rejected_files, 'rejected piece')}, {_size(spool.aside_bytes)}"),
    )
    yield "lag", "not known" if found.lag is None else f"{found.lag:.1f} s"
    for note in found.receivers:
        yield f"receiver {note['pid']}", _receiver(note)
    yield "database", f"{_held(found)}, {_size(database.bytes)}"
    if database.state == "ready":
        yield "last load", "never" if database.last_load is None else f"{database.last_load:%Y-%m-%d %H:%M:%S} UTC"
        yield (
            "stored",
            (
                f"{counted(database.spans, 'span')}, {counted(database.logs, 'log record')}, "
                f"from {counted(database.segments, 'segment')}"
            ),
        )
        yield "duplicates dropped", str(database.duplicates)


def _receiver(note: dict[str, Any]) -> str:
    if not note["running"]:
        return "ended"
    places = [f"{name} {note[name]}" for name in ("http", "grpc") if note.get(name)]
    return f"running, {', '.join(places)}"


def _held(found: "Status") -> str:
    holder = found.database.holder
    if holder is None:
        return found.database.state
    return f"{found.database.state} by process {holder['pid']} ({holder['program']})"


def _counts(found: "Status") -> list[list[str]]:
    counts = [[f"set aside: {reason}", str(count)] for reason, count in found.database.rejected.items()]
    for note in found.receivers:
        refused = note.get("refused")
        if isinstance(refused, dict):
            rows = sorted(refused.items(), key=lambda item: -item[1])
            counts += [[f"refused by {note['pid']}: {reason}", f"{count:.0f}"] for reason, count in rows]
    return counts


def _size(size: float) -> str:
    step = 0
    while size >= _STEP and step + 1 < len(_UNITS):
        size /= _STEP
        step += 1
    return f"{size:.0f} {_UNITS[step]}" if not step else f"{size:.1f} {_UNITS[step]}"

"""``ragfault emit``: labels and verdicts back to the user's own backend."""

import os
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from otel_ragfault.cli.failures import DONE, WRONG_INPUT
from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import Moment, Text, db_option, json_option
from otel_ragfault.cli.output import complain, say, say_json
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from otel_ragfault.jobs.emitting import Destination, Emitted, Scope
    from otel_ragfault.jobs.emitting.events import Event

_PROTOCOLS: Final = ("http/protobuf", "grpc")
_LABEL: Final = "label"


@click.command(epilog=example("ragfault emit --db rag.duckdb --endpoint http://127.0.0.1:4318 --dry-run"))
@db_option
@click.option("--endpoint", metavar="URL", type=Text(), help="The OTLP receiver; else OTEL_EXPORTER_OTLP_ENDPOINT.")
@click.option("--protocol", type=click.Choice(_PROTOCOLS), help="Else OTEL_EXPORTER_OTLP_PROTOCOL, else HTTP.")
@click.option(
    "--destination",
    "name",
    metavar="NAME",
    type=Text(),
    help="What the receiver is called in the record of what was sent. By default its address, in which a last slash, "
    "capitals of the host and a default port do not count; localhost and 127.0.0.1 are two.",
)
@click.option("--labelling", metavar="ID", type=Text(), help="Only of this labelling; the newest label by default.")
@click.option("--since", type=Moment(), help="Leave out requests that started before this time (UTC).")
@click.option("--only", type=click.Choice(["labels", "verdicts"]), help="Only labels, or only verdicts.")
@click.option("--no-content", is_flag=True, help="Leave out explanations and the texts of claims.")
@click.option("--dry-run", is_flag=True, help="Only say what would be sent.")
@json_option
def emit(  # noqa: PLR0913 - an option is a parameter
    db: Path,
    endpoint: str | None,
    protocol: str | None,
    name: str | None,
    labelling: str | None,
    since: datetime | None,
    only: Literal["labels", "verdicts"] | None,
    *,
    no_content: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Send labels and verdicts to an OTLP receiver, as the GenAI event gen_ai.evaluation.result.

    Each is a log record in the context of the judged span, with the id of the response where one is known. What a
    destination has accepted is remembered in the database and not sent again; a run that was ended is taken up by the
    next one. Every event carries ragfault.evaluation.id, which stays the same when it is sent twice. Verdicts that
    came out of telemetry are left out. Headers, TLS and timeout come from the variables OTEL_EXPORTER_OTLP_….
    """
    from otel_ragfault.jobs.emitting import Scope, destination

    where = destination(endpoint, protocol, name, os.environ)
    scope = Scope(labelling=labelling, since=since, only=only, content=not no_content)
    if dry_run:
        _say_plan(db, where, scope, as_json=as_json)
        return DONE
    done = _emit(db, where, scope)
    _say_done(done, where, as_json=as_json)
    return _exit_code(done, where)


def _emit(db: Path, where: "Destination", scope: "Scope") -> "Emitted":
    from otel_ragfault.cli.database import reading
    from otel_ragfault.cli.progress import step_progress
    from otel_ragfault.jobs.emitting import emit as send
    from otel_ragfault.jobs.emitting.sending import Sender
    from otel_ragfault.store import connect

    with reading(db):
        pass  # loads what waits, and brings an older file up to date
    sender = Sender(where)
    try:
        with step_progress("sending") as on_progress:
            return send(
                lambda: connect(db, read_only=True), lambda: connect(db), where, sender, scope, on_progress=on_progress
            )
    finally:
        sender.close()


def _say_plan(db: Path, where: "Destination", scope: "Scope", *, as_json: bool) -> None:
    from otel_ragfault.cli.database import reading
    from otel_ragfault.jobs.emitting import waiting_events
    from otel_ragfault.store import connect

    with reading(db):
        pass
    named, first = _counted(waiting_events(lambda: connect(db, read_only=True), where, scope))
    if as_json:
        say_json(
            {
                "destination": where.name,
                "protocol": where.protocol,
                "waiting": named.total(),
                "events": dict(named),
                "first": None if first is None else _as_json(first),
            }
        )
        return
    say(f"{counted(named.total(), 'event')} would be sent to {where.name} ({where.protocol})")
    for told, count in named.most_common():
        say(f"  {count:>6}  {told}")
    if first is not None:
        say(f"the first, of span {first.trace_id.hex}/{first.span_id or 0:016x}:")
        for key, value in first.attributes.items():
            say(f"  {key}: {value}")


def _counted(events: "Iterable[Event]") -> "tuple[Counter[str], Event | None]":
    from otel_ragfault.semconv import GEN_AI_EVALUATION_NAME

    first: Event | None = None
    named: Counter[str] = Counter()
    for event in events:
        first = first or event
        named[str(event.attributes[GEN_AI_EVALUATION_NAME])] += 1
    return named, first


def _as_json(event: "Event") -> dict[str, object]:
    return {
        "trace_id": event.trace_id.hex,
        "span_id": None if event.span_id is None else f"{event.span_id:016x}",
        "time": f"{event.at.isoformat()}Z",
        "attributes": event.attributes,
    }


def _say_done(done: "Emitted", where: "Destination", *, as_json: bool) -> None:
    sent, labels = sum(done.sent.values()), done.sent.get(_LABEL, 0)
    if as_json:
        say_json(
            {
                "destination": where.name,
                "protocol": where.protocol,
                "sent": sent,
                "labels": labels,
                "verdicts": sent - labels,
                "rejected": done.rejected,
                "sent_before": done.before,
                "stopped_by": done.stopped_by,
            }
        )
        return
    if not sent and (done.stopped_by is not None or done.rejected):
        return  # the complaint says it all
    what = f"{counted(labels, 'label')} and {counted(sent - labels, 'verdict')}"
    say(f"sent {counted(sent, 'event')} to {where.name} ({where.protocol}): {what}")
    if done.before:
        say(f"sent before and left out: {done.before}")


def _exit_code(done: "Emitted", where: "Destination") -> int:
    if done.stopped_by is not None:
        complain(
            f"{where.address}: {done.stopped_by}; an OTLP receiver of log records was wanted; check the endpoint and "
            "OTEL_EXPORTER_OTLP_HEADERS, then run this again: what was accepted is not sent twice"
        )
    if done.rejected:
        why = "; ".join(done.reasons) or "it did not say why"
        complain(
            f"{where.address}: {counted(done.rejected, 'event')} refused by the receiver ({why}); "
            "none of them counts as sent; the next run tries them again"
        )
    return DONE if done.stopped_by is None and not done.rejected else WRONG_INPUT

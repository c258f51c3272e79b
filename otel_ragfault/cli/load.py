"""``ragfault load``: what a process left in the spool, into the database."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import db_option, json_option
from otel_ragfault.cli.output import say, say_json, warn
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from otel_ragfault.landing.loader import LoadReport, SpoolStatus


@click.command(epilog=example("ragfault load --db rag.duckdb"))
@db_option
@json_option
@click.option(
    "--wait",
    default=10.0,
    show_default=True,
    type=click.FloatRange(0),
    metavar="SECONDS",
    help="How long to wait for who holds the database.",
)
def load(db: Path, *, wait: float, as_json: bool) -> None:
    """Load what waits in the spool: what `ragfault collect` or an exporter left there when its process died.

    What a living process is still writing is left to it. Loading twice changes nothing.
    """
    from otel_ragfault.cli.progress import byte_progress
    from otel_ragfault.landing.loader import load_spool, spool_status

    with byte_progress("loading") as on_progress:
        report = load_spool(db, wait=wait, on_progress=on_progress)
    status = spool_status(db)
    if as_json:
        say_json(_as_json(report, status))
        return
    say(
        f"{counted(report.spans, 'span')} and {counted(report.logs, 'log record')} "
        f"from {counted(len(report.segments), 'segment')}, "
        f"{counted(report.duplicates, 'more was', 'more were')} there already"
    )
    warn(f"{count} set aside: {reason}" for reason, count in report.rejected.most_common())
    if status.files:
        say(
            f"{counted(status.files, 'segment is', 'segments are')} left, "
            f"of {counted(status.writers, 'process that is', 'processes that are')} writing them"
        )


def _as_json(report: "LoadReport", status: "SpoolStatus") -> dict[str, Any]:
    return {
        "spans": report.spans,
        "logs": report.logs,
        "duplicates": report.duplicates,
        "segments": len(report.segments),
        "recovered": report.recovered,
        "rejected": dict(report.rejected),
        "left": {"segments": status.files, "bytes": status.bytes, "writers": status.writers},
    }

"""``ragfault import``: files of OTLP spans and log records into the database."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otel_ragfault.cli.failures import DONE, WRONG_INPUT
from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import File, config_option, db_option, json_option
from otel_ragfault.cli.output import complain, complain_lines, say, say_json
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from otel_ragfault.jobs.build import Built
    from otel_ragfault.landing import ImportReport
    from otel_ragfault.model.mapping import ConventionMapping


@click.command("import", epilog=example("ragfault import --db rag.duckdb traces.jsonl"))
@db_option
@json_option
@config_option
@click.option("--follow", is_flag=True, help="Keep reading files that grow, through rotation, until Ctrl-C or SIGTERM.")
@click.option(
    "--poll",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0.05, 3600),
    metavar="SECONDS",
    help="With --follow: how often to look at the files.",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=File())
def import_spans(
    db: Path, files: tuple[Path, ...], *, config_file: Path | None, as_json: bool, follow: bool, poll: float
) -> int:
    """Import files of OTLP spans and log records, or folders of them, and build the request records.

    Takes JSON lines or protobuf as the Collector's file exporter writes them, rotated and compressed (gzip, zstd) or
    not, a JSON document, and the spans of `ragfault export`, whose other files are passed over. The database is created
    where there is none. What is stored already is not stored again: spans are told by their ids, log records by all of
    their fields. What is not OTLP is named with file and line while the rest goes in; the exit code is then 2. With
    --follow, a restart goes on where the last one stopped.
    """
    from otel_ragfault.model import load_config

    mapping = load_config(config_file).config.mapping
    if follow:
        from otel_ragfault.cli.following import follow_files

        report, built = follow_files(db, files, mapping, poll)
    else:
        report, built = _import(db, files, mapping)
    if as_json:
        say_json(_as_json(report, built))
    else:
        _say(report, built)
    if report.complete:
        return DONE
    _complain(report, named=follow)
    return WRONG_INPUT


def _import(
    db: Path, files: tuple[Path, ...], mapping: "tuple[ConventionMapping, ...]"
) -> "tuple[ImportReport, Built]":
    from otel_ragfault.cli.progress import byte_progress, working
    from otel_ragfault.jobs.build import Built, build_requests
    from otel_ragfault.landing import SpoolSink, import_files
    from otel_ragfault.store import connect

    with byte_progress("importing") as on_progress:
        report = import_files(files, SpoolSink(db), on_progress=on_progress)
    if not db.exists():  # nothing was stored
        return report, Built(0, 0)
    with working("building requests"), connect(db) as con:
        return report, build_requests(con, mapping=mapping)


def _as_json(report: "ImportReport", built: "Built") -> dict[str, Any]:
    return {
        "files": report.files,
        "spans": report.spans,
        "duplicates": report.duplicates,
        "logs": report.logs,
        "log_duplicates": report.log_duplicates,
        "requests": built.requests,
        "traces": built.traces,
        "unusable": dict(report.unusable),
        "skipped": dict(report.skipped),
        "passed_over": [{"file": str(file), "what": what} for file, what in report.passed_over.items()],
        "problem_count": report.problem_count,
        "problems": [{"file": str(p.file), "line": p.line, "reason": p.reason} for p in report.problems],
    }


def _say(report: "ImportReport", built: "Built") -> None:
    known = counted(report.known, "more was", "more were")
    say(f"{report.stored} stored from {counted(report.files, 'file')}, {known} there already")
    for signal, count in sorted(report.skipped.items()):
        say(f"{counted(count, 'request')} of {signal} skipped: only spans and log records are kept")
    for note in report.notes:
        say(note)
    say(f"{counted(built.requests, 'request')} built from {counted(built.traces, 'trace')}")


def _complain(report: "ImportReport", *, named: bool) -> None:
    if not named:  # as they came
        complain_lines(report.problems)
    if report.problem_count > len(report.problems):
        complain_lines([f"and {report.problem_count - len(report.problems)} more"])
    parts = [f"{counted(count, 'was', 'were')} set aside: {reason}" for reason, count in report.unusable.most_common()]
    if report.problem_count:
        parts.insert(0, f"{counted(report.problem_count, 'part')} of the files could not be read as OTLP")
    complain(f"{'; '.join(parts)}; everything else was loaded; correct the files and import them again")

"""``ragfault build``: request records from the spans that are stored."""

from pathlib import Path

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import config_option, db_option, json_option
from otel_ragfault.cli.output import say, say_json
from otel_ragfault.counting import counted

_TRACES_AT_A_TIME = 20_000  # a batch is a step of the progress bar


@click.command(epilog=example("ragfault build --db rag.duckdb --all"))
@db_option
@click.option("--all", "anew", is_flag=True, help="Derive every record again from its spans.")
@config_option
@json_option
def build(db: Path, *, anew: bool, config_file: Path | None, as_json: bool) -> None:
    """Build the request records of new spans.

    Spans are kept as they came, so that after an upgrade, or a change of the mapping in the configuration, --all
    derives every record again and nothing has to be sent again. Labels stay. All of it is stored, or, when it is
    interrupted, none.
    """
    from otel_ragfault.cli.database import interruptible, writing
    from otel_ragfault.cli.progress import step_progress
    from otel_ragfault.jobs.build import Built, build_requests
    from otel_ragfault.model import load_config

    config = load_config(config_file).config
    built = Built(0, 0)
    with step_progress("building requests") as on_progress, writing(db) as con:

        def work() -> None:
            nonlocal built
            built = build_requests(
                con,
                mapping=config.mapping,
                default_snapshot=config.default_snapshot,
                anew=anew,
                traces_at_a_time=_TRACES_AT_A_TIME,
                on_progress=on_progress,
            )

        interruptible(con, work)
    if as_json:
        say_json({"traces": built.traces, "requests": built.requests, "all": anew})
        return
    say(f"{counted(built.requests, 'request')} built from {counted(built.traces, 'trace')}")

"""``ragfault label``: walk the fault tree."""

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import Finite, Moment, config_option, db_option, json_option
from otel_ragfault.cli.output import say, say_json, warn
from otel_ragfault.counting import counted
from otel_ragfault.report.visible import visible

if TYPE_CHECKING:
    from otel_ragfault.jobs.label import LabelRun


@click.command(epilog=example("ragfault label --db rag.duckdb --k 5"))
@db_option
@json_option
@click.option(
    "--k", type=click.IntRange(min=1), help="How many chunks are passed on, where a request does not record it."
)
@click.option(
    "--override-k",
    is_flag=True,
    help="Use --k for every request: what is recorded is wrong. (whatif tries other settings.)",
)
@click.option("--since", type=Moment(), help="Leave out requests that started before this time (ISO 8601, UTC).")
@click.option("--floor", type=Finite(), help="Similarity below which gold counts as not found.")
@config_option
def label(
    db: Path,
    k: int | None,
    since: datetime | None,
    floor: float | None,
    config_file: Path | None,
    *,
    override_k: bool,
    as_json: bool,
) -> None:
    """Label every request that has gold.

    Requests are joined to gold by case id, else by their question. The labelling is a run of its own; earlier ones
    stay. When nothing joins the exit code is 2.
    """
    from otel_ragfault.cli.database import writing
    from otel_ragfault.cli.progress import working
    from otel_ragfault.jobs.label import label_requests
    from otel_ragfault.model import load_config

    if override_k and k is None:
        raise click.UsageError("--override-k was given without --k; give the k that every request has")
    config = load_config(config_file, overrides={"similarity_floor": floor, "k": k}).config
    with working("labelling"), writing(db) as con:
        run = label_requests(con, config, override_k=k if override_k else None, since=since)
    warn(run.warnings)
    if as_json:
        say_json(
            {
                "run_id": run.run_id,
                "requests": run.requests,
                "joined": run.joined,
                "labels": run.labels,
                "outcomes": run.outcomes,
                "judges": [asdict(judge) for judge in run.judges],
                "warnings": run.warnings,
            }
        )
    else:
        _say(run)


def _say(run: "LabelRun") -> None:
    from otel_ragfault.cli.tables import say_table
    from otel_ragfault.faults import advice_for

    others = run.requests - run.joined
    rest = f"; {counted(others, 'without gold is', 'without gold are')} left out" if others else ""
    say(f"labelled {run.joined} of {counted(run.requests, 'request')} in run {visible(run.run_id)}{rest}")
    say()
    say_table(
        ["label", "requests", "share", "try first"],
        [
            [name, str(count), f"{count / run.joined:.1%}", advice_for(name).try_first]
            for name, count in sorted(run.labels.items(), key=lambda item: (-item[1], item[0]))
        ],
        ["left", "right", "right", "left"],
    )
    say()
    say("outcomes: " + ", ".join(f"{count} {name}" for name, count in run.outcomes.items()))

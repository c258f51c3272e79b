"""``ragfault measures``: retrieval measures with intervals."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.lists import MeasureName, Numbers
from otel_ragfault.cli.options import config_option, db_option, json_option
from otel_ragfault.cli.output import note, say, say_json
from otel_ragfault.jobs.measure_names import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from otel_ragfault.jobs.measures import Measured
    from otel_ragfault.model import Config
    from otel_ragfault.statistics import Resampling


@click.command(
    epilog=example(
        "ragfault measures --db rag.duckdb --by prompt_version --k 5 --measure ndcg --measure recall_groups",
    )
)
@db_option
@click.option("--k", "measure_cutoffs", type=Numbers(), help="Ranks down to which to look. Default: 1,3,5,10.")
@click.option("--by", type=click.Choice(DIMENSIONS), default="run", show_default=True, help="What makes a group.")
@click.option(
    "--measure", "names", multiple=True, type=MeasureName(), help="Only this one, as in ndcg or recall@5; repeatable."
)
@click.option("--order", "measure_order", type=click.Choice(["recorded", "trec"]), help="As recorded, or by score.")
@click.option(
    "--unjudged",
    "measure_unjudged",
    type=click.Choice(["nonrelevant", "leave_out"]),
    help="What a chunk that nobody judged is.",
)
@click.option("--gain", "measure_gain", type=click.Choice(["linear", "exponential"]), help="What a grade is worth.")
@click.option("--seed", "bootstrap_seed", type=click.IntRange(0), help="Of the intervals.")
@config_option
@json_option
def measures(
    db: Path,
    by: str,
    names: tuple[str, ...],
    config_file: Path | None,
    *,
    as_json: bool,
    **overrides: Any,
) -> None:
    """Precision, recall, hit, MRR, MAP, context precision and nDCG in the mean over judged cases, with intervals.

    A case is judged by its graded relevance, or, where it has none, by its evidence. Requests must have been labelled.
    A request whose ranking is not known is counted, and is in no mean. Defaults come from the configuration
    (measure_…, bootstrap_…); `ragfault query --list --json` prints every formula, and what each choice means, under
    request_measures.
    """
    from otel_ragfault.cli.database import reading
    from otel_ragfault.jobs.measures import measure, resampling, selected
    from otel_ragfault.model import load_config

    config = load_config(config_file, overrides=overrides).config
    with reading(db) as con:
        rows = selected(measure(con, _looking_to(config, names), by=by), names)
    how = resampling(config)
    if as_json:
        say_json({"by": by, **_choices(config), **asdict(how), "rows": [asdict(row) for row in rows]})
        return
    _say(rows, by, config, how)


def _looking_to(config: "Config", names: "Sequence[str]") -> "Config":
    """Return the configuration with the ranks that the names speak of."""
    ranks = {int(name.partition("@")[2]) for name in names if "@" in name}
    return config.model_copy(update={"measure_cutoffs": tuple(sorted({*config.measure_cutoffs, *ranks}))})


def _choices(config: "Config") -> dict[str, Any]:
    from otel_ragfault.jobs.measures import choices

    return choices(config)


def _say(rows: "Sequence[Measured]", by: str, config: "Config", how: "Resampling") -> None:
    from otel_ragfault.cli.tables import Align, say_table

    heading = [by, "measure", "mean", f"{how.confidence:.0%} interval", "cases", "requests", "no ranking", "unjudged"]
    text, number = get_args(Align)
    say_table(heading, [_cells(row) for row in rows], [text, text, number, text, *[number] * 4])
    say()
    say(", ".join(f"{name} {value}" for name, value in _choices(config).items()))
    say(f"intervals: bootstrap over cases, {how.replicates} replicates, seed {how.seed}")
    _note_short_rankings(rows)


def _cells(row: "Measured") -> list[str]:
    name = row.measure if row.k is None else f"{row.measure}@{row.k}"
    interval = "" if row.low is None or row.high is None else f"{row.low:.4f} to {row.high:.4f}"
    unjudged = "" if row.unjudged_share is None else f"{row.unjudged_share:.1%}"
    mean = "NULL" if row.mean is None else f"{row.mean:.4f}"
    group = "(not named)" if row.group is None else row.group
    return [group, name, mean, interval, str(row.cases), str(row.requests), str(row.without_ranking), unjudged]


def _note_short_rankings(rows: "Sequence[Measured]") -> None:
    """Say where a cutoff looks beyond what a retriever is known to have returned."""
    depths = [row.known_depth for row in rows if row.known_depth is not None and (row.k or 0) > row.known_depth]
    if depths:
        note(
            f"some rankings hold only {min(depths)} and are not known to be complete: what is beyond is not seen, and "
            "recall at a larger k is a lower bound"
        )

"""``ragfault compare``: two runs on identical cases."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.lists import Numbers
from otel_ragfault.cli.options import File, Text, config_option, db_option, json_option
from otel_ragfault.cli.output import say, say_json, warn

if TYPE_CHECKING:
    from otel_ragfault.jobs.comparing import Comparison, Source
    from otel_ragfault.report.comparison import Section


@click.command(
    epilog=example(
        "ragfault compare --db rag.duckdb main k-5 --expect 'retrieval.below_k decreases' --by tag",
        "ragfault compare --db before.duckdb --against after.duckdb --markdown",
    )
)
@click.argument("run_a", required=False, type=Text())
@click.argument("run_b", required=False, type=Text())
@db_option
@click.option("--against", metavar="DB", type=File(), help="Look up RUN_B in this database instead.")
@click.option("--by", multiple=True, type=click.Choice(["tag", "expect", "service"]), help="Slice; may be repeated.")
@click.option(
    "--expect",
    "expectations",
    multiple=True,
    type=Text(),
    metavar="HYPOTHESIS",
    help="A hypothesis, declared beforehand, that is answered; may be repeated.",
)
@click.option("--allow-different-cases", is_flag=True, help="Compare the cases that both runs have.")
@click.option("--k", "measure_cutoffs", type=Numbers(), help="Ranks of the measures. Default: 1,3,5,10.")
@click.option("--seed", "bootstrap_seed", type=click.IntRange(0), help="Of the intervals.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
@config_option
@json_option
def compare(
    run_a: str | None,
    run_b: str | None,
    db: Path,
    against: Path | None,
    config_file: Path | None,
    *,
    as_markdown: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Compare RUN_B with RUN_A on identical cases: what changed, by how much, and how sure that is.

    A run is named by the run id of the traffic or by a labelling; where a name is both, write pipeline:NAME or
    labelling:NAME. With --against the runs are in two databases: RUN_B is RUN_A's name where it is not given, and
    without any name all requests of either database are compared. Each request counts with its newest label.

    The settings that differ come first; more than one changed variable is a warning that names them. A measure that is
    not known on a side leaves the case out of that measure, and is never 0.

    A HYPOTHESIS is "NAME increases [by AMOUNT]", "NAME decreases [by AMOUNT]" or "NAME unchanged [within AMOUNT]".
    NAME is a measure (passed, recall@5, ndcg@5, mrr, evidence_in_prompt …), a label, a boundary or an outcome; AMOUNT
    is a share such as 0.05 or 5%. The answer is yes, no, or not decidable with so many cases, with the number that it
    would take.
    """
    from otel_ragfault.cli.progress import working
    from otel_ragfault.jobs.comparing import compare_runs
    from otel_ragfault.model import load_config
    from otel_ragfault.report.comparison import as_markdown as markdown_of
    from otel_ragfault.report.comparison import plain

    if as_json and as_markdown:
        raise click.UsageError("found --json and --markdown; one of them was wanted.")
    overrides = {name: chosen.pop(name) for name in ("measure_cutoffs", "bootstrap_seed")}
    config = load_config(config_file, overrides=overrides).config
    with working("comparing"), ExitStack() as stack:
        before, after = _sources(stack, db, against, run_a, run_b)
        comparison = compare_runs(before, after, config, **chosen)
    if as_json:
        say_json(plain(comparison))
    elif as_markdown:
        say(markdown_of(comparison).rstrip("\n"))
    else:
        _say(comparison)
    if not as_markdown:
        warn(comparison.warnings)


def _sources(
    stack: ExitStack, db: Path, against: Path | None, run_a: str | None, run_b: str | None
) -> "tuple[Source, Source]":
    """Open what is compared: one database, or two."""
    from otel_ragfault.cli.database import reading
    from otel_ragfault.errors import InputError
    from otel_ragfault.jobs.comparing import Source, listed_runs

    con = stack.enter_context(reading(db))
    if against is not None:
        other = stack.enter_context(reading(against))
        return Source(con, run_a, db), Source(other, run_b if run_b is not None else run_a, against)
    if run_a is None or run_b is None:
        raise InputError(
            f"found {'one run' if run_a is not None else 'no run'}; two were wanted, or two databases (--against); "
            f"known are {listed_runs(con)}"
        )
    return Source(con, run_a, db), Source(con, run_b, db)


def _say(comparison: "Comparison") -> None:
    from otel_ragfault.report.comparison import sections
    from otel_ragfault.report.comparison.cells import confidence, method, side, size
    from otel_ragfault.report.visible import visible

    for name, one in (("before", comparison.before), ("after", comparison.after)):
        say(visible(f"{name:6}  {side(one)}: {size(one)}"))
    for section in sections(comparison):
        say()
        _say_section(section)
    say()
    say(
        f"intervals of {confidence(comparison)}: "
        f"{method(comparison.interval, replicates=comparison.replicates, seed=comparison.seed)}"
    )


def _say_section(section: "Section") -> None:
    from otel_ragfault.cli.tables import Align, say_table
    from otel_ragfault.report.visible import visible

    text, number = get_args(Align)
    say(section.title)
    if section.rows:
        sides = [number if place in section.numeric else text for place in range(len(section.headings))]
        say_table(section.headings, section.rows, sides)
    for line in section.lines:
        say(visible(line))

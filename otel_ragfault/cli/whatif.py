"""``ragfault whatif``: labels under another k, another context budget and other rules of assembly."""

from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.lists import Choices, Numbers, Scores
from otel_ragfault.cli.options import GENERATORS, File, Positive, Text, config_option, db_option
from otel_ragfault.cli.output import binary_stdout, note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from otel_ragfault.jobs.replaying import Generation, Grid, Replayed, SettingSummary

_PACKINGS = ("stop", "skip", "shortest", "score_density")
_FORMS = ("table", "json", "csv")
_UNITS = ("words", "characters", "tokens")
_ORDERINGS = ("ranked", "reversed", "sides")


@click.command(
    epilog=example(
        "ragfault whatif --db rag.duckdb --case long-haul-cabin --k 2,3,14 --budget 50,80,400",
        "ragfault whatif --db rag.duckdb --k 2,3,5,10 --budget 200,400,800 --packing stop,skip --plot evidence.svg",
    )
)
@db_option
@click.option("--k", "ks", type=Numbers(), help="Values of k to try. Default: as recorded.")
@click.option("--budget", "budgets", type=Numbers(), help="Context budgets to try. Default: as recorded.")
@click.option("--unit", type=click.Choice(_UNITS), help="What budgets count. Default: as recorded.")
@click.option(
    "--tokenizer",
    metavar="WHO",
    type=Text(),
    help="Counts tokens: tiktoken:NAME, hf:NAME_OR_FILE or module:function.",
)
@click.option(
    "--packing", "packings", type=Choices(_PACKINGS), help="Which chunks are taken when not all fit; several."
)
@click.option("--order", "orderings", type=Choices(_ORDERINGS), help="Where they are placed in the prompt; several.")
@click.option("--floor", "floors", type=Scores(), help="Drop chunks below this first-stage score before k; several.")
@click.option(
    "--rerank", "reranks", type=Choices(("on", "off")), help="off: the ranking before reranking; on,off: both."
)
@click.option("--case", "case_id", type=Text(), help="Only the requests of this gold case.")
@click.option("--run", "run_id", metavar="RUN", type=Text(), help="Only the requests of this run of the pipeline.")
@click.option(
    "--generator",
    metavar="WHO",
    type=Text(),
    help=f"Answers changed prompts: {GENERATORS}.",
)
@click.option("--timeout", type=Positive(), default=60.0, show_default=True, help="Seconds for one answer.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=4, show_default=True, help="Answers at a time.")
@click.option("--rate", type=Positive(), help="Answers a second at the most.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--format", "form", type=click.Choice(_FORMS), help="By default table, or what --out ends with.")
@click.option("--out", metavar="FILE", type=File(), help="Write rows and summary to a file (CSV: the rows).")
@click.option("--plot", metavar="FILE", type=File(), help="Draw complete evidence against k: .svg, .png or .pdf.")
@config_option
def whatif(
    db: Path,
    *,
    case_id: str | None,
    run_id: str | None,
    config_file: Path | None,
    as_json: bool,
    form: str | None,
    out: Path | None,
    plot: Path | None,
    **tried: Any,
) -> None:
    """Label requests under other settings, from the recorded rankings, without running the pipeline.

    Every combination is tried. Rank and assembly are replayed. Where a prompt differs from the recorded one and all
    that comes before the generator is clear, the command says that the evidence would have reached the prompt: only a
    run of the generator can tell the rest, and --generator runs it.

    \b
    --packing, when not all chunks fit:
      stop           by rank, ends at the first that does not fit
      skip           by rank, passes over what does not fit
      shortest       the smallest first: shows the most chunks
      score_density  those with the most score for their size first

    \b
    --order, in the prompt:
      ranked         best first
      reversed       best last, next to the question
      sides          best first, second best last, and so on to the middle

    What cannot be replayed is not known, and each row says why.
    """  # noqa: D301 - the mark by which click keeps lines as they are
    from otel_ragfault.cli.database import writing
    from otel_ragfault.cli.progress import step_progress
    from otel_ragfault.cli.replacing import check_target
    from otel_ragfault.cli.whatif_text import note_no_rerank, say_replayed
    from otel_ragfault.jobs.replaying import replay, summarise
    from otel_ragfault.model import load_config
    from otel_ragfault.statistics import Resampling

    form = _form(form, out, as_json=as_json)
    config = load_config(config_file).config
    grid = _grid(tried)
    if plot is not None:
        _check_plot(plot, grid)
    if out is not None:
        check_target(out)
    bar = nullcontext() if tried["generator"] is not None else step_progress("settings")  # one bar at a time
    with writing(db) as con, _generation(tried) as generation, bar as progress:
        rows = replay(
            con,
            config,
            grid,
            case_id=case_id,
            run_id=run_id,
            tokenizer=tried["tokenizer"],
            generation=generation,
            progress=progress,
        )
    how = Resampling(config.bootstrap_seed, config.bootstrap_replicates, config.bootstrap_confidence)
    summary = summarise(rows, how)
    if form == "table":
        say_replayed(rows, summary, of_one_case=case_id is not None)
    else:
        _write(rows, summary, form, out)
    note_no_rerank(rows)
    if plot is not None:
        _draw(summary, plot)


def _grid(tried: dict[str, Any]) -> "Grid":
    from otel_ragfault.jobs.replaying import Grid

    names = ("ks", "budgets", "packings", "orderings", "floors")
    parts: dict[str, Any] = {name: tuple(tried[name]) for name in names if tried[name]}
    if tried["reranks"]:
        parts["reranks"] = tuple(one == "on" for one in tried["reranks"])
    counts_tokens = tried["unit"] is None and tried["tokenizer"] is not None
    return Grid(**parts, unit="tokens" if counts_tokens else tried["unit"])


@contextmanager
def _generation(tried: dict[str, Any]) -> "Iterator[Generation | None]":
    """Open the generator, if one is given, and close it afterwards."""
    if tried["generator"] is None:
        yield None
        return
    from otel_ragfault.cli.progress import step_progress
    from otel_ragfault.jobs.generators import Limits, open_generator
    from otel_ragfault.jobs.replaying import Generation

    limits = Limits(timeout=tried["timeout"], concurrency=tried["concurrency"], rate=tried["rate"])
    generator = open_generator(tried["generator"], limits)
    try:
        with step_progress("answers") as progress:
            yield Generation(generator, limits, progress)
    finally:
        generator.close()


def _form(form: str | None, out: Path | None, *, as_json: bool) -> str:
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} contradict each other; give one of the two.")
    suffix = "" if out is None else out.suffix.removeprefix(".").lower()
    chosen = "json" if as_json else form or (suffix if suffix in {"json", "csv"} else "table")
    if chosen == "table" and out is not None:
        raise click.UsageError(f"--out {out}: give --format json or csv, or a file name that ends so.")
    return chosen


def _write(rows: "list[Replayed]", summary: "list[SettingSummary]", form: str, out: Path | None) -> None:
    import orjson

    from otel_ragfault.cli.formats import write_csv_objects
    from otel_ragfault.cli.replacing import replacing
    from otel_ragfault.cli.whatif_text import row_object, summary_object

    objects = [row_object(row) for row in rows]

    def write(file: Any) -> None:
        if form == "csv":
            write_csv_objects(objects, file)
        else:
            found = {"rows": objects, "summary": [summary_object(setting) for setting in summary]}
            file.write(orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))

    if out is None:
        stream = binary_stdout()
        write(stream)
        stream.flush()
        return

    def to_file(path: Path) -> None:
        with path.open("wb") as file:
            write(file)

    replacing(out, to_file)


def _check_plot(plot: Path, grid: "Grid") -> None:
    """Refuse what cannot be drawn before anything is replayed."""
    from otel_ragfault.cli.replacing import check_target
    from otel_ragfault.report.plots import check_plot

    if grid.ks == (None,):
        raise click.UsageError("--plot draws complete evidence against k; give --k with several values.")
    check_plot(plot)
    check_target(plot)


def _draw(summary: "list[SettingSummary]", plot: Path) -> None:
    from otel_ragfault.report.plots import plot_completeness

    plot_completeness(summary, plot)
    note(f"drawn to {plot}")

"""``ragfault probe``: the generator alone, on recorded prompts with one thing changed at a time."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from otel_ragfault.cli.failures import DONE, WRONG_INPUT
from otel_ragfault.cli.groups import example
from otel_ragfault.cli.lists import Numbers
from otel_ragfault.cli.options import GENERATORS, Positive, Text, config_option, db_option, json_option
from otel_ragfault.cli.output import complain, note, say, say_json
from otel_ragfault.counting import counted
from otel_ragfault.report.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from otel_ragfault.jobs.probing import Held, JudgeChoice, ProbeReport, Read, Result, Tally
    from otel_ragfault.model import Config

_SHOWN_IDS: Final = 8
_SHOWN_SKIPPED: Final = 3


def _list(ctx: click.Context, _param: click.Parameter, value: bool) -> None:  # noqa: FBT001 - as click calls it
    """Print every probe and what it asks, and end."""
    if not value or ctx.resilient_parsing:
        return
    from otel_ragfault.cli.tables import say_table
    from otel_ragfault.jobs.probing import INTERVENTIONS

    say_table(["probe", "what it asks"], [[one.name, one.asks] for one in INTERVENTIONS.values()])
    ctx.exit()


@click.command(
    epilog=example(
        "ragfault probe --db rag.duckdb --generator my_app.rag:answer --case business-10h \\",
        "    --probes original,gold_only,gold_first",
        "ragfault probe --db rag.duckdb --generator http://127.0.0.1:8000/generate --repeats 5 --dry-run",
    )
)
@db_option
@click.option(
    "--generator",
    metavar="WHO",
    type=Text(),
    help=f"Answers the prompts: {GENERATORS}.",
)
@click.option("--probes", metavar="LIST", type=Text(), help="Only these, separated by commas. --list tells them.")
@click.option("--case", "case_ids", multiple=True, type=Text(), help="Only this gold case; may be repeated.")
@click.option(
    "--label",
    "labels",
    multiple=True,
    type=Text(),
    help="Only cases with this label, or a boundary as in citation. ; may be repeated.",
)
@click.option("--run", "run_id", metavar="RUN", type=Text(), help="Only the requests of this run of the pipeline.")
@click.option("--repeats", type=click.IntRange(1, 1000), help="How often each probe is run. Default: 1.")
@click.option("--concurrency", type=click.IntRange(1, 256), help="Calls of the generator at a time. Default: 4.")
@click.option("--rate", type=Positive(), help="Calls a second at the most.")
@click.option("--timeout", type=Positive(), help="Seconds for one call. Default: 60.")
@click.option("--retries", type=click.IntRange(0, 10), help="Further calls after a failure that may pass. Default: 0.")
@click.option("--distractors", type=Numbers(), help="How many chunks distractor probes add. Default: 1,2,4,8.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="What planted values follow from. Default: 1.")
@click.option("--judge-model", metavar="MODEL", type=Text(), help="The model that judges held claims (hold_claims).")
@click.option(
    "--judge-base-url",
    metavar="URL",
    type=Text(),
    envvar="OPENAI_BASE_URL",
    show_envvar=True,
    help="Its OpenAI-compatible endpoint; by default OpenAI's own.",
)
@click.option(
    "--judge-repeats", type=click.IntRange(2, 100), default=3, show_default=True, help="How often it judges each claim."
)
@click.option("--again", is_flag=True, help="Run everything again, whatever was run before.")
@click.option("--dry-run", is_flag=True, help="Only say what would be run.")
@click.option(
    "--list", "list_them", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List the probes."
)
@config_option
@json_option
def probe(  # noqa: PLR0913, PLR0917 - an option is a parameter
    db: Path,
    probes: str | None,
    case_ids: tuple[str, ...],
    labels: tuple[str, ...],
    run_id: str | None,
    judge_model: str | None,
    judge_base_url: str | None,
    judge_repeats: int,
    config_file: Path | None,
    *,
    again: bool,
    dry_run: bool,
    as_json: bool,
    **settings: Any,
) -> int:
    """Ask the generator again, with one thing changed in the prompt at a time, and read what that means.

    Each case's newest labelled request is probed: with its recorded prompt, with the required passages alone, first,
    last, in the middle or left out, with distractors, with a value changed, with nothing that supports an answer, with
    no chunks at all. Without --case and --label: the cases whose evidence was in the prompt. A probe that does not
    apply says why. What was run before is not run again; a call that was ended goes on where it was.

    A function gets the question and a list of chunks, each a text with an id, and returns a text, or a mapping with
    answer and perhaps citations and decision; it may be async. An address gets both as JSON in a POST, with the token
    of RAGFAULT_GENERATOR_TOKEN; a command gets them on its standard input.

    A run without an answer, such as one of a generator that raises or takes too long, is made again by the next call.
    Exit code 2 where no run has an answer, so that the generator is of no use.
    """
    from otel_ragfault.cli.database import writing
    from otel_ragfault.cli.progress import step_progress
    from otel_ragfault.jobs.probing import Wanted, probe_cases

    config = _configured(config_file, settings)
    wanted = Wanted(
        probes=None if probes is None else [name.strip() for name in probes.split(",") if name.strip()],
        case_ids=case_ids or None,
        labels=labels or None,
        run_id=run_id,
        judge=_judge(judge_model, judge_base_url, judge_repeats),
        again=again,
        dry_run=dry_run,
    )
    with step_progress("probing") as on_progress:
        report = probe_cases(
            db, lambda: writing(db), config, wanted, on_progress=on_progress or (lambda _done, _all: None)
        )
    if as_json:
        say_json(report.as_json())
    else:
        _say_plan(report) if report.dry_run else _say(report)
        _say_skipped(report)
    return _exit_code(report)


def _exit_code(report: "ProbeReport") -> int:
    """Return the exit code, after saying how many runs have no answer."""
    if report.has_no_answer:
        complain(
            f"{visible(report.generator or '')}: none of {counted(report.to_run, 'run')} gave an answer "
            f"({visible(report.reason)}); a generator that answers was wanted; correct it and run this again"
        )
        return WRONG_INPUT
    if report.failures:
        note(f"{counted(report.failures, 'run')} of {report.to_run} gave no answer; the next call makes them again")
    return DONE


def _judge(model: str | None, base_url: str | None, repeats: int) -> "JudgeChoice | None":
    """Return the model that judges held claims; its key is that of ``ragfault judge``."""
    from otel_ragfault.cli.judge import judge_key
    from otel_ragfault.jobs.probing import JudgeChoice
    from otel_ragfault.judging.model import check_address

    if model is None:
        return None
    check_address(base_url)
    return JudgeChoice(model, base_url, judge_key(), repeats)


def _configured(config_file: Path | None, settings: dict[str, Any]) -> "Config":
    """Return the configuration with the flags that were given in the place of what its table [probing] says."""
    from otel_ragfault.model import load_config

    config = load_config(config_file).config
    given = {name: value for name, value in settings.items() if value is not None}
    if "distractors" in given:
        given["distractors"] = tuple(given["distractors"])
    return config.model_copy(update={"probing": config.probing.model_copy(update=given)})


def _say(report: "ProbeReport") -> None:
    for result in report.results:
        _say_result(result)
    for held in report.held:
        _say_held(held)
    rate = report.unjustified
    if rate.share is not None and rate.low is not None and rate.high is not None:
        say(
            f"answered without support: {rate.cases} of {counted(rate.of, 'case')}, {rate.share:.0%} "
            f"({rate.low:.0%} to {rate.high:.0%})"
        )
    failed = f", {report.failures} without an answer" if report.failures else ""
    if report.generator is not None:
        runs = counted(report.to_run, "run")
        say(f"{runs}{failed}; {report.known} known from before; generator {visible(report.generator)}")
    for warning in report.warnings:
        note(visible(warning))


def _say_result(result: "Result") -> None:
    refined = "" if result.refined is None else f" -> {result.refined}"
    say(visible(f"{result.case_id}  {result.label}{refined}"))
    names = [one.name for one in result.probed.tallies]
    width = max(map(len, names), default=0)
    for one in result.probed.tallies:
        say(visible(f"  {one.name:<{width}}  {_ended(one):<24}  {_ids(one.chunk_ids)}"))
    _say_reads(result.readings)
    say()


def _say_held(held: "Held") -> None:
    say(visible(f"{held.case_id}  {held.label}  (the recorded answer, judged again)"))
    _say_reads(held.readings)
    say()


def _say_reads(readings: "Sequence[Read]") -> None:
    for read in readings:
        say(visible(f"  {read.reading.key}: {read.reading.meaning}"))
        say(visible(f"    because {read.evidence}"))
        say(visible(f"    next: {read.reading.next_experiment}"))


def _ended(one: "Tally") -> str:
    spread = "" if one.agreement is None or not one.spreads else f", {one.agreement:.0%} agree"
    return f"{one.ended}{spread}"


def _ids(ids: "tuple[str, ...]") -> str:
    if not ids:
        return "(no chunks)"
    rest = len(ids) - _SHOWN_IDS
    return " ".join(ids[:_SHOWN_IDS]) + (f" … {rest} more" if rest > 0 else "")


def _say_plan(report: "ProbeReport") -> None:
    for planned in report.planned:
        if planned.repeat == 1:
            name = f"{planned.intervention} {planned.variant.step}".strip()
            ids = _ids(tuple(chunk.id for chunk in planned.variant.chunks))
            say(visible(f"{planned.subject.case_id}  {name}  {ids}  ({planned.variant.changed})"))
    say(f"{counted(report.to_run, 'run')} would be made, {report.known} are known from before")


def _say_skipped(report: "ProbeReport") -> None:
    """Say what did not apply, each reason once."""
    found: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for one in report.skipped:
        probes, cases = found.setdefault(one.reason, ({}, {}))
        probes[one.intervention] = cases[one.case_id] = None
    for reason, (probes, cases) in found.items():
        ids = list(cases)
        rest = f" and {len(ids) - _SHOWN_SKIPPED} more" if len(ids) > _SHOWN_SKIPPED else ""
        note(visible(f"left out for {', '.join(ids[:_SHOWN_SKIPPED])}{rest}, because {reason}: {', '.join(probes)}"))

"""``ragfault judge``: let a model judge answers, and see how far to trust it."""

import os
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from otel_ragfault.cli.failures import DONE, WRONG_INPUT
from otel_ragfault.cli.groups import Group, example
from otel_ragfault.cli.options import Finite, Moment, Text, config_option, db_option, json_option
from otel_ragfault.cli.output import complain, note, say, say_json
from otel_ragfault.cli.verdict import SUBJECTS
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from otel_ragfault.jobs.judge import JudgeRun
    from otel_ragfault.jobs.judge_plan import JudgeSettings, Plan
    from otel_ragfault.judging.verdicts import JudgeStanding
    from otel_ragfault.model import Config

_KEYS: Final = ("RAGFAULT_JUDGE_API_KEY", "OPENAI_API_KEY")
_MILLION: Final = 1_000_000
_LEFT: Final[list[Literal["left", "right"]]] = ["left", "left"]
_RIGHT: Final[list[Literal["left", "right"]]] = ["right"]


@click.group(
    cls=Group,
    epilog=example(
        "ragfault judge run --db rag.duckdb --model my-model --base-url http://127.0.0.1:8000/v1 --dry-run",
        "ragfault judge agreement --db rag.duckdb",
    ),
)
def judge() -> None:
    """Let a model judge answers, and see how far to trust it."""


@judge.command(
    epilog=example("ragfault judge run --db rag.duckdb --model my-model --subjects answer,grounded --dry-run")
)
@db_option
@json_option
@click.option("--model", required=True, metavar="MODEL", type=Text(), help="The model that judges.")
@click.option(
    "--base-url",
    metavar="URL",
    type=Text(),
    envvar="OPENAI_BASE_URL",
    show_envvar=True,
    help="An OpenAI-compatible endpoint; by default OpenAI's own.",
)
@click.option(
    "--subjects",
    metavar="LIST",
    type=Text(),
    default="answer,grounded",
    show_default=True,
    help=f"What is judged, separated by commas: {', '.join(SUBJECTS)}.",
)
@click.option(
    "--repeats", type=click.IntRange(min=1, max=100), default=1, show_default=True, help="How often each is judged."
)
@click.option("--budget", type=click.IntRange(min=0), help="Requests at the most, retries included.")
@click.option("--token-budget", type=click.IntRange(min=0), help="Tokens at the most, of questions and replies.")
@click.option(
    "--concurrency", type=click.IntRange(min=1, max=256), default=4, show_default=True, help="Questions at a time."
)
@click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=60.0, show_default=True, help="Seconds for one request."
)
@click.option("--temperature", type=Finite(), default="0", show_default=True, help="Temperature of the model.")
@click.option(
    "--max-tokens", type=click.IntRange(min=16), default=500, show_default=True, help="Tokens of a reply at the most."
)
@click.option("--since", type=Moment(), help="Leave out requests that started before this time (ISO 8601, UTC).")
@click.option("--undecided", is_flag=True, help="Only what neither people nor rules could tell.")
@click.option("--retry-failed", is_flag=True, help="Ask again what was replied to in a form that says nothing.")
@click.option("--dry-run", is_flag=True, help="Only say what would be asked, and about what it would cost.")
@config_option
def run(  # noqa: PLR0913, PLR0917 - an option is a parameter
    db: Path,
    model: str,
    base_url: str | None,
    subjects: str,
    repeats: int,
    budget: int | None,
    token_budget: int | None,
    concurrency: int,
    timeout: float,
    temperature: float,
    max_tokens: int,
    since: datetime | None,
    config_file: Path | None,
    *,
    undecided: bool,
    retry_failed: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Ask a model narrow questions about answers, and store its verdicts.

    Questions are kept with their replies: the same question is never paid twice, and a run that was ended is taken up
    by the next one. The key is read from RAGFAULT_JUDGE_API_KEY, else OPENAI_API_KEY; local servers need none.
    """
    from otel_ragfault.jobs.judge_plan import JudgeSettings
    from otel_ragfault.judging.model import check_address
    from otel_ragfault.model import load_config

    config = load_config(config_file).config
    check_address(base_url)
    settings = JudgeSettings(
        model=model,
        base_url=base_url,
        subjects=_subjects(subjects),
        repeats=repeats,
        temperature=temperature,
        max_tokens=max_tokens,
        since=since,
        undecided=undecided,
        retry_failed=retry_failed,
    )
    if dry_run:
        _say_plan(_plan(db, config, settings), config, as_json=as_json)
        return DONE
    limits = {"requests": budget, "tokens": token_budget}
    done = _run(db, config, settings, limits, concurrency=concurrency, timeout=timeout)
    _say_run(done, config, model, as_json=as_json)
    if done.endpoint_fails:
        complain(
            f"{done.stopped_by}; an OpenAI-compatible endpoint that takes this model and key was wanted; "
            "check --base-url, --model and the key; "
            f"{counted(done.remaining, 'question was', 'questions were')} not asked"
        )
        return WRONG_INPUT
    return DONE


def _subjects(text: str) -> tuple[Any, ...]:
    from otel_ragfault.model.wording import did_you_mean

    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in SUBJECTS:
            guess = did_you_mean(name, SUBJECTS)
            hint = f"did you mean {guess!r}?" if guess else f"some of {', '.join(SUBJECTS)} were wanted."
            raise click.UsageError(f"--subjects: found {name!r}; {hint}")
    if not names:
        raise click.UsageError(f"--subjects: nothing was given; some of {', '.join(SUBJECTS)} were wanted.")
    return tuple(dict.fromkeys(names))


def _plan(db: Path, config: "Config", settings: "JudgeSettings") -> "Plan":
    from otel_ragfault.cli.database import writing
    from otel_ragfault.jobs.judge import plan_judging

    with writing(db) as con:
        return plan_judging(con, config, settings)


def _run(
    db: Path,
    config: "Config",
    settings: "JudgeSettings",
    limits: dict[str, int | None],
    *,
    concurrency: int,
    timeout: float,
) -> "JudgeRun":
    from otel_ragfault.cli.database import writing
    from otel_ragfault.cli.progress import working
    from otel_ragfault.jobs.judge import judge_answers
    from otel_ragfault.judging.model import Asker, Budget, Endpoint

    endpoint = Endpoint(
        settings.base_url,
        settings.model,
        api_key=judge_key(),
        timeout=timeout,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
    )
    try:
        with working("judging"):
            asker = Asker(endpoint, Budget(**limits), concurrency=concurrency)
            return judge_answers(db, lambda: writing(db), config, settings, asker)
    finally:
        endpoint.close()


def judge_key() -> str | None:
    """Return the key of the model judge: that of the first variable that has one."""
    return next((value for name in _KEYS if (value := os.environ.get(name))), None)


def _cost(config: "Config", input_tokens: int, output_tokens: int) -> float | None:
    prices = (config.judging.price_input, config.judging.price_output)
    if prices[0] is None or prices[1] is None:
        return None
    return (input_tokens * prices[0] + output_tokens * prices[1]) / _MILLION


def _say_plan(plan: "Plan", config: "Config", *, as_json: bool) -> None:
    questions = len(plan.unpaid)
    things = sum(len(question.things) for question in plan.questions)
    cost = _cost(config, plan.input_tokens, plan.output_tokens)
    if as_json:
        say_json(
            {
                "verdicts": things,
                "questions": questions,
                "input_tokens": plan.input_tokens,
                "output_tokens": plan.output_tokens,
                "cost": cost,
                "done_before": plan.done,
                "skipped": plan.skipped,
            }
        )
        return
    say(
        f"{counted(questions, 'question')} to be asked for {counted(things, 'verdict')}; "
        f"{counted(plan.done, 'verdict is', 'verdicts are')} there already"
    )
    price = (
        "; set price_input and price_output in [judging] for the cost" if cost is None else f", cost about {cost:.2f}"
    )
    say(f"about {plan.input_tokens} tokens of questions and {plan.output_tokens} of replies{price}")
    _say_skipped(plan.skipped)


def _say_run(done: "JudgeRun", config: "Config", model: str, *, as_json: bool) -> None:
    cost = _cost(config, done.input_tokens, done.output_tokens)
    if as_json:
        say_json({"model": model, **done.as_json(), "cost": cost})
        return
    said = ", ".join(f"{count} {word}" for word, count in done.values.items()) or "none"
    stored = counted(done.verdicts, "verdict")
    say(f"{stored} stored ({said}), {done.from_cache} of them from replies that were paid before")
    for failure, count in done.failures.items():
        say(f"{count} without a judgement: {failure}")
    spent = "" if cost is None else f", cost {cost:.2f}"
    say(f"{counted(done.requests, 'request')}, {done.input_tokens} and {done.output_tokens} tokens{spent}")
    _say_skipped(done.skipped)
    if done.stopped_by is not None and not done.endpoint_fails:
        remaining = counted(done.remaining, "question remains", "questions remain")
        note(f"{done.stopped_by}; {remaining}; run this again to go on")


def _say_skipped(skipped: dict[str, int]) -> None:
    for reason, count in skipped.items():
        say(f"{count} left out, {reason}")


@judge.command(epilog=example("ragfault judge agreement --db rag.duckdb"))
@db_option
@json_option
@config_option
def agreement(db: Path, config_file: Path | None, *, as_json: bool) -> None:
    """Show how far each judge agrees with people, and with itself over repeats.

    The four counts name first what people say, then the judge: yes/no is a yes of people that the judge calls no. Kappa
    is the agreement beyond chance; it is not defined where everybody says the same. Floors are set in [judging].
    """
    from otel_ragfault.cli.database import writing
    from otel_ragfault.jobs.evaluations import link_evaluations
    from otel_ragfault.judging.verdicts import judge_standings, store_policy
    from otel_ragfault.model import load_config
    from otel_ragfault.store import transaction

    config = load_config(config_file).config
    with writing(db) as con:
        with transaction(con):
            store_policy(con, config.judging)
            link_evaluations(con, config.judging)
        standings = judge_standings(con, rules_too=True)
    if as_json:
        say_json([asdict(standing) for standing in standings])
        return
    _say_standings(standings)


def _say_standings(standings: "list[JudgeStanding]") -> None:
    from otel_ragfault.cli.tables import say_table

    if not standings:
        say("no verdicts yet; run: ragfault label, ragfault judge run, or ragfault verdict load")
        return
    say_table(
        [
            "judge",
            "subject",
            "judged",
            "compared",
            "yes/yes",
            "yes/no",
            "no/yes",
            "no/no",
            "agree",
            "kappa",
            "itself",
            "",
        ],
        [
            [
                standing.name,
                standing.subject,
                str(standing.judged),
                str(standing.compared),
                str(standing.true_true),
                str(standing.true_false),
                str(standing.false_true),
                str(standing.false_false),
                _share(standing.agreement),
                "" if standing.kappa is None else f"{standing.kappa:.2f}",
                _share(standing.repeat_agreement),
                "below the floor" if standing.below_floor else "" if standing.compared else "not compared with people",
            ]
            for standing in standings
        ],
        [*_LEFT, *_RIGHT * 9, "left"],
    )


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"

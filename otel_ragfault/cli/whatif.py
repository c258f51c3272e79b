"""``ragfault whatif``: labels under another k and another context budget."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import Text, config_option, db_option, json_option
from otel_ragfault.cli.output import say, say_json
from otel_ragfault.counting import counted
from otel_ragfault.report.visible import visible

if TYPE_CHECKING:
    from otel_ragfault.jobs.whatif import Replayed

    _NumbersType = click.ParamType[list[int]]
else:
    _NumbersType = click.ParamType


class Numbers(_NumbersType):
    """A list of positive whole numbers, as in ``2,3,14``."""

    name = "N[,N…]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        """Read the list."""
        parts = [part.strip() for part in str(value).split(",")]
        if not all(part.isascii() and part.isdecimal() and 0 < int(part) < 2**31 for part in parts):
            self.fail(f"found {value!r}, wanted positive whole numbers such as 2,3,14.", param, ctx)
        return [int(part) for part in parts]


@click.command(epilog=example("ragfault whatif --db rag.duckdb --case long-haul-cabin --k 2,3,14 --budget 50,80,400"))
@db_option
@click.option("--k", "ks", type=Numbers(), help="Values of k to try. Default: as recorded.")
@click.option("--budget", "budgets", type=Numbers(), help="Context budgets to try. Default: as recorded.")
@click.option("--unit", type=click.Choice(["words", "characters"]), help="What budgets count. Default: as recorded.")
@click.option("--packing", type=click.Choice(["stop", "skip"]), help="Stop at the first chunk over budget, or skip it.")
@click.option("--case", "case_id", type=Text(), help="Only the requests of this gold case.")
@config_option
@json_option
def whatif(
    db: Path,
    ks: list[int] | None,
    budgets: list[int] | None,
    *,
    unit: str | None,
    packing: str | None,
    case_id: str | None,
    config_file: Path | None,
    as_json: bool,
) -> None:
    """Label requests under other settings, from the recorded rankings, without running the pipeline.

    Every combination of --k and --budget is tried. Rank and assembly are replayed; where the evidence would reach a
    prompt that differs from the recorded one, only a run of the generator can tell the rest, and the label says so.
    """
    from otel_ragfault.cli.database import writing
    from otel_ragfault.cli.progress import working
    from otel_ragfault.jobs.whatif import replay
    from otel_ragfault.model import load_config

    config = load_config(config_file, overrides={"packing": packing}).config
    with working("replaying"), writing(db) as con:
        rows = replay(con, config, ks=ks or [None], budgets=budgets or [None], unit=unit, case_id=case_id)
    if as_json:
        say_json([asdict(row) for row in rows])
        return
    for line in _case_lines(rows) if case_id is not None else _setting_lines(rows):
        say(visible(line))


def _case_lines(rows: Sequence["Replayed"]) -> list[str]:
    lines = []
    for row in rows:
        prompt = f"not known ({row.not_known})" if row.prompt is None else _ids(row.prompt)
        lines.append(f"{_setting(row)}: prompt {prompt} -> {_outcome(row)}")
    return lines


def _ids(ids: Sequence[str | None]) -> str:
    return " ".join("(no id)" if one is None else one for one in ids) or "(nothing)"


def _setting_lines(rows: Sequence["Replayed"]) -> list[str]:
    by_setting: dict[str, Counter[str]] = {}
    for row in rows:
        by_setting.setdefault(_setting(row), Counter())[_outcome(row)] += 1
    lines = []
    for setting, outcomes in by_setting.items():
        lines.append(f"{setting}: {counted(sum(outcomes.values()), 'request')}")
        lines.extend(f"  {count:>6}  {outcome}" for outcome, count in outcomes.most_common())
    return lines


def _setting(row: "Replayed") -> str:
    return f"k={'not known' if row.k is None else row.k} budget={'none' if row.budget is None else row.budget}"


def _outcome(row: "Replayed") -> str:
    if not row.needs_generator:
        return row.label
    reached = "the evidence would reach the prompt" if row.expect == "answer" else "the prompt would change"
    return f"{reached}; what becomes of it needs a run of the generator"

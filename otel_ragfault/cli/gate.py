"""``ragfault gate``: fail a build when a run is not good enough, or worse than its baseline."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otel_ragfault.cli.failures import DONE
from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import File, OutFile, Text, config_option, db_option, json_option
from otel_ragfault.cli.output import note, say_json, warn
from otel_ragfault.counting import counted
from otel_ragfault.model.gate import UNDECIDABLE

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.jobs.comparing import Source
    from otel_ragfault.jobs.gating import GateResult
    from otel_ragfault.model import Config
    from otel_ragfault.report.gate import Extras

_FAILED = 1


@dataclass(frozen=True, slots=True)
class _Sides:
    """What was typed to name the run and its baseline."""

    run: str | None
    baseline: str | None
    baseline_db: Path | None
    allow_different_cases: bool


@dataclass(frozen=True, slots=True)
class _Files:
    """Where reports go."""

    markdown: Path | None
    junit: Path | None
    sarif: Path | None


@click.command(
    epilog=example(
        "ragfault gate --db rag.duckdb --write-baseline baseline.json",
        "ragfault gate --db rag.duckdb --baseline baseline.json --require 'passed>=0.9' --markdown gate.md",
    )
)
@db_option
@click.option("--run", type=Text(), metavar="RUN", help="The run to look at; by default the only one.")
@click.option("--baseline", type=Text(), metavar="RUN|FILE", help="The run before, or a file of --write-baseline.")
@click.option(
    "--baseline-db", type=File(), metavar="DB", help="The database that the baseline is in, if it is another."
)
@click.option("--require", "require", multiple=True, metavar="RULE", type=Text(), help="As in 'passed>=0.9'.")
@click.option("--no-regression", multiple=True, metavar="FIGURE", type=Text(), help="As in 'boundary:retrieval'.")
@click.option("--no-new-failures", is_flag=True, default=None, help="No case may fail that passed before.")
@click.option(
    "--false-alarm-rate", type=click.FloatRange(0, 0.5, min_open=True), help="Of all rules together. Default: 0.05."
)
@click.option(
    "--detect",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="The drop that has to be seen for a pass. Default: 0.2.",
)
@click.option(
    "--when-undecidable",
    type=click.Choice(UNDECIDABLE),
    help="Where cases cannot tell. Default: warn; of --require: fail.",
)
@click.option("--allow-different-cases", is_flag=True, help="Look at the cases that both runs have.")
@click.option("--markdown", type=OutFile(), metavar="FILE", help="For a comment on a pull request.")
@click.option("--junit", type=OutFile(), metavar="FILE", help="JUnit XML.")
@click.option("--sarif", type=OutFile(), metavar="FILE", help="SARIF 2.1.0.")
@click.option("--write-baseline", "written", type=OutFile(), metavar="FILE", help="Only write the run down.")
@config_option
@json_option
def gate(  # noqa: PLR0913 - an option is a parameter
    db: Path,
    run: str | None,
    baseline: str | None,
    baseline_db: Path | None,
    *,
    allow_different_cases: bool,
    markdown: Path | None,
    junit: Path | None,
    sarif: Path | None,
    written: Path | None,
    config_file: Path | None,
    as_json: bool,
    **rules: Any,
) -> int:
    """Check a labelled run against thresholds, and against a baseline. Exit code 1 where a rule fails.

    Rules stand in the section [gate] of the configuration; those that are typed are added. Where none says what must
    not become worse than the baseline, nothing must: no boundary, and not the answers. A figure is a measure (passed,
    correct, grounded, cited, retrieved, latent, or a retrieval measure such as recall_groups@5), label:NAME or
    boundary:NAME, with [TAG] behind it for a slice.

    A figure that must not become worse fails only beyond the noise: where a drop as large would come up by chance less
    often than the declared rate, over all rules together. Where the cases are too few to tell, the answer is `not
    decidable`, and --when-undecidable says what follows.
    """
    sides = _Sides(run, baseline, baseline_db, allow_different_cases)
    config = _config(config_file, rules)
    if written is not None:
        return _write_baseline(db, sides, config, written)
    files = _Files(markdown, junit, sarif)
    with ExitStack() as stack:
        con = stack.enter_context(_reading(db))
        result = _run(con, sides, config, stack)
        extras = _extras(con, result, files)
    _write(files, result, extras)
    _say(result, extras, as_json=as_json)
    return DONE if result.passed else _FAILED


def _reading(db: Path) -> Any:
    from otel_ragfault.cli.database import reading

    return reading(db)


def _config(config_file: Path | None, rules: dict[str, Any]) -> "Config":
    """Return the configuration with the rules that were typed.

    Raises:
        ConfigError: a value is not what it has to be.
    """
    from otel_ragfault.jobs.gating import no_regression, requirement
    from otel_ragfault.model import load_config

    loaded = load_config(config_file)
    section = loaded.config.gate.model_dump(exclude_unset=True) | dict(_typed(rules))
    if rules["require"]:
        said = {} if rules["when_undecidable"] is None else {"when_undecidable": rules["when_undecidable"]}
        typed = [requirement(text).model_copy(update=said) for text in rules["require"]]
        section["require"] = [*loaded.config.gate.require, *typed]
    if rules["no_regression"]:
        section["no_regression"] = [*loaded.config.gate.no_regression, *map(no_regression, rules["no_regression"])]
    return load_config(config_file, overrides={"gate": section}).config


def _typed(rules: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in ("no_new_failures", "false_alarm_rate", "detect", "when_undecidable"):
        if rules[name] is not None:
            yield name, rules[name]


def _write_baseline(db: Path, sides: _Sides, config: "Config", path: Path) -> int:
    from otel_ragfault.cli.replacing import replacing
    from otel_ragfault.jobs.comparing import Source
    from otel_ragfault.jobs.gating import only_run, read_run, write_baseline

    if sides.baseline is not None or sides.baseline_db is not None:
        raise click.UsageError("--write-baseline only writes a run down; leave --baseline and --baseline-db out")
    with _reading(db) as con:
        read = read_run(Source(con, sides.run or only_run(con)), config)
    replacing(path, lambda file: write_baseline(read, file, config))
    note(f"{counted(len(read.cases), 'case')} of {read.side.run or 'all requests'}; commit it beside the code")
    return DONE


def _run(con: "DuckDBPyConnection", sides: _Sides, config: "Config", stack: ExitStack) -> "GateResult":
    from otel_ragfault.jobs.comparing import Source
    from otel_ragfault.jobs.gating import only_run, run_gate

    baseline = _baseline(con, sides, stack)
    same = isinstance(baseline, tuple) and baseline.database is con
    run = sides.run or only_run(con, but=sides.baseline if same else None)
    return run_gate(Source(con, run), config, baseline=baseline, allow_different_cases=sides.allow_different_cases)


def _extras(con: "DuckDBPyConnection", result: "GateResult", files: _Files) -> "Extras":
    from otel_ragfault.report.gate import gather_extras

    return gather_extras(con, result, cards=files.markdown is not None or files.junit is not None)


def _baseline(con: "DuckDBPyConnection", sides: _Sides, stack: ExitStack) -> "Source | Path | None":
    from otel_ragfault.jobs.comparing import Source
    from otel_ragfault.jobs.comparing.sources import known_runs
    from otel_ragfault.jobs.gating import is_baseline, only_run

    if sides.baseline_db is not None:
        other = stack.enter_context(_reading(sides.baseline_db))
        return Source(other, sides.baseline or only_run(other))
    if sides.baseline is None:
        return None
    if is_baseline(sides.baseline, [run.name or "" for run in known_runs(con)]):
        return Path(sides.baseline)
    return Source(con, sides.baseline)


def _write(files: _Files, result: "GateResult", extras: "Extras") -> None:
    import orjson

    from otel_ragfault.cli.replacing import replacing
    from otel_ragfault.report.gate import gate_junit, gate_markdown, gate_sarif

    makers: list[tuple[Path | None, Callable[[], bytes]]] = [
        (files.markdown, lambda: gate_markdown(result, extras).encode()),
        (files.junit, lambda: gate_junit(result, extras).encode()),
        (files.sarif, lambda: orjson.dumps(gate_sarif(result, extras), option=orjson.OPT_INDENT_2)),
    ]
    for file, make in makers:
        if file is not None:
            replacing(file, partial(_put, make()))


def _put(content: bytes, path: Path) -> None:
    path.write_bytes(content)


def _say(result: "GateResult", extras: "Extras", *, as_json: bool) -> None:
    warn(result.warnings)
    if as_json:
        from otel_ragfault.report.gate import gate_json

        say_json(gate_json(result, extras))
        return
    from otel_ragfault.cli.gate_text import say_gate

    say_gate(result)

"""``ragfault gold``: what a right answer needs."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from otel_ragfault.cli.failures import DONE, WRONG_INPUT
from otel_ragfault.cli.gold_import import import_
from otel_ragfault.cli.gold_resolve import history, list_, resolve
from otel_ragfault.cli.groups import Group, example
from otel_ragfault.cli.options import File, config_option, db_option, json_option, optional_db_option
from otel_ragfault.cli.output import complain, complain_lines, note, say, say_json, warn
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.gold import GoldFile, LoadedGold


@click.group(
    cls=Group, epilog=example("ragfault gold check gold.jsonl", "ragfault gold load --db rag.duckdb gold.jsonl")
)
def gold() -> None:
    """Check and load gold: what a right answer needs."""


for command in (import_, resolve, list_, history):
    gold.add_command(command)

_contradictions = click.option(
    "--allow-contradictions", is_flag=True, help="Let cases ask the same and expect something else."
)


@gold.command(epilog=example("ragfault gold check gold.jsonl"))
@optional_db_option
@json_option
@_contradictions
@click.argument("file", metavar="FILE", type=File())
def check(db: Path | None, file: Path, *, allow_contradictions: bool, as_json: bool) -> int:
    """Check a gold file and name everything that is wrong with it, in one pass.

    With a database, the file must not contradict the gold that it holds, and quotes are looked for in its corpus.
    """
    found = _checked(db, file, allow_contradictions=allow_contradictions)
    warn(found.warnings)
    complain_lines(found.problems)
    if as_json:
        say_json(
            {
                "file": str(found.path),
                "cases": len(found.cases),
                "invalid_lines": found.invalid_lines,
                "problems": [asdict(problem) for problem in found.problems],
                "warnings": [asdict(problem) for problem in found.warnings],
            }
        )
    else:
        say(f"{found.path}: {counted(len(found.cases), 'valid case')}, {counted(found.invalid_lines, 'invalid line')}")
    if found.problems:
        complain(
            f"{found.path}: {counted(len(found.problems), 'problem')} in {counted(found.invalid_lines, 'line')}; "
            "correct what is named above"
        )
        return WRONG_INPUT
    if not found.cases:
        complain(f"{found.path}: holds no case; one JSON object a line was wanted; check the file")
        return WRONG_INPUT
    return DONE


def _checked(db: Path | None, file: Path, *, allow_contradictions: bool) -> "GoldFile":
    """Check the file on its own, or against a database; one that only the environment names may not exist yet."""
    from otel_ragfault.cli.database import reading
    from otel_ragfault.gold import check_against, check_gold

    source = click.get_current_context().get_parameter_source("db")
    if db is not None and source is click.core.ParameterSource.ENVIRONMENT and not db.exists():
        note(f"RAGFAULT_DB: {db} is not there yet; the file is checked on its own")
        db = None
    if db is None:
        return check_gold(file, allow_contradictions=allow_contradictions)
    with reading(db) as con:
        return check_against(con, file, allow_contradictions=allow_contradictions)[0]


@gold.command(epilog=example("ragfault gold load --db rag.duckdb gold.jsonl"))
@db_option
@json_option
@click.option("--skip-invalid", is_flag=True, help="Load the valid lines of a file that has invalid ones.")
@_contradictions
@config_option
@click.argument("file", metavar="FILE", type=File())
def load(
    db: Path,
    file: Path,
    config_file: Path | None,
    *,
    skip_invalid: bool,
    allow_contradictions: bool,
    as_json: bool,
) -> None:
    """Load a gold file; a case that is there already is replaced, and its earlier versions are kept.

    Cases that the file does not name stay.
    Nothing is loaded from a file with invalid lines, unless --skip-invalid asks for the rest. Evidence named by a quote
    is looked for in every snapshot that is loaded.
    """
    from otel_ragfault.cli.database import fill
    from otel_ragfault.gold import load_gold
    from otel_ragfault.model import load_config

    threshold = load_config(config_file).config.quote_threshold

    def into(con: "DuckDBPyConnection") -> "LoadedGold":
        return load_gold(
            con, file, skip_invalid=skip_invalid, allow_contradictions=allow_contradictions, threshold=threshold
        )

    loaded = fill(db, into)
    warn(loaded.warnings)
    if as_json:
        say_json(asdict(loaded))
        return
    _say_loaded(loaded)


def _say_loaded(loaded: "LoadedGold") -> None:
    ids = loaded.evidence_members - loaded.quotes
    named = counted(ids, "evidence id") + (f" and {counted(loaded.quotes, 'quote')}" if loaded.quotes else "")
    say(
        f"{counted(loaded.cases, 'case')} loaded with {named}: {loaded.added} added, {loaded.changed} changed, "
        f"{loaded.unchanged} unchanged; {counted(loaded.skipped, 'invalid line')} skipped"
    )
    if loaded.lost:
        lost = counted(loaded.lost, "quote is", "quotes are")
        note(f"{lost} in no text of a loaded snapshot; ragfault gold resolve lists them")


@gold.command(epilog=example("ragfault gold schema > gold.schema.json"))
def schema() -> None:
    """Print the JSON Schema of one line of a gold file."""
    from otel_ragfault.model import gold_json_schema

    say_json(gold_json_schema())

"""``ragfault gold``: what a right answer needs."""

from dataclasses import asdict
from pathlib import Path

import click

from otel_ragfault.cli.failures import DONE, WRONG_INPUT
from otel_ragfault.cli.groups import Group, example
from otel_ragfault.cli.options import File, db_option, json_option
from otel_ragfault.cli.output import complain, complain_lines, say, say_json, warn


@click.group(
    cls=Group, epilog=example("ragfault gold check gold.jsonl", "ragfault gold load --db rag.duckdb gold.jsonl")
)
def gold() -> None:
    """Check and load gold: what a right answer needs."""


@gold.command(epilog=example("ragfault gold check gold.jsonl"))
@json_option
@click.argument("file", metavar="FILE", type=File())
def check(file: Path, *, as_json: bool) -> int:
    """Check a gold file and name everything that is wrong with it, in one pass."""
    from otel_ragfault.gold import check_gold

    found = check_gold(file)
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
        say(f"{found.path}: {len(found.cases)} valid cases, {found.invalid_lines} invalid lines")
    if found.problems:
        complain(
            f"{found.path}: {len(found.problems)} problems in {found.invalid_lines} lines; correct the lines above"
        )
        return WRONG_INPUT
    if not found.cases:
        complain(f"{found.path}: holds no case; one JSON object a line was wanted; check the file")
        return WRONG_INPUT
    return DONE


@gold.command(epilog=example("ragfault gold load --db rag.duckdb gold.jsonl"))
@db_option
@json_option
@click.option("--skip-invalid", is_flag=True, help="Load the valid lines of a file that has invalid ones.")
@click.argument("file", metavar="FILE", type=File())
def load(db: Path, file: Path, *, skip_invalid: bool, as_json: bool) -> None:
    """Load a gold file; a case that is there already is replaced.

    Nothing is loaded from a file with invalid lines, unless --skip-invalid asks for the rest.
    """
    from otel_ragfault.cli.database import fill
    from otel_ragfault.gold import load_gold

    loaded = fill(db, lambda con: load_gold(con, file, skip_invalid=skip_invalid))
    warn(loaded.warnings)
    if as_json:
        say_json(asdict(loaded))
        return
    say(
        f"{loaded.cases} cases loaded with {loaded.evidence_members} evidence ids, {loaded.replaced} of them replaced; "
        f"{loaded.skipped} invalid lines skipped"
    )


@gold.command(epilog=example("ragfault gold schema > gold.schema.json"))
def schema() -> None:
    """Print the JSON Schema of one line of a gold file."""
    from otel_ragfault.model import gold_json_schema

    say_json(gold_json_schema())

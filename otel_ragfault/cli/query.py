"""``ragfault query``: ask the database, read-only."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from otel_ragfault.cli.formats import FORMATS, say_rows, write_csv, write_json, write_parquet
from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import OutFile, Text, optional_db_option
from otel_ragfault.cli.output import binary_stdout, note, say_json
from otel_ragfault.cli.replacing import replacing

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.sql import Query


_RESTS_ON_VERDICTS: Final = re.compile(r"\b(?:label|current_label|failure_bucket|\w*verdict|\w+_opinion)\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """A statement with its parameters."""

    sql: str
    parameters: dict[str, str | None]


def _list_queries(*, as_json: bool) -> None:
    from otel_ragfault.cli.tables import say_table
    from otel_ragfault.jobs.query import named_queries

    queries = named_queries().values()
    if as_json:
        say_json(
            [{"name": q.name, "purpose": q.title, "parameters": q.parameters, "header": q.header} for q in queries]
        )
    else:
        say_table(["name", "parameters", "purpose"], [[q.name, ", ".join(q.parameters), q.title] for q in queries])


@click.command(
    epilog=example(
        "ragfault query --db rag.duckdb label_cases --param label=assembly.cut",
        'ragfault query --db rag.duckdb --sql "FROM current_label" --format csv',
    )
)
@optional_db_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--list", "list_them", is_flag=True, help="List the named queries; needs no database.")
@click.option("--sql", metavar="SQL", type=Text(), help="One statement that asks for rows, instead of a named query.")
@click.option(
    "--param", "params", multiple=True, type=Text(), metavar="NAME=VALUE", help="Value of $NAME; may be repeated."
)
@click.option("--format", "form", type=click.Choice(FORMATS), help="By default table, or what --out ends with.")
@click.option("--out", metavar="FILE", type=OutFile(), help="Write to a file.")
@click.argument("name", required=False, type=Text())
def query(
    db: Path | None,
    name: str | None,
    sql: str | None,
    params: tuple[str, ...],
    form: str | None,
    out: Path | None,
    *,
    as_json: bool,
    list_them: bool,
) -> None:
    """Ask the database: a named query (--list shows them all), or your own SQL.

    Nothing is changed: SELECT, WITH, FROM, PIVOT, DESCRIBE, SHOW, SUMMARIZE and EXPLAIN are possible, files and the
    network are out of reach. Newly landed spans are built into requests first.
    """
    if list_them:
        _list_queries(as_json=as_json)
        return
    if db is None:
        raise click.MissingParameter(param_hint="'--db' (env var: 'RAGFAULT_DB')", param_type="option")
    from otel_ragfault.cli.database import interruptible, reading

    asked = _asked(name, sql, params)
    form = _form(form, out, as_json=as_json)
    if out is not None and out.exists() and db.exists() and out.samefile(db):
        raise click.UsageError(f"--out {out} is the database itself; name another file.")
    with reading(db) as con, con.cursor() as cursor:
        interruptible(cursor, lambda: _answer(cursor, asked, form, out))
        if name is not None and _RESTS_ON_VERDICTS.search(asked.sql):
            _flag_judges(con)


def _flag_judges(con: "DuckDBPyConnection") -> None:
    """Say which judges agree too little with people for the result to rely on their verdicts."""
    from otel_ragfault.judging.verdicts import judge_standings

    for standing in judge_standings(con):
        if standing.warning is not None:
            note(standing.warning)


def _asked(name: str | None, sql: str | None, params: tuple[str, ...]) -> Asked:
    from otel_ragfault.jobs.query import find_query, named_parameters

    if (name is None) == (sql is None):
        raise click.UsageError("give either the NAME of a query (--list shows them) or --sql, and not both.")
    given = dict(map(_parameter, params))
    if name is None:
        return Asked(sql or "", dict(given))
    named: Query = find_query(name)
    return Asked(named.body, named_parameters(named, given))


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"--param: found {text!r}, wanted NAME=VALUE.")
    return name.removeprefix("$"), value


def _form(form: str | None, out: Path | None, *, as_json: bool) -> str:
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} contradict each other; give one of the two.")
    suffix = "" if out is None else out.suffix.removeprefix(".").lower()
    chosen = "json" if as_json else form or (suffix if suffix in FORMATS else "table")
    if chosen == "parquet" and out is None:
        raise click.UsageError("--format parquet writes a file; give --out FILE.")
    if chosen == "table" and out is not None:
        raise click.UsageError(f"--out {out}: give --format json, csv or parquet, or a file name that ends so.")
    return chosen


def _answer(con: "DuckDBPyConnection", asked: Asked, form: str, out: Path | None) -> None:
    from otel_ragfault.jobs.query import arrow_table, run_sql

    if form == "parquet" and out is not None:
        table = arrow_table(con, asked.sql, asked.parameters)
        replacing(out, lambda path: write_parquet(table, path))
        return
    rows = run_sql(con, asked.sql, asked.parameters)
    if form == "table":
        say_rows(rows)
        return
    write: Callable[..., None] = write_json if form == "json" else write_csv
    if out is None:
        stream = binary_stdout()
        write(rows, stream)
        stream.flush()
    else:
        replacing(out, lambda path: _to_file(path, write, rows))


def _to_file(path: Path, write: Callable[..., None], rows: Any) -> None:
    with path.open("wb") as file:
        write(rows, file)

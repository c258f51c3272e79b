"""``ragfault verdict``: what people say about answers."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from otel_ragfault.cli.groups import Group, example
from otel_ragfault.cli.options import File, OutFile, Text, config_option, db_option, json_option
from otel_ragfault.cli.output import note, say, say_json
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SUBJECTS: Final = (
    "answer",
    "refusal",
    "clarification",
    "grounded",
    "claim_support",
    "claim_correct",
    "claim_found",
    "citation",
)
_SOURCES: Final = ("human", "model", "code")


@click.group(
    cls=Group,
    epilog=example(
        "ragfault verdict template --db rag.duckdb --out sheet.csv",
        "ragfault verdict load --db rag.duckdb --judge ann sheet.csv",
    ),
)
def verdict() -> None:
    """Load what people say about answers, and see where judges disagree."""


@verdict.command(epilog=example("ragfault verdict load --db rag.duckdb --judge ann sheet.csv"))
@db_option
@json_option
@click.option("--judge", metavar="NAME", type=Text(), help="Who judged, where a line does not say so.")
@click.option(
    "--source", type=click.Choice(_SOURCES), default="human", show_default=True, help="What kind of judge it was."
)
@config_option
@click.argument("file", metavar="FILE", type=File())
def load(db: Path, file: Path, judge: str | None, source: str, config_file: Path | None, *, as_json: bool) -> None:
    """Load verdicts from a CSV sheet, or from a file of JSON lines.

    A line names its request by request_id, by trace_id, or by case_id and run_id; then subject and value (true, false,
    unclear), for claims and citations the target. Nothing is loaded from a file with a line that is wrong. A verdict
    that is there already is not loaded again; a new one counts instead of the older one of the same judge.
    """
    from otel_ragfault.cli.database import writing
    from otel_ragfault.jobs.build import build_requests
    from otel_ragfault.judging.verdicts import load_verdicts, store_policy
    from otel_ragfault.model import load_config
    from otel_ragfault.model.judging import SOURCES
    from otel_ragfault.recovery import map_citations

    config = load_config(config_file).config
    kind = next(one for one in SOURCES if one == source)
    with writing(db) as con:
        build_requests(con, mapping=config.mapping)
        store_policy(con, config.judging)
        loaded = load_verdicts(
            con, file, judge=judge, source=kind, cites=lambda answer, prompt: map_citations(answer, prompt).ids
        )
    if as_json:
        say_json(asdict(loaded))
        return
    say(
        f"{counted(loaded.added, 'verdict')} on {counted(loaded.requests, 'request')} loaded; "
        f"{counted(loaded.known, 'was', 'were')} there already"
    )


@verdict.command(epilog=example("ragfault verdict template --db rag.duckdb --subject grounded --out sheet.csv"))
@db_option
@click.option("--out", metavar="FILE", type=OutFile(), help="Write the sheet here instead of to stdout.")
@click.option(
    "--subject",
    "subjects",
    multiple=True,
    type=click.Choice(SUBJECTS),
    default=("answer",),
    show_default=True,
    help="What is to be judged; may be given several times.",
)
@click.option("--limit", type=click.IntRange(min=1), help="How many requests at the most; a fair sample of all.")
@click.option("--disputed", is_flag=True, help="Only what sources say against each other.")
@click.option("--judged-too", is_flag=True, help="Also what people have judged already.")
@config_option
def template(
    db: Path,
    out: Path | None,
    subjects: tuple[str, ...],
    limit: int | None,
    config_file: Path | None,
    *,
    disputed: bool,
    judged_too: bool,
) -> None:
    """Write a sheet to be filled in: a line for each thing to be judged.

    Fill in value (true, false or unclear), and judge; leave value empty where you did not judge. Then load the sheet.
    """
    from otel_ragfault.cli.database import writing
    from otel_ragfault.jobs.build import build_requests
    from otel_ragfault.jobs.claims import extract_claims
    from otel_ragfault.jobs.judge_plan import join_requests
    from otel_ragfault.judging.verdicts import store_policy
    from otel_ragfault.model import load_config
    from otel_ragfault.store import transaction

    config = load_config(config_file).config
    with writing(db) as con:
        build_requests(con, mapping=config.mapping)
        with transaction(con):
            store_policy(con, config.judging)
            extract_claims(con)
        join_requests(con)
        lines = _write(con, out, subjects, limit=limit, disputed=disputed, judged_too=judged_too)
    note(f"{counted(lines, 'line')} to be judged" + ("" if out is None else f" in {out}"))


def _write(
    con: "DuckDBPyConnection",
    out: Path | None,
    subjects: tuple[str, ...],
    *,
    limit: int | None,
    disputed: bool,
    judged_too: bool,
) -> int:
    import io

    from otel_ragfault.cli.output import binary_stdout
    from otel_ragfault.judging.verdicts import write_sheet

    text = io.StringIO(newline="")
    lines = write_sheet(con, text, subjects, limit=limit, disputed=disputed, judged_too=judged_too)
    data = text.getvalue().encode("utf-8", "replace")
    if out is None:
        binary_stdout().write(data)
    else:
        out.write_bytes(data)
    return lines


@verdict.command(epilog=example("ragfault verdict disagreements --db rag.duckdb"))
@db_option
@json_option
@click.option("--subject", type=click.Choice(SUBJECTS), help="Only this subject.")
def disagreements(db: Path, subject: str | None, *, as_json: bool) -> None:
    """Show what judges say against each other, and what each of them says.

    The same as ragfault query --db DB verdict_disagreements.
    """
    from otel_ragfault.cli.database import reading
    from otel_ragfault.cli.tables import say_table
    from otel_ragfault.sql import read_query

    with reading(db) as con:
        result = con.execute(read_query("buckets", "verdict_disagreements").body, {"subject": subject})
        names = [column[0] for column in result.description]
        rows = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
    if as_json:
        say_json([row | {"request_id": row["request_id"].hex} for row in rows])
        return
    say(counted(len(rows), "disagreement"))
    if rows:
        say()
        say_table(
            ["subject", "case", "target", "judges", "request"],
            [
                [
                    row["subject"],
                    row["case_id"] or "",
                    " of ".join(filter(None, (row["target"], row["claim_id"]))),
                    "; ".join(row["judges"]),
                    row["request_id"].hex,
                ]
                for row in rows
            ],
        )

"""``ragfault gold import``: gold from files of other tools."""

from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import File, Text, json_option
from otel_ragfault.cli.output import note, say, say_json, warn
from otel_ragfault.counting import counted

_FORMATS: Final = ("csv", "beir", "trec", "ragas", "phoenix", "langfuse")


@click.command(
    "import",
    epilog=example(
        "ragfault gold import --format beir --queries queries.jsonl --out gold.jsonl qrels/test.tsv",
        "ragfault gold import --format ragas --out gold.jsonl testset.jsonl",
    ),
)
@click.option("--format", "kind", type=click.Choice(_FORMATS), required=True, help="What the file is.")
@click.option("--out", metavar="FILE", type=File(), required=True, help="The gold file to write.")
@click.option("--queries", metavar="FILE", type=File(), help="The questions, for beir and trec.")
@click.option("--require-all", is_flag=True, help="For beir and trec: require every relevant chunk, not any of them.")
@click.option(
    "--relevant-from", type=click.IntRange(min=1), default=1, show_default=True, help="The lowest relevant grade."
)
@click.option("--source", metavar="TEXT", type=Text(), help="Where the labels come from; by default format and file.")
@json_option
@click.argument("file", metavar="FILE", type=File())
def import_(
    file: Path,
    kind: str,
    out: Path,
    queries: Path | None,
    relevant_from: int,
    source: str | None,
    *,
    require_all: bool,
    as_json: bool,
) -> None:
    """Make a gold file from a table, from relevance judgements, or from the export of an evaluation tool.

    A csv has the columns case_id, query, expect, evidence (c08|c09;c11: alternatives, groups), quote, doc_id,
    must_contain, must_not_contain, matches, equals, number, tolerance, relevance (c08=2;c09=1), as_of, tags,
    acceptable_sources, labelled_by, labelled_at, source; only query has to be there. Contexts of ragas, phoenix and
    langfuse become quotes. What makes no case, and what gold has no place for, is reported.
    """
    from otel_ragfault.gold.importing import import_gold

    made = import_gold(
        file, out, kind, queries=queries, require_all=require_all, relevant_from=relevant_from, source=source
    )
    warn(made.problems)
    if as_json:
        say_json({**asdict(made), "out": str(made.out)})
        return
    say(
        f"{made.out}: {counted(made.cases, 'case')}, {counted(made.quotes, 'member')} named by quote; "
        f"{counted(len(made.problems), 'problem')}"
    )
    for name, rows in made.passed_over.items():
        note(f"{name}: not understood or no gold, passed over ({rows})")

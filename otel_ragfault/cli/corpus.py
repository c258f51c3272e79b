"""``ragfault corpus``: what was indexed."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from otel_ragfault.cli.groups import Group, example
from otel_ragfault.cli.options import File, Text, db_option, json_option
from otel_ragfault.cli.output import say, say_json, warn

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.corpus import LoadedCorpus


@click.group(cls=Group, epilog=example("ragfault corpus load --db rag.duckdb chunks.jsonl"))
def corpus() -> None:
    """Load what was indexed, as a snapshot."""


@corpus.command(epilog=example("ragfault corpus load --db rag.duckdb --snapshot 2026-01-31 chunks.jsonl"))
@db_option
@json_option
@click.option(
    "--snapshot", metavar="ID", type=Text(), help="Name of the snapshot; by default the file's name and a digest of it."
)
@click.option("--replace", is_flag=True, help="Put this file in the place of a snapshot that is loaded already.")
@click.option("--skip-invalid", is_flag=True, help="Load the valid lines of a file that has invalid ones.")
@click.option("--allow-empty", is_flag=True, help="Load a file without chunks: the index holds nothing.")
@click.argument("file", metavar="FILE", type=File())
def load(
    db: Path, file: Path, snapshot: str | None, *, replace: bool, skip_invalid: bool, allow_empty: bool, as_json: bool
) -> None:
    """Load a corpus file: one JSON object a line, of which only chunk_id is required.

    Without a corpus, evidence that is in no ranking is unknown.corpus: it may be missing from the index, or ranked low.
    Nothing is loaded from a file with invalid lines, unless --skip-invalid asks for the rest.
    """
    from otel_ragfault.cli.database import fill
    from otel_ragfault.corpus import load_corpus

    def into(con: "DuckDBPyConnection") -> "LoadedCorpus":
        return load_corpus(
            con, file, snapshot_id=snapshot, replace=replace, skip_invalid=skip_invalid, allow_empty=allow_empty
        )

    loaded = fill(db, into)
    warn(loaded.warnings)
    if as_json:
        say_json(asdict(loaded))
        return
    done = "was loaded already with the same" if loaded.unchanged else "loaded with"
    say(f"snapshot {loaded.snapshot_id} {done} {loaded.chunks} chunks; {loaded.skipped} invalid lines skipped")

"""``ragfault corpus``: what was indexed."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from otel_ragfault.cli.groups import Group, example
from otel_ragfault.cli.options import File, Text, db_option, json_option
from otel_ragfault.cli.output import say, say_json, warn
from otel_ragfault.cli.tables import say_table
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.corpus import LoadedCorpus, Snapshot


_SHOWN: Final = 5  # ids of each kind that a person sees; JSON holds all


@click.group(
    cls=Group,
    epilog=example(
        "ragfault corpus load --db rag.duckdb chunks.jsonl", "ragfault corpus diff --db rag.duckdb 2026-01 2026-02"
    ),
)
def corpus() -> None:
    """Load what was indexed, as snapshots, and compare them."""


@corpus.command(epilog=example("ragfault corpus load --db rag.duckdb --snapshot 2026-01-31 chunks.jsonl"))
@db_option
@json_option
@click.option(
    "--snapshot", metavar="ID", type=Text(), help="Name of the snapshot; by default the file's name and a digest of it."
)
@click.option("--replace", is_flag=True, help="Put this file in the place of a snapshot that is loaded already.")
@click.option("--skip-invalid", is_flag=True, help="Load the valid lines of a file that has invalid ones.")
@click.option(
    "--base", metavar="ID", type=Text(), help="The file holds what changed since this snapshot; removed chunks, too."
)
@click.option("--hash-only", is_flag=True, help="Keep the SHA-256 of each text, and not the text.")
@click.option("--allow-empty", is_flag=True, help="Load a file without chunks: the index holds nothing.")
@click.argument("file", metavar="FILE", type=File())
def load(  # noqa: PLR0913 - click gives each option of the command as an argument
    db: Path,
    file: Path,
    *,
    snapshot: str | None,
    replace: bool,
    skip_invalid: bool,
    base: str | None,
    hash_only: bool,
    allow_empty: bool,
    as_json: bool,
) -> None:
    """Load a corpus file: one JSON object a line, of which only chunk_id is required.

    Without a corpus, evidence that is in no ranking is unknown.corpus: it may be missing from the index, or ranked low.
    Nothing is loaded from a file with invalid lines, unless --skip-invalid asks for the rest. A snapshot is stored as
    its difference to the newest one that is like it. With --base, a line {"chunk_id": "c08", "removed": true} takes a
    chunk away, and chunks that the file does not name stay as they are.
    """
    from otel_ragfault.cli.database import fill
    from otel_ragfault.corpus import load_corpus
    from otel_ragfault.gold import resolve_quotes
    from otel_ragfault.model import load_config

    threshold = load_config().config.quote_threshold

    def into(con: "DuckDBPyConnection") -> "LoadedCorpus":
        loaded = load_corpus(
            con,
            file,
            snapshot_id=snapshot,
            replace=replace,
            skip_invalid=skip_invalid,
            base=base,
            hash_only=hash_only,
            allow_empty=allow_empty,
        )
        resolve_quotes(con, snapshot_id=loaded.snapshot_id, threshold=threshold)
        return loaded

    loaded = fill(db, into)
    warn(loaded.warnings)
    if as_json:
        say_json(asdict(loaded))
        return
    done = "was loaded already with the same" if loaded.unchanged else "loaded with"
    kept = "" if loaded.base_id is None else f", {loaded.stored} of them new or changed since {loaded.base_id}"
    skipped = counted(loaded.skipped, "invalid line")
    say(f"snapshot {loaded.snapshot_id} {done} {counted(loaded.chunks, 'chunk')}{kept}; {skipped} skipped")


@corpus.command("list", epilog=example("ragfault corpus list --db rag.duckdb"))
@db_option
@json_option
def list_(db: Path, *, as_json: bool) -> None:
    """List the loaded snapshots, the newest first.

    A snapshot with a base is stored as its difference to that one; "stored" counts the chunks that are new or changed.
    """
    from otel_ragfault.cli.database import reading
    from otel_ragfault.corpus import list_snapshots

    with reading(db) as con:
        found = list_snapshots(con)
    if as_json:
        say_json([asdict(snapshot) for snapshot in found])
        return
    if not found:
        say("no snapshot is loaded; load one: ragfault corpus load --db DB FILE")
        return
    names = (
        "snapshot",
        "chunks",
        "documents",
        "texts",
        "windows",
        "restricted",
        "base",
        "stored",
        "observed",
        "loaded",
    )
    numbers = {"chunks", "documents", "texts", "windows", "restricted", "stored"}
    say_table(names, [_row(one) for one in found], ["right" if name in numbers else "left" for name in names])


def _row(one: "Snapshot") -> list[str]:
    counts = (one.chunks, one.documents, one.with_text, one.windowed, one.restricted)
    observed = "" if one.observed_at is None else f"{one.observed_at:%Y-%m-%d %H:%M}"
    return [
        one.snapshot_id,
        *map(str, counts),
        one.base_id or "",
        str(one.stored),
        observed,
        f"{one.loaded_at:%Y-%m-%d %H:%M}",
    ]


@corpus.command(epilog=example("ragfault corpus diff --db rag.duckdb 2026-01-31 2026-02-28"))
@db_option
@json_option
@click.argument("old", metavar="A", type=Text())
@click.argument("new", metavar="B", type=Text())
def diff(db: Path, old: str, new: str, *, as_json: bool) -> None:
    """Show what is different in snapshot B: chunks that were added, removed or changed since A.

    A chunk may have another text, version, validity window, permissions or document. Where a snapshot holds only the
    hash of a text, hashes are compared.
    """
    from otel_ragfault.cli.database import reading
    from otel_ragfault.corpus import compare_snapshots

    with reading(db) as con:
        found = compare_snapshots(con, old, new)
    if as_json:
        say_json(
            {
                "old": found.old,
                "new": found.new,
                "added": _counted(found.added),
                "removed": _counted(found.removed),
                "changed": _counted(found.changed_ids) | {"by": {k: _counted(v) for k, v in found.changed.items()}},
            }
        )
        return
    rows = [("added", found.added), ("removed", found.removed), ("changed", found.changed_ids)]
    rows += [(f"changed: {name}", ids) for name, ids in found.changed.items() if ids]
    say_table(("what", "chunks", "ids"), [[name, str(len(ids)), _some(ids)] for name, ids in rows])


def _counted(ids: list[str]) -> dict[str, Any]:
    return {"count": len(ids), "ids": ids}


def _some(ids: list[str]) -> str:
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(ids[:_SHOWN]) + more


@corpus.command(epilog=example("ragfault corpus drop --db rag.duckdb 2026-01-31"))
@db_option
@json_option
@click.argument("snapshot", metavar="ID", type=Text())
def drop(db: Path, snapshot: str, *, as_json: bool) -> None:
    """Remove a snapshot. Snapshots that are stored as a difference to it stay whole, and so do labels.

    The room is given back to the file, which does not become smaller by itself.
    """
    from otel_ragfault.cli.database import writing
    from otel_ragfault.corpus import drop_snapshot

    with writing(db) as con:
        drop_snapshot(con, snapshot)
    if as_json:
        say_json({"snapshot_id": snapshot, "dropped": True})
        return
    say(f"snapshot {snapshot} dropped")

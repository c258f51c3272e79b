"""``ragfault export``: spans, requests and labels as Parquet files."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import File, Moment, db_option, json_option
from otel_ragfault.cli.output import say, say_json
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from datetime import datetime

_WHAT: Final = ("spans", "requests", "labels")
_SUFFIX: Final = ".parquet"


@click.command(epilog=example("ragfault export --db rag.duckdb --out parquet/"))
@db_option
@click.option(
    "--out", required=True, metavar="DIR|FILE", type=File(), help="A folder, or one file whose name ends in .parquet."
)
@click.option("--what", multiple=True, type=click.Choice(_WHAT), help="What to write; repeat it.  [default: all]")
@click.option("--since", type=Moment(), help="Leave out what started before this time (UTC).")
@json_option
def export(db: Path, *, out: Path, what: tuple[str, ...], since: "datetime | None", as_json: bool) -> None:
    """Write spans, requests and labels as Parquet files.

    Spans are written without loss: `ragfault import` reads such a file, and stores the same rows. In requests and
    labels, ids are hex text. Times are UTC. A file takes the place of an older one only when it is complete.
    """
    from otel_ragfault.cli.database import reading
    from otel_ragfault.cli.progress import working
    from otel_ragfault.landing.export import export_parquet

    files = _files(out, tuple(dict.fromkeys(what)) or _WHAT)
    with working("exporting"), reading(db) as con:
        for path in files.values():
            path.parent.mkdir(parents=True, exist_ok=True)
        rows = {one: export_parquet(con, one, path, since=since) for one, path in files.items()}
    if as_json:
        say_json([{"what": one, "file": str(path), "rows": rows[one]} for one, path in files.items()])
        return
    for one, path in files.items():
        say(f"{counted(rows[one], one.removesuffix('s'))} in {path}")


def _files(out: Path, what: tuple[str, ...]) -> dict[str, Path]:
    if out.suffix != _SUFFIX and not out.is_dir() and (out.exists() or _looks_like_a_file(out)):
        raise click.UsageError(
            f"--out: found {out}, which looks like a file; wanted a folder, or a file whose name ends in {_SUFFIX}; "
            "name one, or make the folder first."
        )
    if out.is_dir() or out.suffix != _SUFFIX:
        return {one: out / f"{one}{_SUFFIX}" for one in what}
    if len(what) > 1:
        raise click.UsageError(
            f"found one file ({out}) for {', '.join(what)}; wanted a folder; name one, or give one --what."
        )
    return {what[0]: out}


def _looks_like_a_file(out: Path) -> bool:
    """Say whether a name ends as those of files do: ``pq.txt``, and not ``out.2026-01``."""
    ending = out.suffix.removeprefix(".")
    return ending.isalnum() and not ending.isdigit()

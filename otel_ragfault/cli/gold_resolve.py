"""``ragfault gold resolve``, ``list`` and ``history``: what became of gold in the database."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from otel_ragfault.cli.failures import DONE, WRONG_INPUT
from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import Text, config_option, db_option, json_option
from otel_ragfault.cli.output import complain, complain_lines, say, say_json
from otel_ragfault.cli.tables import say_table
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from otel_ragfault.gold import GoldVersion, Resolved

_STATES: Final = ("exact", "fuzzy", "unresolved", "ambiguous", "no_text")
_MEANING: Final = {
    "fuzzy": "found but for slips inside words; look whether it is the same passage",
    "unresolved": "in no text of the snapshot: source.not_indexed there",
    "ambiguous": "in several documents; name the doc_id",
    "no_text": "not found, and texts are missing; load the corpus with its texts",
}
_LONGEST: Final = 60


@click.command(epilog=example("ragfault gold resolve --db rag.duckdb"))
@db_option
@json_option
@click.option("--snapshot", metavar="ID", type=Text(), help="Only this snapshot; by default all that are loaded.")
@config_option
def resolve(db: Path, snapshot: str | None, config_file: Path | None, *, as_json: bool) -> int:
    """Map evidence named by quote to the chunks of loaded snapshots, and list what does not map.

    Loading gold or a corpus does it by itself; run this after quote_threshold was changed. A quote is found where the
    text is equal but for typography, else where only letters inside words differ; with a word or a number less, more or
    changed it is not found. A quote that no chunk holds alone requires all chunks over which it lies.
    """
    from otel_ragfault.cli.database import writing
    from otel_ragfault.cli.progress import step_progress
    from otel_ragfault.gold import resolve_quotes, why_no_quote
    from otel_ragfault.model import load_config

    threshold = load_config(config_file).config.quote_threshold
    with step_progress("resolving") as progress, writing(db) as con:
        resolved = resolve_quotes(con, snapshot_id=snapshot, threshold=threshold, progress=progress)
        nothing = None if resolved else why_no_quote(con)
    problems = [problem for one in resolved if (problem := one.problem) is not None]
    if as_json:
        say_json({"threshold": threshold, "snapshots": _counted(resolved), "quotes": [_told(one) for one in resolved]})
    elif nothing is not None:
        say(nothing)
    else:
        _say(resolved)
    complain_lines(problems)
    if problems:
        ambiguous = counted(len(problems), "quote is", "quotes are")
        complain(f"{ambiguous} ambiguous; correct what is named above and load the file again")
        return WRONG_INPUT
    return DONE


def _counted(resolved: "Sequence[Resolved]") -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for one in resolved:
        of_snapshot = counts.setdefault(one.snapshot_id, Counter(dict.fromkeys((*_STATES, "split"), 0)))
        of_snapshot[one.found.state] += 1
        of_snapshot["split"] += one.found.split
    return {snapshot: dict(count) for snapshot, count in counts.items()}


def _told(one: "Resolved") -> dict[str, Any]:
    asked, found = one.asked, one.found
    return {
        "snapshot_id": one.snapshot_id,
        "case_id": asked.placed.case.case_id,
        "file": asked.placed.file,
        "line": asked.placed.line,
        "field": asked.field,
        "doc_id": asked.quote.doc_id,
        "quote": asked.quote.quote,
        "state": found.state,
        "score": found.score,
        "chunking": "evidence split" if found.split else None,
        "chunk_ids": found.chunks,
    }


def _say(resolved: "Sequence[Resolved]") -> None:
    names = (*_STATES, "split")
    say_table(
        ("snapshot", *names),
        [[snapshot, *(str(count[name]) for name in names)] for snapshot, count in _counted(resolved).items()],
        ["left" if name == "snapshot" else "right" for name in ("snapshot", *names)],
    )
    for state, meaning in _MEANING.items():
        _say_quotes(f"{state}: {meaning}", [one for one in resolved if one.found.state == state])
    _say_quotes("chunking: evidence split; all of its chunks are required", [r for r in resolved if r.found.split])


def _say_quotes(title: str, resolved: "Sequence[Resolved]") -> None:
    if not resolved:
        return
    say()
    say(title)
    say_table(
        ("snapshot", "case", "field", "score", "chunks", "quote"),
        [
            [
                one.snapshot_id,
                one.asked.placed.case.case_id,
                one.asked.field,
                "" if one.found.score is None else f"{one.found.score:.3f}",
                " ".join(one.found.chunks),
                _short(one.asked.quote.quote),
            ]
            for one in resolved
        ],
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


@click.command("list", epilog=example("ragfault gold list --db rag.duckdb --unresolved"))
@db_option
@json_option
@click.option("--snapshot", metavar="ID", type=Text(), help="The snapshot; by default the newest.")
@click.option("--unresolved", is_flag=True, help="Only cases with a quote that was not found in the snapshot.")
def list_(db: Path, snapshot: str | None, *, unresolved: bool, as_json: bool) -> None:
    """List the loaded cases, and what became of their quotes in a snapshot.

    "lost" are quotes that are in none of its texts; "open" are those that are ambiguous or could not be looked for.
    """
    from otel_ragfault.cli.database import reading
    from otel_ragfault.gold import NO_GOLD, gold_list

    with reading(db) as con:
        cases = gold_list(con, snapshot, unresolved=unresolved)
        loaded = bool(cases) or bool(gold_list(con))
    if as_json:
        say_json(cases)
        return
    if not cases:
        say("no case has a quote that was not found" if loaded else NO_GOLD)
        return
    names = (
        "case_id",
        "expect",
        "groups",
        "quotes",
        "found",
        "fuzzy",
        "split",
        "lost",
        "open",
        "gold_version",
        "query",
    )
    say_table(
        names,
        [[_short(str(case[name])) for name in names] for case in cases],
        ["right" if name in names[2:9] else "left" for name in names],
    )


@click.command(epilog=example("ragfault gold history --db rag.duckdb long-haul-cabin"))
@db_option
@json_option
@click.argument("case", metavar="CASE", type=Text())
def history(db: Path, case: str, *, as_json: bool) -> None:
    """Show every version of a case that was ever loaded, with what changed. Labels name the version they used."""
    from otel_ragfault.cli.database import reading
    from otel_ragfault.gold import gold_history

    with reading(db) as con:
        versions = gold_history(con, case)
    if as_json:
        say_json([_version(one) for one in versions])
        return
    say_table(
        ("version", "in force", "loaded", "from", "labels", "changed"),
        [
            [
                one.gold_version,
                "yes" if one.in_force else "",
                f"{one.loaded_at:%Y-%m-%d %H:%M:%S}",
                f"{one.file}:{one.line}",
                str(one.labels),
                ", ".join(one.changed),
            ]
            for one in versions
        ],
        ["left", "left", "left", "left", "right", "left"],
    )


def _version(one: "GoldVersion") -> dict[str, Any]:
    return {
        "gold_version": one.gold_version,
        "in_force": one.in_force,
        "loaded_at": one.loaded_at,
        "file": one.file,
        "line": one.line,
        "labels": one.labels,
        "changed": one.changed,
        "content": one.content,
    }

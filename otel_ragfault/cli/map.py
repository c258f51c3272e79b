"""``ragfault map``: try a mapping on a file of spans."""

from collections import Counter
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from otel_ragfault.cli.failures import DONE, WRONG_INPUT
from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import File, config_option, json_option
from otel_ragfault.cli.output import complain, complain_lines, say, say_json
from otel_ragfault.counting import counted
from otel_ragfault.report.visible import visible

if TYPE_CHECKING:
    from otel_ragfault.conventions.record import StageRecord
    from otel_ragfault.jobs.trying import Tried, TriedSpan

_SHOWN: Final = 100  # spans, without --limit
_WIDEST: Final = 100
_MOST: Final = 5
_NOT_FIELDS: Final = frozenset({"kind", "internal", "twin", "problems"})


@click.command("map", epilog=example("ragfault map --try traces.jsonl --config ragfault.toml"))
@click.option("--try", "file", required=True, metavar="FILE", type=File(), help="A file of OTLP spans.")
@click.option(
    "--limit",
    default=_SHOWN,
    show_default=True,
    type=click.IntRange(min=1),
    help="Show the first spans of the file only.",
)
@config_option
@json_option
def map_spans(file: Path, *, limit: int, config_file: Path | None, as_json: bool) -> int:
    """Show what the configured mapping and the conventions read from each span of a file.

    A mapping is a [[mapping]] in ragfault.toml: which spans are which stage, and where each field lies. No database is
    needed, so that a mapping can be tried until it reads what it should; `ragfault import` and `ragfault build --all`
    then use it.
    """
    from otel_ragfault.jobs.trying import try_file
    from otel_ragfault.model import load_config

    tried = try_file(file, load_config(config_file).config.mapping, limit=limit)
    if as_json:
        say_json(_as_json(tried))
    else:
        _say(tried)
    return _complained(file, tried)


def _as_json(tried: "Tried") -> dict[str, Any]:
    return {
        "spans": tried.total,
        "conventions": dict(Counter(span.claimed_by[0] for span in tried.spans if span.claimed_by).most_common()),
        "shown": [
            {
                "trace_id": span.trace_id,
                "span_id": span.span_id,
                "name": span.name,
                "scope": span.scope,
                "claimed_by": span.claimed_by,
                "convention": span.claimed_by[0] if span.claimed_by else None,
                "kind": None if span.record is None else span.record.kind,
                "fields": {} if span.record is None else _found(span.record, as_json=True),
                "internal": span.record is not None and span.record.internal,
                "twin": span.record is not None and span.record.twin,
                "problems": () if span.record is None else span.record.problems,
            }
            for span in tried.spans
        ],
    }


def _found(record: "StageRecord", *, as_json: bool = False) -> dict[str, Any]:
    """Return the fields that a span tells, in the order of the record."""
    values = asdict(record) if as_json else {one.name: getattr(record, one.name) for one in fields(record)}
    return {name: value for name, value in values.items() if name not in _NOT_FIELDS and value is not None}


def _say(tried: "Tried") -> None:
    for span in tried.spans:
        _say_span(span)
    left = tried.total - len(tried.spans)
    say(counted(tried.total, "span") + (f", {left} of them not shown (--limit)" if left else ""))
    counts = Counter(span.claimed_by[0] if span.claimed_by else "nobody" for span in tried.spans)
    for name, count in counts.most_common():
        say(visible(f"  {count:>6}  read by {name}"))


def _say_span(span: "TriedSpan") -> None:
    scope = f" ({span.scope})" if span.scope else ""
    if not span.claimed_by:
        say(visible(f"{span.name}{scope}: no convention claims it"))
        return
    reader, *others = span.claimed_by
    also = f"; {', '.join(others)} would claim it, too" if others else ""
    say(visible(f"{span.name}{scope}: {reader}, {_kind(span.record)}{also}"))
    if span.record is None:
        return
    for name, value in _found(span.record).items():
        say(visible(f"    {name:<16}{_short(value)}"))
    for problem in span.record.problems:
        say(visible(f"    ! {problem}"))


def _kind(record: "StageRecord | None") -> str:
    if record is None:
        return "tells nothing"
    marks = [text for text, holds in (("not the answer", record.internal), ("a twin", record.twin)) if holds]
    return " ".join([record.kind or "no stage", *(f"({mark})" for mark in marks)])


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        items = [_item(item) for item in value[:_MOST]]
        more = [f"and {len(value) - _MOST} more"] if len(value) > _MOST else []
        return f"{len(value)}: {', '.join([*items, *more])}" if value else "empty"
    text = str(value) if not isinstance(value, str) else repr(value)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}… ({len(text)} characters)"


def _item(item: Any) -> str:
    if item is None or isinstance(item, str):
        return "(no id)" if item is None else item
    parts = ["(no id)" if item.id is None else item.id]
    parts += [] if item.score is None else [f"{item.score:.4g}"]
    parts += [] if item.text is None else [f"{len(item.text)} characters"]
    return parts[0] if len(parts) == 1 else f"{parts[0]} ({', '.join(parts[1:])})"


def _complained(file: Path, tried: "Tried") -> int:
    report = tried.report
    if report is None or report.complete:
        return DONE
    complain_lines(report.problems)
    complain(f"{file}: parts of the file could not be read as OTLP spans; correct them, or name another file")
    return WRONG_INPUT

"""``ragfault doctor``: what each pipeline fails to record, and how to mend it."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import config_option, db_option, json_option
from otel_ragfault.cli.output import say, say_json
from otel_ragfault.counting import counted
from otel_ragfault.report.visible import visible

if TYPE_CHECKING:
    from otel_ragfault.cli.tables import Align
    from otel_ragfault.jobs.doctor import Diagnosis, Group
    from otel_ragfault.jobs.doctor_problems import Problem

_SOURCES: Final = {"explicit": "recorded", "text_match": "found by text", "id_lookup": "found by id"}
_MOST: Final = 5  # services that are named beside a problem


@click.command(epilog=example("ragfault doctor --db rag.duckdb"))
@db_option
@config_option
@json_option
def doctor(db: Path, config_file: Path | None, *, as_json: bool) -> None:
    """Say what each pipeline fails to record, which labels are out of reach for it, and the exact fix.

    Works without gold. Nothing is changed beyond loading what waits in the spool and building the records of new spans.
    """
    from otel_ragfault.cli.database import reading
    from otel_ragfault.jobs.doctor import examine
    from otel_ragfault.model import load_config

    config = load_config(config_file).config
    with reading(db) as con:
        found = examine(con, config)
    if as_json:
        say_json(_as_json(found))
    else:
        _say(found)


def _as_json(found: "Diagnosis") -> dict[str, Any]:
    return {
        "requests": found.requests,
        "conventions": found.conventions,
        "fields": _fields(found.present, found.requests),
        "prompt_ids": found.prompt_sources,
        "gold": {"cases": found.loaded.gold_cases, "requests": found.with_gold},
        "traces_without_request": found.loaded.without_request,
        "services": [
            {
                "service": group.service,
                "convention": group.convention,
                "requests": group.requests,
                "instrumentations": group.instrumentations,
                "fields": _fields(group.present, group.requests),
                "prompt_ids": group.prompt_sources,
            }
            for group in found.groups
        ],
        "unreachable": [asdict(label) for label in found.unreachable],
        "problems": [asdict(problem) for problem in found.problems],
    }


def _fields(present: dict[str, int], requests: int) -> dict[str, dict[str, int]]:
    return {name: {"present": count, "missing": requests - count} for name, count in present.items()}


# --- for people ------------------------------------------------------------------------------------------------------


def _say(found: "Diagnosis") -> None:
    rest = found.loaded.without_request
    aside = f"; {counted(rest, 'more trace holds', 'more traces hold')} no request" if rest and found.requests else ""
    say(f"{counted(found.requests, 'request')}, {found.with_gold} with gold{aside}")
    if found.groups:
        _say_fields(found)
    if found.unreachable:
        _say_labels(found)
    say()
    if not found.problems:
        say("nothing is missing")
    for number, problem in enumerate(found.problems, start=1):
        _say_problem(number, problem)


def _say_fields(found: "Diagnosis") -> None:
    from otel_ragfault.cli.tables import say_table

    say()
    for number, group in enumerate(found.groups, start=1):
        written = f", written by {', '.join(group.instrumentations)}" if group.instrumentations else ""
        requests = counted(group.requests, "request")
        say(visible(f"[{number}] {_service(group.service)}: {requests} in {group.convention}{written}"))
    say()
    names = ["recorded by", *(f"[{number}]" for number in range(1, len(found.groups) + 1))]
    rows = [[name, *(_share(group.present[name], group.requests) for group in found.groups)] for name in found.present]
    at = list(found.present).index("prompt_ids") + 1
    rows[at:at] = [[f"  {text}", *(_source(group, key) for group in found.groups)] for key, text in _SOURCES.items()]
    sides: list[Align] = ["right" for _ in found.groups]
    say_table(names, rows, ["left", *sides])


def _source(group: "Group", key: str) -> str:
    return _share(group.prompt_sources.get(key, 0), group.requests)


def _share(count: int, requests: int) -> str:
    return f"{count}/{requests}" if count else "-"


def _service(name: str | None) -> str:
    return "(no service name)" if name is None else name


def _say_labels(found: "Diagnosis") -> None:
    from otel_ragfault.cli.tables import say_table

    say()
    rows = [
        [label.label, _share(label.requests, found.requests), ", ".join(label.missing)] for label in found.unreachable
    ]
    say_table(["label out of reach", "requests", "for want of"], rows, ["left", "right", "left"])


def _say_problem(number: int, problem: "Problem") -> None:
    names = [_service(name) for name in problem.services]
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    place = f" of {', '.join(names[:_MOST])}{more}" if names else ""
    say(visible(f"{number}. {problem.code}: {counted(problem.count, 'request')}{place}"))
    say(f"   {problem.meaning}")
    for line in problem.fix.splitlines():
        say(f"       {line}")

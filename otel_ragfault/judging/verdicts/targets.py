"""Targets of verdicts that name nothing: a claim of ours, a gold claim or a citation that is not there."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import UUID

import orjson
import pyarrow as pa

from otel_ragfault.judging.verdicts.claims import claims_of
from otel_ragfault.judging.verdicts.line import VerdictLine
from otel_ragfault.model import Problem
from otel_ragfault.model.wording import shown
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Cites = Callable[[str, Sequence[str | None]], Iterable[str]]
"""From the text of an answer and the ids of the chunks in its prompt, in order, to the chunks that it cites."""

_OURS: Final = re.compile(r"s[0-9]+")
_OF_AN_ANSWER: Final = ("claim_support", "claim_correct")
_MOST_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class _Known:
    """What a request has: ``None`` where nobody recorded it, so that nothing can be missing."""

    claims: tuple[str, ...] | None
    gold: tuple[str, ...] | None
    cited: tuple[str, ...] | None


def target_problems(
    con: "DuckDBPyConnection",
    path: Path,
    lines: list[tuple[int, VerdictLine]],
    requests: dict[int, list[UUID]],
    cites: Cites | None,
) -> Iterator[Problem]:
    """Yield a problem for each id that looks like one of ours, or of gold, or of a citation, and is none.

    Claims that somebody brings under ids of another kind are theirs, and are left alone.
    """
    aimed = [(number, line) for number, line in lines if line.target is not None]
    known = _known(con, {requests[number][0] for number, _ in aimed}, cites) if aimed else {}
    for number, line in aimed:
        for field, reason in _faults(line, known[requests[number][0]]):
            yield Problem(str(path), number, field, reason)


def _known(con: "DuckDBPyConnection", requests: set[UUID], cites: Cites | None) -> dict[UUID, _Known]:
    con.register("aimed_request", pa.table({"request_id": pa.array([str(one) for one in requests], pa.string())}))
    try:
        rows = con.execute(read_query("judging", "targets").body).fetchall()
    finally:
        con.unregister("aimed_request")
    return {row[0]: _read(row[1], row[2], row[3], row[4], cites) for row in rows}


def _read(
    answer: str | None,
    prompt_ids: list[str | None] | None,
    recorded: list[str] | None,
    gold: str | None,
    cites: Cites | None,
) -> _Known:
    claims = None if answer is None else tuple(claim.claim_id for claim in claims_of(answer))
    cited = None
    if cites is not None and (answer is not None or recorded is not None):
        cited = tuple(dict.fromkeys([*(recorded or ()), *cites(answer or "", prompt_ids or ())]))
    named = None if gold is None else tuple(str(claim["id"]) for claim in orjson.loads(gold))
    return _Known(claims, named, cited)


def _faults(line: VerdictLine, known: _Known) -> Iterator[tuple[str, str]]:
    target, claim = line.target or "", line.claim_id or ""
    if line.subject in _OF_AN_ANSWER and _is_missing(target, known.claims) and _OURS.fullmatch(target):
        yield "target", _reason(target, "claim of this answer", known.claims)
    if line.subject == "claim_found" and _is_missing(target, known.gold):
        yield "target", _reason(target, "gold claim of this case", known.gold)
    if line.subject == "citation":
        if _is_missing(target, known.cited):
            yield "target", _reason(target, "chunk that this answer cites", known.cited)
        if _is_missing(claim, known.claims) and _OURS.fullmatch(claim):
            yield "claim_id", _reason(claim, "claim of this answer", known.claims)


def _is_missing(found: str, there: tuple[str, ...] | None) -> bool:
    return there is not None and found not in there


def _reason(found: str, what: str, there: tuple[str, ...] | None) -> str:
    if not there:
        return f"found {shown(found)}, which is no {what}; there is none at all, so remove the line"
    more = f" and {len(there) - _MOST_SHOWN} more" if len(there) > _MOST_SHOWN else ""
    return f"found {shown(found)}, which is no {what}; wanted one of {', '.join(there[:_MOST_SHOWN])}{more}"

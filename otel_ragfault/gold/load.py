"""Load a gold file into the database: all of it in one transaction, in bulk through Arrow."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pyarrow as pa

from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError
from otel_ragfault.gold.check import GoldFile, check_gold
from otel_ragfault.gold.resolve import DEFAULT_THRESHOLD, look_up, store_resolved
from otel_ragfault.gold.resolved import Placed, Resolved
from otel_ragfault.model import GoldCase, InvalidFileError, Problem, Quote
from otel_ragfault.model.evidence import members
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TIME = pa.timestamp("us")
_CASES = pa.schema(
    {
        "case_id": pa.string(),
        "query": pa.string(),
        "expect": pa.string(),
        "answer_check": pa.string(),
        "claims": pa.string(),
        "relevance": pa.string(),
        "as_of": _TIME,
        "tags": pa.list_(pa.string()),
        "acceptable_sources": pa.list_(pa.string()),
        "labelled_by": pa.string(),
        "labelled_at": _TIME,
        "source": pa.string(),
        "file": pa.string(),
        "line": pa.uint64(),
        "gold_version": pa.string(),
        "content": pa.string(),
    }
)
_EVIDENCE = pa.schema(
    {
        "case_id": pa.string(),
        "group_no": pa.uint32(),
        "member_no": pa.uint32(),
        "chunk_id": pa.string(),
        "doc_id": pa.string(),
        "quote": pa.string(),
    }
)


@dataclass(frozen=True, slots=True)
class LoadedGold:
    """What was loaded.

    Attributes:
        cases: cases loaded.
        evidence_members: members of their evidence groups.
        added: how many of the cases were not loaded before.
        changed: how many were loaded before, and said something else.
        unchanged: how many were loaded before, and said the same.
        skipped: invalid lines that were passed over.
        quotes: members that are named by a quote.
        lost: how many of these were found in no text of some loaded snapshot.
        warnings: what a person should look at.
    """

    cases: int
    evidence_members: int
    added: int
    changed: int
    unchanged: int
    skipped: int
    quotes: int
    lost: int
    warnings: tuple[Problem, ...]


def load_gold(
    con: "DuckDBPyConnection",
    path: Path | str,
    *,
    skip_invalid: bool = False,
    allow_contradictions: bool = False,
    threshold: float = DEFAULT_THRESHOLD,
) -> LoadedGold:
    """Load the cases of a gold file. A case that is there already is replaced, with its evidence; others stay.

    Quotes are resolved in every snapshot that is loaded.

    Args:
        con: a database opened for writing, outside of a transaction.
        path: the gold file.
        skip_invalid: load the valid lines of a file that has invalid ones, instead of nothing.
        allow_contradictions: let cases ask the same and say something else.
        threshold: how alike a text has to be to a quote where it is not equal.

    Raises:
        InvalidFileError: a line is invalid and ``skip_invalid`` is not set; it carries every problem.
        InputError: the file cannot be read, or no line of it can be loaded.
    """
    found, resolved = check_against(con, path, allow_contradictions=allow_contradictions, threshold=threshold)
    if found.problems and not skip_invalid:
        raise InvalidFileError(found.problems, "correct the file, or pass --skip-invalid to load its valid lines")
    cases, skipped = found.placed, found.invalid_lines
    if not cases:
        invalid = counted(skipped, "invalid line")
        raise InputError(f"{path}: holds no case that can be loaded ({invalid}); check the file")
    evidence = _evidence_table(cases)
    valid = {placed.line for placed in cases}
    kept = [one for one in resolved if one.asked.placed.line in valid]
    added, changed, unchanged = _store(con, _case_table(cases), evidence, kept, threshold)
    quotes = evidence.num_rows - evidence["quote"].null_count
    lost = {(one.asked.placed.line, one.asked.field) for one in kept if one.found.state == "unresolved"}
    return LoadedGold(
        cases=len(cases),
        evidence_members=evidence.num_rows,
        added=added,
        changed=changed,
        unchanged=unchanged,
        skipped=skipped,
        quotes=quotes,
        lost=len(lost),
        warnings=found.warnings,
    )


def check_against(
    con: "DuckDBPyConnection",
    path: Path | str,
    *,
    allow_contradictions: bool = False,
    threshold: float = DEFAULT_THRESHOLD,
) -> tuple[GoldFile, list[Resolved]]:
    """Check a gold file against a database: its gold, and the texts of its snapshots. Nothing is stored.

    Returns:
        What the file holds, with quotes that are ambiguous among its problems; and what became of each quote.

    Raises:
        InputError: the file cannot be read.
    """
    found = check_gold(path, con=con, allow_contradictions=allow_contradictions)
    resolved = look_up(con, found.placed, threshold)
    ambiguous = {(problem.line, problem.field): problem for one in resolved if (problem := one.problem)}
    lines = {line for line, _ in ambiguous}
    checked = GoldFile(
        found.path,
        tuple((line, case) for line, case in found.cases if line not in lines),
        tuple(sorted((*found.problems, *ambiguous.values()))),
        found.warnings,
        found.invalid_lines + len(lines),
    )
    return checked, resolved


def _case_table(cases: Iterable[Placed]) -> pa.Table:
    return pa.Table.from_pylist([_case_row(placed) for placed in cases], schema=_CASES)


def _case_row(placed: Placed) -> dict[str, object]:
    case = placed.case
    return {
        "case_id": case.case_id,
        "query": case.query,
        "expect": case.expect,
        "answer_check": None if case.answer.is_empty else _json(case.answer.as_json()),
        "claims": _json([claim.model_dump(mode="json") for claim in case.claims]) if case.claims else None,
        "relevance": _json(case.relevance) if case.relevance else None,
        "as_of": _naive(case.as_of),
        "tags": list(case.tags),
        "acceptable_sources": list(case.acceptable_sources) or None,
        "labelled_by": case.labelled_by,
        "labelled_at": _naive(case.labelled_at),
        "source": case.source,
        "file": placed.file,
        "line": placed.line,
        "gold_version": case.version,
        "content": case.line,
    }


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _naive(time: datetime | None) -> datetime | None:
    return None if time is None else time.astimezone(UTC).replace(tzinfo=None)


def _evidence_table(cases: Iterable[Placed]) -> pa.Table:
    rows = [row for placed in cases for row in _evidence_rows(placed.case)]
    columns = list(zip(*rows, strict=True)) or [()] * len(_EVIDENCE)
    return pa.table(dict(zip(_EVIDENCE.names, columns, strict=True)), schema=_EVIDENCE)


def _evidence_rows(case: GoldCase) -> Iterator[tuple[object, ...]]:
    for group_no, member_no, member in members(case.evidence):
        named = (None, member.doc_id, member.quote) if isinstance(member, Quote) else (member, None, None)
        yield (case.case_id, group_no, member_no, *named)


def _store(
    con: "DuckDBPyConnection", cases: pa.Table, evidence: pa.Table, resolved: Sequence[Resolved], threshold: float
) -> tuple[int, int, int]:
    """Store the cases; return how many were added, how many changed, and how many stayed what they are."""
    now = {"loaded_at": datetime.now(UTC).replace(tzinfo=None)}
    with transaction(con):
        con.register("incoming_case", cases)
        con.register("incoming_evidence", evidence)
        try:
            ((added, changed, unchanged),) = con.execute(read_query("gold", "compare_cases").body).fetchall()
            for name in ("delete_cases", "delete_evidence", "delete_resolved_quotes", "delete_resolved_evidence"):
                con.execute(read_query("gold", name).body)
            con.execute(read_query("gold", "insert_cases").body, now)
            con.execute(read_query("gold", "insert_versions").body, now)
            con.execute(read_query("gold", "insert_evidence").body)
            store_resolved(con, resolved, threshold)
        finally:
            con.unregister("incoming_case")
            con.unregister("incoming_evidence")
    return added, changed, unchanged

"""Load a gold file into the database: all of it in one transaction, in bulk through Arrow."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pyarrow as pa

from otel_ragfault.errors import InputError
from otel_ragfault.gold.check import GoldFile, check_gold
from otel_ragfault.model import GoldCase, InvalidFileError, Problem
from otel_ragfault.model.evidence import chunk_ids, quotes
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
        "labelled_by": pa.string(),
        "labelled_at": _TIME,
        "gold_version": pa.string(),
    }
)
_EVIDENCE = pa.schema(
    {"case_id": pa.string(), "group_no": pa.uint32(), "member_no": pa.uint32(), "chunk_id": pa.string()}
)


@dataclass(frozen=True, slots=True)
class LoadedGold:
    """What was loaded.

    Attributes:
        cases: cases loaded.
        evidence_members: members of their evidence groups.
        replaced: how many of the cases were there before.
        skipped: invalid lines that were passed over.
        warnings: what a person should look at.
    """

    cases: int
    evidence_members: int
    replaced: int
    skipped: int
    warnings: tuple[Problem, ...]


def load_gold(con: "DuckDBPyConnection", path: Path | str, *, skip_invalid: bool = False) -> LoadedGold:
    """Load the cases of a gold file. A case that is there already is replaced, with its evidence.

    Args:
        con: a database opened for writing, outside of a transaction.
        path: the gold file.
        skip_invalid: load the valid lines of a file that has invalid ones, instead of nothing.

    Raises:
        InvalidFileError: a line is invalid and ``skip_invalid`` is not set; it carries every problem.
        InputError: the file cannot be read, or no line of it can be loaded.
    """
    found = check_gold(path)
    cases, unresolved = _loadable(found)
    problems = sorted((*found.problems, *unresolved))
    if problems and not skip_invalid:
        raise InvalidFileError(problems, "correct the file, or pass --skip-invalid to load its valid lines")
    skipped = found.invalid_lines + len({problem.line for problem in unresolved})
    if not cases:
        raise InputError(f"{path}: holds no case that can be loaded ({skipped} invalid lines); check the file")
    evidence = _evidence_table(cases)
    replaced = _store(con, _case_table(cases), evidence)
    return LoadedGold(len(cases), evidence.num_rows, replaced, skipped, found.warnings)


def _loadable(found: GoldFile) -> tuple[list[GoldCase], list[Problem]]:
    """Separate the cases whose evidence is all chunk ids from the problems of those that name quotes."""
    cases, problems = [], []
    for line, case in found.cases:
        unresolved = [
            Problem(
                str(found.path),
                line,
                f"evidence[{group_no}][{member_no}]",
                "a quote has to be resolved to a chunk id, which this version cannot do; name the chunk id",
            )
            for group_no, member_no, _ in quotes(case.evidence)
        ]
        problems += unresolved
        if not unresolved:
            cases.append(case)
    return cases, problems


def _case_table(cases: Iterable[GoldCase]) -> pa.Table:
    return pa.Table.from_pylist([_case_row(case) for case in cases], schema=_CASES)


def _case_row(case: GoldCase) -> dict[str, object]:
    return {
        "case_id": case.case_id,
        "query": case.query,
        "expect": case.expect,
        "answer_check": None if case.answer.is_empty else _json(case.answer.as_json()),
        "claims": _json([claim.model_dump(mode="json") for claim in case.claims]) if case.claims else None,
        "relevance": _json(case.relevance) if case.relevance else None,
        "as_of": _naive(case.as_of),
        "tags": list(case.tags),
        "labelled_by": case.labelled_by,
        "labelled_at": _naive(case.labelled_at),
        "gold_version": case.version,
    }


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _naive(time: datetime | None) -> datetime | None:
    return None if time is None else time.astimezone(UTC).replace(tzinfo=None)


def _evidence_table(cases: Iterable[GoldCase]) -> pa.Table:
    rows = [(case.case_id, *member) for case in cases for member in chunk_ids(case.evidence)]
    columns = list(zip(*rows, strict=True)) or [()] * len(_EVIDENCE)
    return pa.table(dict(zip(_EVIDENCE.names, columns, strict=True)), schema=_EVIDENCE)


def _store(con: "DuckDBPyConnection", cases: pa.Table, evidence: pa.Table) -> int:
    with transaction(con):
        con.register("incoming_case", cases)
        con.register("incoming_evidence", evidence)
        try:
            rows = con.execute(read_query("gold", "delete_cases").body).fetchall()
            con.execute(read_query("gold", "delete_evidence").body)
            con.execute(read_query("gold", "insert_cases").body, {"loaded_at": datetime.now(UTC).replace(tzinfo=None)})
            con.execute(read_query("gold", "insert_evidence").body)
        finally:
            con.unregister("incoming_case")
            con.unregister("incoming_evidence")
    return int(rows[0][0])

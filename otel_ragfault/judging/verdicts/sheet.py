"""A sheet that people fill in: a line for each thing to be judged, with what has to be read for it."""

import csv
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Final

from otel_ragfault.judging.verdicts.claims import EXTRACTOR_VERSION
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SHEET_COLUMNS: Final = (
    "request_id",
    "case_id",
    "run_id",
    "subject",
    "target",
    "claim_id",
    "claim",
    "query",
    "expected",
    "answer",
    "value",
    "reason",
    "judge",
)
_READ_ONLY: Final = ("query", "expected", "answer")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def write_sheet(
    con: "DuckDBPyConnection",
    file: IO[str],
    subjects: Sequence[str],
    *,
    limit: int | None = None,
    disputed: bool = False,
    judged_too: bool = False,
) -> int:
    """Write a sheet as CSV and return how many lines it has.

    A cell to be read that a spreadsheet would run as a formula begins with an apostrophe: texts come from anywhere.

    Args:
        con: a database with its claims extracted and its requests joined to gold (relation ``joined``).
        file: a text file, opened without translation of line ends.
        subjects: what is to be judged.
        limit: requests at the most.
        disputed: only what sources say against each other.
        judged_too: also what people have judged already.
    """
    result = con.execute(
        read_query("judging", "sheet").body,
        {
            "subjects": list(subjects),
            "version": EXTRACTOR_VERSION,
            "disputed": disputed,
            "judged_too": judged_too,
            "limit": limit,
        },
    )
    names = [column[0] for column in result.description]
    rows = result.fetchall()
    writer = csv.DictWriter(file, SHEET_COLUMNS, restval="")
    writer.writeheader()
    for row in rows:
        told = {name: "" if value is None else str(value) for name, value in zip(names, row, strict=True)}
        writer.writerow({name: _safe(text) if name in _READ_ONLY else text for name, text in told.items()})
    return len(rows)


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text

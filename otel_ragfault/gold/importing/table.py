"""Gold as a table with a row a case; further rows of a case add what it requires.

Columns: ``case_id``, ``query``, ``expect``, ``evidence`` (groups of alternatives, ``c08|c09;c11``), ``quote`` and
``doc_id`` (one more group: the passage), ``must_contain``, ``must_not_contain``, ``matches``, ``equals``, ``number``,
``tolerance``, ``relevance`` (``c08=2;c09=1``), ``as_of``, ``tags``, ``acceptable_sources``, ``labelled_by``,
``labelled_at``, ``source``. Lists are separated by ``;``, alternatives by ``|``. Only ``query`` has to be there.
"""

from pathlib import Path
from typing import Any, Final

from otel_ragfault.gold.importing.cells import split_cell
from otel_ragfault.gold.importing.draft import Draft, Drafts, case_id_of
from otel_ragfault.gold.importing.rows import read_table
from otel_ragfault.model import Problem

_PLAIN: Final = ("query", "expect", "as_of", "labelled_by", "labelled_at", "source")
_LISTS: Final = ("tags", "acceptable_sources")
_CHECKS: Final = ("must_contain", "must_not_contain")
_KNOWN: Final = frozenset(
    (
        *_PLAIN,
        *_LISTS,
        *_CHECKS,
        "case_id",
        "evidence",
        "quote",
        "doc_id",
        "matches",
        "equals",
        "number",
        "tolerance",
        "relevance",
    )
)


def read_csv(path: Path, *, separator: str = ";", alternative: str = "|") -> Drafts:
    """Read a table of cases.

    Args:
        path: the file.
        separator: between the items of a list.
        alternative: between the alternatives of a group.

    Raises:
        InputError: the file cannot be read.
    """
    found = Drafts(path)
    by_id: dict[str, Draft] = {}
    for row in read_table(path):
        if isinstance(row, Problem):
            found.problems.append(row)
            continue
        line, cells = row
        filled = {name: cell.strip() for name, cell in cells.items() if cell and cell.strip()}
        if not filled:
            continue
        found.pass_over(filled, _KNOWN)
        _add(found, by_id, line, filled, separator, alternative)
    return found


def _add(
    found: Drafts, by_id: dict[str, Draft], line: int, cells: dict[str, str], separator: str, alternative: str
) -> None:
    case_id = cells.get("case_id") or (case_id_of(cells["query"], "csv") if "query" in cells else None)
    if case_id is None:
        found.refuse(line, "query", "is missing, and the row names no case_id of a row above")
        return
    try:
        groups, extra = _groups(cells, separator, alternative), _case(cells, separator)
    except ValueError as error:
        found.refuse(line, "relevance", str(error))
        return
    first = by_id.get(case_id)
    if first is None:
        if "query" not in cells:
            found.refuse(line, "query", f"is missing in the first row of case {case_id!r}")
            return
        found.add(line, {"case_id": case_id, **extra, "evidence": groups})
        by_id[case_id] = found.drafts[-1]
        return
    other = [name for name, value in extra.items() if first.case.get(name, value) != value]
    if other:
        found.refuse(line, other[0], f"differs from line {first.line}, which is of the same case {case_id!r}")
        return
    first.case["evidence"] += groups
    first.case.update(extra)


def _groups(cells: dict[str, str], separator: str, alternative: str) -> list[list[Any]]:
    groups: list[list[Any]] = [split_cell(group, alternative) for group in split_cell(cells.get("evidence"), separator)]
    if "quote" in cells:
        quote = {"quote": cells["quote"]}
        groups.append([{"doc_id": cells["doc_id"], **quote} if "doc_id" in cells else quote])
    return groups


def _case(cells: dict[str, str], separator: str) -> dict[str, Any]:
    case: dict[str, Any] = {name: cells[name] for name in _PLAIN if name in cells}
    case |= {name: split_cell(cells[name], separator) for name in _LISTS if name in cells}
    answer: dict[str, Any] = {name: split_cell(cells[name], separator) for name in _CHECKS if name in cells}
    answer |= {name: cells[name] for name in ("matches", "equals") if name in cells}
    if "number" in cells:
        answer["number"] = {"value": _number(cells["number"]), "tolerance": _number(cells.get("tolerance", "0"))}
    if answer:
        case["answer"] = answer
    if "relevance" in cells:
        case["relevance"] = dict(_grade(item) for item in split_cell(cells["relevance"], separator))
    return case


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text  # the model says what is wrong with it


def _grade(item: str) -> tuple[str, int]:
    chunk, equals, grade = item.rpartition("=")
    if not equals or not grade.strip().isdecimal():
        raise ValueError(f"found {item!r}, wanted a chunk and its grade, such as c08=2")
    return chunk.strip(), int(grade)

"""Relevance judgements of BEIR and TREC.

BEIR: ``qrels/test.tsv`` with the heading ``query-id  corpus-id  score`` (or JSON lines of these), and ``queries.jsonl``
of ``{"_id", "text"}``. TREC: ``topic iteration document grade``, separated by blanks, and queries as
``topic<TAB>text``.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError
from otel_ragfault.gold.importing.draft import Drafts
from otel_ragfault.gold.importing.rows import read_rows
from otel_ragfault.model import Problem

_QUERY: Final = ("query-id", "query_id", "qid", "topic")
_CHUNK: Final = ("corpus-id", "corpus_id", "doc_id", "docid", "pid")
_GRADE: Final = ("score", "relevance", "grade", "rel")
_TREC_COLUMNS = 4
Judgement = tuple[int, str, str, str]
_Grades = dict[str, dict[str, int]]


def read_qrels(path: Path, *, queries: Path, trec: bool, require_all: bool = False, relevant_from: int = 1) -> Drafts:
    """Read judgements. The relevant chunks of a query are alternatives of one group, or each a group of its own.

    Args:
        path: the judgements.
        queries: the texts of the queries.
        trec: the file is of TREC, not of BEIR.
        require_all: every relevant chunk is required.
        relevant_from: the lowest grade that is relevant.

    Raises:
        InputError: a file cannot be read.
    """
    found = Drafts(path)
    texts = _queries(queries)
    grades: _Grades = defaultdict(dict)
    lines: dict[str, int] = {}
    for one in _trec(path) if trec else _beir(path):
        if isinstance(one, Problem):
            found.problems.append(one)
        else:
            lines.setdefault(one[1], one[0])
            _judge(found, grades, one)
    for query, judged in grades.items():
        relevant = [chunk for chunk, grade in judged.items() if grade >= relevant_from]
        if query not in texts:
            found.refuse(lines[query], "query", f"{query!r} is not in {queries}")
        elif not relevant:
            found.refuse(lines[query], "evidence", f"query {query!r} has no chunk of grade {relevant_from} or more")
        else:
            groups = [[chunk] for chunk in relevant] if require_all else [relevant]
            found.add(lines[query], {"case_id": query, "query": texts[query], "evidence": groups, "relevance": judged})
    unjudged = len(texts.keys() - grades.keys())
    if unjudged:
        found.passed_over["queries without judgements"] = unjudged
    return found


def _judge(found: Drafts, grades: _Grades, judgement: Judgement) -> None:
    line, query, chunk, written = judgement
    try:
        grade = int(float(written)) if float(written).is_integer() else None
    except (ValueError, OverflowError):
        grade = None
    if grade is None:
        found.refuse(line, "score", f"found {written!r}, wanted a whole number")
        return
    if grade < 0:  # TREC marks spam so; for recall it is not relevant
        found.passed_over["negative grades, taken as 0"] += 1
        grade = 0
    if grades[query].setdefault(chunk, grade) != grade:
        found.refuse(line, "score", f"chunk {chunk!r} of query {query!r} was judged {grades[query][chunk]} above")


def _beir(path: Path) -> Iterator[Judgement | Problem]:
    for row in read_rows(path):
        if isinstance(row, Problem):
            yield row
            continue
        line, cells = row
        values = [_first(cells, names) for names in (_QUERY, _CHUNK, _GRADE)]
        if any(value is None for value in values):
            yield Problem(str(path), line, "", "wanted the columns query-id, corpus-id and score")
            return
        query, chunk, grade = (str(value).strip() for value in values)
        yield line, query, chunk, grade


def _trec(path: Path) -> Iterator[Judgement | Problem]:
    for number, line in enumerate(_lines(path), start=1):
        cells = line.split()
        if len(cells) == _TREC_COLUMNS:
            yield number, cells[0], cells[2], cells[3]
        elif cells:
            reason = f"found {counted(len(cells), 'column')}, wanted: topic iteration document grade"
            yield Problem(str(path), number, "", reason)


def _queries(path: Path) -> dict[str, str]:
    if path.suffix.lower() in {".jsonl", ".json"}:
        rows = [row for row in read_rows(path) if not isinstance(row, Problem)]
        found = {str(_first(cells, ("_id", "id", *_QUERY))): str(_first(cells, ("text", "query"))) for _, cells in rows}
    else:
        pairs = (line.rstrip("\n").split("\t", 1) for line in _lines(path))
        found = {pair[0].strip(): pair[1].strip() for pair in pairs if len(pair) > 1}
    if not found:
        raise InputError(f'{path}: holds no query; lines of {{"_id": …, "text": …}} or topic<TAB>text were wanted')
    return found


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); a text in UTF-8 was wanted; check the name") from error


def _first(cells: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((cells[name] for name in names if cells.get(name) not in (None, "")), None)

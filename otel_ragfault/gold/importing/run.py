"""Import gold of another tool: read it, check each case, write the valid ones as a gold file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from otel_ragfault.errors import InputError
from otel_ragfault.gold.contradictions import contradictions_within
from otel_ragfault.gold.importing.draft import Drafts
from otel_ragfault.gold.importing.examples import read_langfuse, read_phoenix
from otel_ragfault.gold.importing.qrels import read_qrels
from otel_ragfault.gold.importing.ragas import read_ragas
from otel_ragfault.gold.importing.table import read_csv
from otel_ragfault.gold.resolved import Placed
from otel_ragfault.model import GoldCase, Problem
from otel_ragfault.model.conditions import impossible
from otel_ragfault.model.problems import faults

FORMATS: Final = ("csv", "beir", "trec", "ragas", "phoenix", "langfuse")


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file.

    Attributes:
        out: the gold file that was written.
        cases: cases in it.
        quotes: how many of their members are named by a quote.
        problems: what made no case, and why.
        passed_over: what gold has no place for, and in how many rows it was.
    """

    out: Path
    cases: int
    quotes: int
    problems: tuple[Problem, ...]
    passed_over: dict[str, int]


def import_gold(
    path: Path,
    out: Path,
    kind: str,
    *,
    queries: Path | None = None,
    require_all: bool = False,
    relevant_from: int = 1,
    source: str | None = None,
) -> Imported:
    """Write a gold file from a file of another tool. Rows that make no valid case are left out and named.

    Args:
        path: the file.
        out: the gold file to write.
        kind: one of :data:`FORMATS`.
        queries: the texts of the queries, for ``beir`` and ``trec``.
        require_all: for these, every relevant chunk is required; by default any is enough.
        relevant_from: for these, the lowest grade that is relevant.
        source: where the labels come from; by default the format and the name of the file.

    Raises:
        InputError: a file cannot be read or written, or holds nothing that makes a case.
    """
    found = _read(path, kind, queries, require_all=require_all, relevant_from=relevant_from)
    cases = _checked(found, source or f"{kind}:{path.name}")
    for problem in list(contradictions_within(cases)):
        found.problems.append(problem)
    contradicting = {problem.line for problem in found.problems}
    kept = [placed.case for placed in cases if placed.line not in contradicting]
    if not kept:
        first = f"; first: {min(found.problems)}" if found.problems else ""
        raise InputError(
            f"{path}: holds nothing that makes a case of gold ({kind} was wanted){first}; check the format"
        )
    try:
        out.write_text("".join(f"{case.line}\n" for case in kept), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror or error}); name another file") from error
    quotes = sum(not isinstance(member, str) for case in kept for group in case.evidence for member in group)
    return Imported(out, len(kept), quotes, tuple(sorted(found.problems)), dict(found.passed_over.most_common()))


def _read(path: Path, kind: str, queries: Path | None, *, require_all: bool, relevant_from: int) -> Drafts:
    if kind in {"beir", "trec"}:
        if queries is None:
            raise InputError(f"{kind}: judgements hold no questions; a file of queries was wanted; pass --queries FILE")
        return read_qrels(
            path, queries=queries, trec=kind == "trec", require_all=require_all, relevant_from=relevant_from
        )
    readers = {"csv": read_csv, "ragas": read_ragas, "phoenix": read_phoenix, "langfuse": read_langfuse}
    return readers[kind](path)


def _checked(found: Drafts, source: str) -> list[Placed]:
    cases: list[Placed] = []
    line_of: dict[str, int] = {}
    for draft in found.drafts:
        try:
            case = GoldCase.model_validate({"source": source, **draft.case})
        except ValidationError as error:
            for field, reason in faults(error, GoldCase):
                found.refuse(draft.line, field, reason)
            continue
        contradiction = next(impossible(case.answer), None)
        if contradiction is not None:
            field, reason = contradiction
            found.refuse(draft.line, f"answer.{field}", reason)
            continue
        before = line_of.setdefault(case.case_id, draft.line)
        if before != draft.line:
            found.refuse(draft.line, "case_id", f"{case.case_id!r} is already the case of line {before}")
            continue
        cases.append(Placed(case, str(found.path), draft.line))
    return cases

"""Datasets of Ragas: what ``EvaluationDataset`` and ``Testset`` write as JSON lines or CSV.

``reference_contexts`` become quotes, each a group of its own, since Ragas asks for all of them, and
``reference_context_ids`` become ids. What the pipeline retrieved and answered (``retrieved_contexts``, ``response``) is
no gold.
"""

import re
from pathlib import Path
from typing import Any, Final

from otel_ragfault.gold.importing.cells import texts_of, value_of
from otel_ragfault.gold.importing.draft import Drafts, case_id_of
from otel_ragfault.gold.importing.rows import read_rows
from otel_ragfault.model import Problem

_QUESTION: Final = ("user_input", "question")
_ANSWER: Final = ("reference", "ground_truth", "ground_truths")
_RUN: Final = ("retrieved_contexts", "contexts", "retrieved_context_ids", "response", "answer", "multi_responses")
_TAGS: Final = ("synthesizer_name", "evolution_type", "query_style", "persona_name")
_KNOWN: Final = frozenset(
    (*_QUESTION, *_ANSWER, *_TAGS, "reference_contexts", "reference_context_ids", "case_id", "id", "")
)
_HOP = re.compile(r"^<\d+-hop>\s*")


def read_ragas(path: Path) -> Drafts:
    """Read a dataset of Ragas.

    Raises:
        InputError: the file cannot be read.
    """
    found = Drafts(path)
    for row in read_rows(path, inside=("samples", "data")):
        if isinstance(row, Problem):
            found.problems.append(row)
            continue
        line, cells = row
        found.pass_over(cells, _KNOWN)
        question = next((value_of(cells[name]) for name in _QUESTION if cells.get(name)), None)
        if isinstance(question, list):
            found.refuse(line, "user_input", "is a conversation; a case is one question")
        elif not isinstance(question, str):
            found.refuse(line, "user_input", "is missing")
        else:
            _add(found, line, cells, question)
    return found


def _add(found: Drafts, line: int, cells: dict[str, Any], question: str) -> None:
    ids = value_of(cells.get("reference_context_ids"))
    evidence: list[list[Any]] = [[one] for one in ids] if isinstance(ids, list) else []
    if not evidence:
        quotes = dict.fromkeys(_HOP.sub("", text) for text in texts_of(cells.get("reference_contexts")))
        evidence = [[{"quote": quote}] for quote in quotes]
    if not evidence:
        found.refuse(line, "reference_contexts", "is missing: without them nothing says what an answer needs")
        return
    answers = [text for name in _ANSWER for text in texts_of(cells.get(name))]
    case: dict[str, Any] = {
        "case_id": cells.get("case_id") or cells.get("id") or case_id_of(question, "ragas"),
        "query": question,
        "evidence": evidence,
        "tags": [str(cells[name]) for name in _TAGS if cells.get(name)],
    }
    if answers:
        case["meta"] = {"reference_answer": answers[0]}
    found.add(line, case)

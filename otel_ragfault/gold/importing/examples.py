"""Datasets of Phoenix and Langfuse: examples of an input, an expected output and metadata, each free in its shape.

Phoenix: ``/v1/datasets/…/examples`` (JSON), or the CSV download with columns ``input_…``, ``output_…``, ``metadata_…``.
Langfuse: dataset items as the API (``{"data": […]}``) and the export (CSV, JSON, JSON lines) give them.
"""

from pathlib import Path
from typing import Any, Final

from otel_ragfault.gold.importing.cells import texts_of, value_of
from otel_ragfault.gold.importing.draft import Drafts, case_id_of
from otel_ragfault.gold.importing.rows import read_rows
from otel_ragfault.model import Problem

_QUESTION: Final = ("query", "question", "user_input", "input", "prompt", "text", "messages")
_ANSWER: Final = (
    "answer",
    "reference",
    "reference_answer",
    "expected_output",
    "ground_truth",
    "output",
    "response",
    "ideal",
)
_IDS: Final = ("evidence", "gold_chunk_ids", "reference_context_ids", "chunk_ids", "relevant_ids", "document_ids")
_QUOTES: Final = ("reference_contexts", "contexts", "context", "quotes", "quote", "evidence_text", "passages")
_CASE: Final = ("case_id", "expect", "tags", "as_of", "labelled_by", "labelled_at", "acceptable_sources", "doc_id")
_PARTS: Final = ("input", "output", "metadata")
_PHOENIX_FRAME: Final = frozenset(
    ("example_id", "id", "updated_at", "input", "output", "metadata", "splits", "node_id")
)
_LANGFUSE_FRAME: Final = frozenset(
    ("id", "projectId", "datasetId", "datasetName", "status", "input", "expectedOutput", "metadata", "sourceTraceId",
     "sourceObservationId", "createdAt", "updatedAt", "htmlSourcePath", "validFrom")
)  # fmt: skip
_SNAKE: Final = {"expected_output": "expectedOutput", "dataset_name": "datasetName", "source_trace_id": "sourceTraceId"}


def read_phoenix(path: Path) -> Drafts:
    """Read examples of a Phoenix dataset.

    Raises:
        InputError: the file cannot be read.
    """
    found = Drafts(path)
    for row in read_rows(path, inside=("data", "examples")):
        if isinstance(row, Problem):
            found.problems.append(row)
            continue
        line, cells = row
        parts = {part: _object(cells.get(part)) for part in _PARTS}
        for part in _PARTS:
            start = f"{part}_"
            parts[part] |= {name[len(start) :]: value for name, value in cells.items() if name.startswith(start)}
        rest = {name: value for name, value in cells.items() if not name.startswith(("input_", "output_", "metadata_"))}
        found.pass_over(rest, _PHOENIX_FRAME)
        _add(found, line, parts, cells.get("example_id") or cells.get("id"), "phoenix")
    return found


def read_langfuse(path: Path) -> Drafts:
    """Read items of a Langfuse dataset. Archived items are passed over.

    Raises:
        InputError: the file cannot be read.
    """
    found = Drafts(path)
    for row in read_rows(path, inside=("data", "items")):
        if isinstance(row, Problem):
            found.problems.append(row)
            continue
        line, cells = row[0], {_SNAKE.get(name, name): value for name, value in row[1].items()}
        if cells.get("status") == "ARCHIVED":
            found.passed_over["archived items"] += 1
            continue
        found.pass_over(cells, _LANGFUSE_FRAME)
        parts = {
            "input": _object(cells.get("input")),
            "output": _object(cells.get("expectedOutput")),
            "metadata": _object(cells.get("metadata")),
        }
        _add(found, line, parts, cells.get("id"), "langfuse")
    return found


def _object(value: Any) -> dict[str, Any]:
    """Return a part as an object; a bare text or list stands under the empty name."""
    found = value_of(value)
    if isinstance(found, dict):
        return dict(found)
    return {} if found in (None, "") else {"": found}


def _add(found: Drafts, line: int, parts: dict[str, dict[str, Any]], identity: Any, tool: str) -> None:
    question = _question(parts["input"])
    if question is None:
        found.refuse(line, "input", f"holds no question; wanted a text, or one under {', '.join(_QUESTION)}")
        return
    known = frozenset(("", *_QUESTION, *_ANSWER, *_IDS, *_QUOTES, *_CASE))
    for part in _PARTS:
        found.pass_over({f"{part}.{name}": value for name, value in parts[part].items() if name not in known}, known)
    merged = parts["input"] | parts["metadata"] | parts["output"]
    case = {name: value_of(merged[name]) for name in _CASE if name != "doc_id" and merged.get(name) not in (None, "")}
    evidence = _evidence(merged)
    if not evidence and case.get("expect") not in {"refuse", "clarify"}:
        found.refuse(
            line, "evidence", f"names none: no ids under {', '.join(_IDS)}, no texts under {', '.join(_QUOTES)}"
        )
        return
    answer = _text(parts["output"], _ANSWER)
    case = {"case_id": identity or case_id_of(question, tool), **case, "query": question, "evidence": evidence}
    found.add(line, case | ({"meta": {"reference_answer": answer}} if answer else {}))


def _question(part: dict[str, Any]) -> str | None:
    messages = value_of(part.get("messages", part.get("")))
    if isinstance(messages, list):
        said = [
            one.get("content") for one in messages if isinstance(one, dict) and one.get("role") in {"user", "human"}
        ]
        return next((text for content in reversed(said) for text in texts_of(content)), None)
    return _text(part, _QUESTION)


def _text(part: dict[str, Any], names: tuple[str, ...]) -> str | None:
    return next((text for name in ("", *names) for text in texts_of(part.get(name))), None)


def _evidence(merged: dict[str, Any]) -> list[list[Any]]:
    for name in _IDS:
        found = value_of(merged.get(name))
        if isinstance(found, list) and found:
            return [group if isinstance(group, list) else [group] for group in found]
        if isinstance(found, str | int) and found != "":
            return [[found]]
    quotes = dict.fromkeys(text for name in _QUOTES for text in texts_of(merged.get(name)))
    doc_id = merged.get("doc_id")
    return [[{"quote": quote} | ({"doc_id": doc_id} if doc_id else {})] for quote in quotes]

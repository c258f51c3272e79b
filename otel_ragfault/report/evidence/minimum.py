"""The minimum that a record should hold, by boundary: what is there is shown, what is not has a reason.

After the protocol "RAG Fault Isolation: Is the Answer Defensible?" (2026): empty evidence is a reasoned unknown, not an
omission.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from otel_ragfault.faults import FIELDS
from otel_ragfault.report.evidence.document import Boundary, Unknown
from otel_ragfault.report.evidence.rows import Row

Rows = Mapping[str, Sequence[Row]]
_Find = Callable[[Rows], Any]


@dataclass(frozen=True, slots=True)
class _Item:
    """One thing that should be known: ``name``, where it is ``found``, ``remedy``; ``field`` of the fault tree."""

    name: str
    found: _Find
    remedy: str
    field: str | None = None


def _column(part: str, column: str) -> _Find:
    return lambda rows: next((row.get(column) for row in rows[part]), None)


def _request(name: str, remedy: str, *, column: str = "", field: str | None = None) -> _Item:
    return _Item(name, _column("request", column or name), remedy, field)


def _members(*columns: str) -> _Find:
    """The chunks with what is known of their identity and time; None when there is none."""

    def found(rows: Rows) -> Any:
        chunks = [{name: row[name] for name in ("chunk_id", *columns) if name in row} for row in rows["corpus_chunk"]]
        known = [chunk for chunk in chunks if len(chunk) > 1]
        return known or None

    return found


def _judged(*subjects: str) -> _Find:
    def found(rows: Rows) -> Any:
        return [row for row in rows["verdict"] if row["subject"] in subjects and "failure" not in row] or None

    return found


_LOAD: Final = "load what was indexed: ragfault corpus load"
_BOUNDARIES: Final[dict[str, tuple[_Item, ...]]] = {
    "question": (
        _request("query", "turn content capture on"),
        _Item("expected", _column("gold_case", "expect"), "load gold: ragfault gold load"),
        _Item("gold_version", _column("gold_case", "gold_version"), "load gold: ragfault gold load"),
        _Item("labelled_by", _column("gold_case", "labelled_by"), "name the person in the gold file (labelled_by)"),
        _Item("expected_claims", _column("gold_case", "claims"), "add claims to the gold case"),
        _Item("relevance", _column("gold_case", "relevance"), "add relevance to the gold case"),
        _Item("evidence", lambda rows: list(rows["gold_evidence"]) or None, "name evidence in the gold case"),
    ),
    "source set": (
        _Item("snapshot", _column("corpus_snapshot", "snapshot_id"), _LOAD, "corpus"),
        _Item("documents", _members("doc_id", "version"), "give doc_id and version in the corpus file"),
        _Item("validity", _members("valid_from", "valid_to"), "give valid_from and valid_to in the corpus file"),
        _Item("observed_at", _members("observed_at"), "give observed_at in the corpus file"),
        _Item("permitted", _members("permitted"), "give permitted in the corpus file, if not everybody may see all"),
        _request("user_groups", "record the groups of the user (@request)"),
    ),
    "retrieval": (
        _request("ranked_ids", "record the full ranking (@retrieval)", field="ranking"),
        _request("ranked_scores", "record scores (@retrieval)", field="scores"),
        _request("score_kind", "give score_kind (@retrieval)", field="scores"),
        _request("ranking_complete", "say whether the ranking is complete (@retrieval)"),
        _request("k", "give k (@retrieval)", field="k"),
    ),
    "assembly": (
        _request("prompt_ids", "record the chunk ids of the prompt (@assembly)", field="prompt_ids"),
        _request("assembly_source", "record the chunk ids of the prompt (@assembly)"),
        _request("prompt_text", "turn content capture on"),
        _request("budget", "give the budget (@assembly)"),
    ),
    "generation": (
        _request("answer", "turn content capture on", field="answer"),
        _request("request_model", "name the model (@generation)"),
        _request("response_model", "record the model that answered"),
        _request("response_id", "record the id of the completion"),
        _request("prompt_version", "give the version of the prompt template"),
        _request("finish_reasons", "record why the model stopped"),
    ),
    "citation": (
        _request("cited_ids", "have the answer cite its sources, or record citations (@generation)"),
        _Item("claims", lambda rows: list(rows["answer_claim"]) or None, "have the claims cut and judged"),
        _Item("claim_verdicts", _judged("claim_support", "claim_correct", "citation"), "have the claims judged"),
    ),
    "decision": (
        _request("decision", "record what the system decided (@generation)"),
        _Item(
            "verdicts", _judged("answer", "refusal", "clarification", "grounded"), "have the answer judged", "verdict"
        ),
    ),
}


def boundaries(rows: Rows) -> dict[str, Boundary]:
    """Return what is known and what is not, boundary by boundary."""
    missing: Sequence[str] = next((row.get("missing", []) for row in rows["request"]), [])
    return {name: _boundary(items, rows, missing) for name, items in _BOUNDARIES.items()}


def _boundary(items: Sequence[_Item], rows: Rows, missing: Sequence[str]) -> Boundary:
    found = {item.name: item.found(rows) for item in items}
    return Boundary(
        known={name: value for name, value in found.items() if value is not None},
        unknown=tuple(
            Unknown(name=item.name, reason=_reason(item, missing), remedy=item.remedy)
            for item in items
            if found[item.name] is None
        ),
    )


def _reason(item: _Item, missing: Sequence[str]) -> str:
    if "dropped_attributes" in missing and item.field in {"ranking", "scores"}:
        return FIELDS["dropped_attributes"].meaning
    if item.field is not None:
        return FIELDS[item.field].meaning
    return "content was switched off" if "content_off" in missing else "nobody recorded it"

"""Judge the answers of probes by the rules that judge those of the pipeline: right, a refusal, grounded, planted."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import orjson
import pyarrow as pa

from otel_ragfault.jobs.probing.shifting import says_value
from otel_ragfault.judging import check_answer, detect_clarification, detect_refusal
from otel_ragfault.judging.claims import CLAIM_JUDGE_VERSION, Cut, Judgeable, judge_claims
from otel_ragfault.judging.judge import JUDGE_VERSION
from otel_ragfault.judging.refusals.own import Detector, load_detector
from otel_ragfault.judging.verdicts.claims import claims_of
from otel_ragfault.model import AnswerCheck
from otel_ragfault.model.compared import compared_text
from otel_ragfault.sql import read_query
from otel_ragfault.store import named_rows, registered

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config

PROBE_JUDGE_VERSION: Final = 1
"""Raised whenever the same answer of a probe would be judged otherwise than before."""

_FEWEST_WORDS: Final = 3
_OUTER: Final = " .,;:!?\"'()[]"
_JUDGED: Final = pa.schema(
    {
        "trace_id": pa.string(),
        "correct": pa.bool_(),
        "refused": pa.bool_(),
        "grounded": pa.bool_(),
        "carries_planted": pa.bool_(),
        "carries_replaced": pa.bool_(),
        "judged_with": pa.string(),
    }
)


def judge_probes(con: "DuckDBPyConnection", config: "Config") -> int:
    """Judge the answers that were not judged with the present gold and configuration; return how many.

    Args:
        con: a database opened for writing.
        config: what makes a refusal.
    """
    detector = load_detector(config.refusal_detector)
    result = con.execute(read_query("probing", "to_judge").body, {"judge": _digest(config)})
    rows = [_judged(row, config, detector) for row in named_rows(result)]
    if rows:
        with registered(con, "judged_probe", pa.Table.from_pylist(rows, schema=_JUDGED)):
            con.execute(read_query("probing", "update_judged").body)
    return len(rows)


def _digest(config: "Config") -> str:
    judged_by = [
        PROBE_JUDGE_VERSION,
        JUDGE_VERSION,
        CLAIM_JUDGE_VERSION,
        config.refusal_phrases,
        config.extra_refusal_phrases,
        config.refusal_detector,
    ]
    return hashlib.sha256(orjson.dumps(judged_by)).hexdigest()[:16]


def _judged(row: Mapping[str, Any], config: "Config", detector: Detector | None) -> dict[str, Any]:
    answer = row["answer"]
    refusal = detect_refusal(
        answer,
        decision=row["decision"],
        phrases=config.all_refusal_phrases,
        built_in=not config.refusal_phrases,
        own=detector,
    )
    asks = detect_clarification(refusal).value
    stored = row["answer_check"]
    check = AnswerCheck() if stored is None else AnswerCheck.model_validate(orjson.loads(stored))
    return {
        "trace_id": row["trace_id"],
        "correct": asks if row["expect"] == "clarify" else check_answer(answer, check).value,
        "refused": refusal.value,
        "grounded": None if refusal.value else is_grounded(answer, row["question"], row["chunks"], row["cited_ids"]),
        "carries_planted": _carries(answer, row["planted"]),
        "carries_replaced": None if _is_elsewhere(row) else _carries(answer, row["replaced"]),
        "judged_with": row["judged_with"],
    }


def _is_elsewhere(row: Mapping[str, Any]) -> bool:
    """Say whether a value that was shifted still stands in what the generator got, so that it may come from there."""
    if row["replaced"] is None or not row["intervention"].startswith("shift"):
        return False
    return any(says_value(chunk["text"], row["replaced"]) for chunk in row["chunks"] or ())


def _carries(answer: str | None, value: str | None) -> bool | None:
    return None if value is None or answer is None else says_value(answer, value)


def is_grounded(
    answer: str | None,
    question: str | None,
    chunks: Sequence[Mapping[str, str]] | None,
    cited_ids: Sequence[str] | None = None,
) -> bool | None:
    """Say whether the chunks say what the answer says, as far as words and values decide; ``None`` where they do not.

    Without chunks nothing can be grounded in them.
    """
    if answer is None or chunks is None or not answer.strip():
        return None
    if not chunks:
        return False
    said = compared_text(answer).strip(_OUTER)
    if len(said.split()) >= _FEWEST_WORDS and any(said in compared_text(chunk["text"]) for chunk in chunks):
        return True
    judged = judge_claims(
        Judgeable(
            answer=answer,
            question=question,
            cut=[Cut(claim.claim_id, claim.text, (), claim.needs_support) for claim in claims_of(answer)],
            cited_ids=tuple(cited_ids or ()),
            prompt_ids=tuple(chunk["id"] for chunk in chunks),
            texts={chunk["id"]: chunk["text"] for chunk in chunks},
        )
    )
    support = {one.target: one.value for one in judged if one.subject == "claim_support"}
    if not all(support.values()):
        return False
    stating = {claim.claim_id for claim in claims_of(answer) if claim.needs_support}
    return True if stating and stating <= support.keys() else None

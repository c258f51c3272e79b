"""What each label tells a person: how it looks, the check that separates it, what to try first, what is usually wasted.

The advice for the labels that the lab of the source article has follows its decision table; the others are reasoned
from the same protocol of one controlled change at a time. ``failure_point`` is the failure point of Barnett et al.,
"Seven Failure Points When Engineering a Retrieval Augmented Generation System" (arXiv 2401.05856).
"""

from dataclasses import dataclass
from typing import Final

from otel_ragfault.faults.fields import FIELDS
from otel_ragfault.faults.rules import RULES

_FP1: Final = "FP1 missing content"
_FP2: Final = "FP2 missed the top ranked documents"
_FP3: Final = "FP3 not in context"
_FP4: Final = "FP4 not extracted"


@dataclass(frozen=True, slots=True)
class Advice:
    """One row of the decision table."""

    meaning: str
    signature: str
    check: str
    try_first: str
    wasted: str
    failure_point: str | None = None


def _error(stage: str) -> Advice:
    return Advice(
        f"The {stage} stage ended in an error and no answer came.",
        f"The {stage} span has status ERROR; no answer was recorded.",
        "Read the exception on the span.",
        "Repair the error, then run the case again.",
        "Any change of ranking, prompt or model.",
    )


ADVICE: Final[dict[str, Advice]] = {
    **{f"error.{stage}": _error(stage) for stage in ("retrieval", "rerank", "assembly", "generation", "request")},
    "pass.correct_refusal": Advice(
        "The question has no answer in the corpus, and the system declined.",
        "Gold expects a refusal; the answer is one.",
        "None needed.",
        "Leave it, and keep it out of the recall denominator.",
        "Treating it as a failure to repair.",
    ),
    "decision.answered_unanswerable": Advice(
        "The question has no answer in the corpus, and the system answered it.",
        "Gold expects a refusal; the answer is a sentence from a related chunk.",
        "Is the expected answer a refusal?",
        "Instructions to abstain, and a relevance floor below which nothing is shown.",
        "Counting it as a retrieval miss.",
        _FP1,
    ),
    "pass.correct_clarification": Advice(
        "The question is underspecified, and the system asked back.",
        "Gold expects a clarifying question; the decision is to clarify.",
        "None needed.",
        "Leave it, and keep it out of the recall denominator.",
        "Treating it as a failure to repair.",
    ),
    "decision.not_clarified": Advice(
        "The question is underspecified, and the system did not ask back.",
        "Gold expects a clarifying question; the system answered or refused.",
        "Is there one reading of the question that gold could accept?",
        "Instructions to ask when several readings fit, with examples.",
        "Counting it as a retrieval miss.",
    ),
    "source.not_indexed": Advice(
        "Required evidence is not in the index.",
        "The gold id is in no ranking and not in the corpus snapshot.",
        "Look the id up in the index, not in the retriever's output.",
        "Ingest the missing section, then run the case again.",
        "Tuning the ranking for a chunk that does not exist.",
        _FP1,
    ),
    "source.not_permitted": Advice(
        "Required evidence is indexed, and the user may not see it.",
        "Every indexed alternative is permitted to other groups than those of the request.",
        "Run the case as a user who may see the evidence.",
        "Correct the permissions of the document or the groups of the user; else expect a refusal in gold.",
        "Tuning the ranking for a chunk that the filter has to hold back.",
        _FP1,
    ),
    "source.stale": Advice(
        "Only versions of the evidence that were not valid at the time are indexed, or such a version gave the answer.",
        "The time of the question is outside of all validity windows; or detail.superseded names what was repeated.",
        "Compare as_of, or the time of the request, with valid_from and valid_to of the document's chunks.",
        "Index the version that is valid, and take the superseded one out of the index or filter by the windows.",
        "Instructions to the model, which was faithful to what it was shown.",
        _FP1,
    ),
    "retrieval.no_overlap": Advice(
        "The query shares no term with the required chunk.",
        "The gold chunk's score is exactly 0 under a lexical retriever.",
        "The gold chunk's own score in the full ranking.",
        "Rewrite or expand the query with the corpus's words, or add a retriever that matches meaning.",
        "Raising k, which cannot surface a score of zero.",
        _FP2,
    ),
    "retrieval.below_floor": Advice(
        "The required chunk is less similar to the query than the calibrated floor.",
        "A similarity is recorded for the gold chunk, and it is below the floor.",
        "The gold chunk's own similarity against the floor calibrated on labelled data.",
        "Rewrite the query, or try an embedding model or chunking that suits the text; add a lexical retriever.",
        "Raising k: what is that far away comes with everything else.",
        _FP2,
    ),
    "retrieval.not_ranked": Advice(
        "The required chunk is indexed but in no recorded ranking.",
        "The gold id is in the snapshot, and in neither the first-stage nor the final ranking down to its depth.",
        "Search deeper for this one query, and check the filters that the retriever applied.",
        "Record and retrieve deeper, look at filters and partitions, then rewrite the query.",
        "Reranking, which never sees the chunk.",
        _FP2,
    ),
    "rerank.demoted": Advice(
        "The reranker or filter moved the required chunk out of the top k.",
        "Gold is within k before reranking, and beyond k or gone after it.",
        "Compare the ranks before and after reranking.",
        "Try the case without the reranker or filter; check its input length, domain, cutoff and how scores are fused.",
        "Changing the embedding model, which had found the chunk.",
        _FP2,
    ),
    "retrieval.below_k": Advice(
        "The required chunk was found, and ranked beyond k.",
        "Gold has a rank greater than k.",
        "Recall at the next k.",
        "Reranking, or a larger k together with a larger context budget.",
        "Editing the prompt.",
        _FP2,
    ),
    "assembly.cut": Advice(
        "The required chunk was within k and did not reach the prompt.",
        "Gold is ranked within k; the prompt ids lack it.",
        "Compare the retrieved ids with the prompt ids.",
        "The context budget or the packing rule.",
        "Blaming the model for text that it never saw.",
        _FP3,
    ),
    "assembly.truncated": Advice(
        "The required chunk is in the prompt, and the required passage of it is not.",
        "The chunk id is among the prompt ids; the quote, or most of the chunk's text, is not in the prompt's text.",
        "Search the text of the prompt for the passage.",
        "The limit on the length of a chunk or of the prompt, or smaller chunks.",
        "Blaming the model for text that it never saw.",
        _FP3,
    ),
    "decision.refused_answerable": Advice(
        "All required evidence was in the prompt, and the system declined.",
        "Every required group is among the prompt ids; the answer is a refusal.",
        "Does the gold-only prompt get an answer?",
        "Loosen the instructions to abstain, or lower the relevance floor; then order and model, one at a time.",
        "Re-indexing, which changes nothing that the model saw.",
        _FP4,
    ),
    "generation.wrong_answer": Advice(
        "All required evidence was in the prompt, and the answer is wrong.",
        "Every required group is among the prompt ids; the answer fails its check.",
        "Gold-only prompt passes, original prompt fails.",
        "Order of the chunks, instructions or model: one variable at a time.",
        "Re-indexing, which changes nothing that the model saw.",
        _FP4,
    ),
    "grounding.unsupported": Advice(
        "The answer is right, and the shown chunks do not say all of it.",
        "The answer is correct; a verdict denies that the shown chunks say a claim of it: detail.claims.",
        "Read the claim beside the chunks of the prompt; take the evidence out: is the answer the same?",
        "Instructions to answer from the context only, or evidence for the claim; one of the two.",
        "Counting it as solved: the model knew it by heart, and will not know the next change.",
    ),
    "citation.missing": Advice(
        "The answer is right and grounded, and a claim of it leads to no source.",
        "The answer cites, or citations are required; detail.claims have no citation of their own.",
        "Keep the text of the answer, and map its claims to the chunks of the prompt.",
        "Instructions and examples for citations, or citations added after generation.",
        "Retrieval tuning, which had found the evidence.",
    ),
    "citation.wrong": Advice(
        "The answer is right and grounded, and a claim of it leads to a source that does not say it, "
        "or that was not shown.",
        "Nothing that the claims in detail.claims cite supports them, or is in the prompt: [9] of five chunks.",
        "Keep the text of the answer, and judge its citations alone.",
        "How chunks are numbered in the prompt and mapped back; then the instructions for citations.",
        "Retrieval tuning, which had found the evidence.",
    ),
    "pass": Advice(
        "All required evidence was in the prompt, and the answer is right.",
        "No rule of the tree holds.",
        "None needed.",
        "Leave it; it guards against regressions.",
        "Tuning for it.",
    ),
}


def advice_for(label: str) -> Advice:
    """Return the advice for a label.

    Raises:
        KeyError: the tree gives no such label.
    """
    if label.startswith("unknown."):
        field = FIELDS[label.removeprefix("unknown.")]
        return Advice(
            field.meaning,
            "A rule of the tree could not be decided; the detail names it.",
            "What the trace recorded: ragfault doctor, or the column request.missing.",
            field.fix,
            "Any change of the pipeline before the record is complete.",
        )
    return ADVICE[label]


def advice_rows() -> list[tuple[int, str, str | None, str, str, str, str, str, str | None]]:
    """Return the rows of the table ``rule``: every label in the order of the walk, unknown labels last."""
    known = list(dict.fromkeys((rule.key, rule.boundary) for rule in RULES))
    labels = [*known, *((f"unknown.{name}", None) for name in FIELDS)]
    rows = []
    for position, (label, boundary) in enumerate(labels, start=1):
        a = advice_for(label)
        row = (position, label, boundary, a.meaning, a.signature, a.check, a.try_first, a.wasted, a.failure_point)
        rows.append(row)
    return rows

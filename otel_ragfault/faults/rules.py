"""The rules, in the order of the walk.

A request is held against one required group of evidence at a time (a request without required evidence is one row with
no group). The walk goes down :data:`RULES`; the first rule that is TRUE gives the label, the first that is NULL gives
``unknown.<field>``, since the rules below mean something only when those above have been cleared. Over several groups
the earliest stop wins.

``when`` is a SQL boolean over the columns of ``queries/facts/fact.sql``, three-valued. ``needs`` names the fields
(:mod:`otel_ragfault.faults.fields`) whose absence can make it NULL, in the order in which they are blamed; a rule
without needs is never NULL.

The order follows the hand-offs that evidence takes, source set → retrieval → assembly → generation → decision. It
extends the six ordered checks of S. Rawlani, "Find Whether a RAG Answer Failed in Retrieval or Generation" (2026).
"""

from dataclasses import dataclass
from typing import Final

_RANKING: Final = ("dropped_attributes", "ids", "ranking")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: the label ``key`` it gives, ``boundary`` where evidence was lost, ``when`` it holds, its ``needs``."""

    key: str
    boundary: str | None
    when: str
    needs: tuple[str, ...] = ()


PASS: Final = "pass"  # noqa: S105 - a label


def is_pass(label: str) -> bool:
    """Return whether a label is a pass: of an answer, of a refusal or of a question back."""
    return label.split(".", 1)[0] == PASS


RULES: Final[tuple[Rule, ...]] = (
    # 1. An error explains a missing answer better than any rule below it.
    Rule("error.retrieval", None, "failed_stage = 'retrieval'"),
    Rule("error.rerank", None, "failed_stage = 'rerank'"),
    Rule("error.assembly", None, "failed_stage = 'assembly'"),
    Rule("error.generation", None, "failed_stage = 'generation'"),
    Rule("error.request", None, "failed_stage = 'request'"),
    # 2. Where gold expects no answer, evidence is not the question. These rules end the walk one way or the other.
    Rule("pass.correct_refusal", None, "unanswerable AND refused", ("answer", "verdict")),
    Rule("decision.answered_unanswerable", "decision", "unanswerable AND NOT refused", ("answer", "verdict")),
    Rule("pass.correct_clarification", None, "ambiguous AND clarified", ("answer", "verdict")),
    Rule("decision.not_clarified", "decision", "ambiguous AND NOT clarified", ("answer", "verdict")),
    # 3-11. What is indexed, then for whom, then for when, then where it was ranked, then what was shown. A group that
    # has a member in the prompt, however it got there, is cleared of all of these.
    Rule("source.not_indexed", "source set", "out_of_prompt AND absent_from_index", (*_RANKING, "corpus")),
    Rule("source.not_permitted", "source set", "out_of_prompt AND forbidden", ("permissions",)),
    Rule("source.stale", "source set", "out_of_prompt AND stale"),
    Rule(
        "retrieval.no_overlap",
        "retrieval",
        "out_of_prompt AND lexical AND score_is_zero AND no_shared_term",
        (*_RANKING, "scores"),
    ),
    Rule(
        "retrieval.below_floor",
        "retrieval",
        "out_of_prompt AND similarity AND under_floor",
        (*_RANKING, "scores"),
    ),
    Rule("retrieval.not_ranked", "retrieval", "out_of_prompt AND never_ranked", _RANKING),
    Rule("rerank.demoted", "retrieval", "out_of_prompt AND demoted", (*_RANKING, "k")),
    Rule("retrieval.below_k", "retrieval", "out_of_prompt AND beyond_k", (*_RANKING, "k")),
    Rule("assembly.cut", "assembly", "out_of_prompt AND not_in_prompt", ("prompt_ids",)),
    # 12. A group in the prompt may have lost the passage that is required.
    Rule("assembly.truncated", "assembly", "truncated"),
    # 13-14. All evidence was shown: only now is it the generator's, or its decision's, fault. An answer that says what
    # a superseded version in the prompt says is neither's: the generator was faithful to a source that was not.
    Rule("decision.refused_answerable", "decision", "refused", ("answer", "verdict")),
    Rule("source.stale", "source set", "wrong AND outdated", ("answer", "verdict")),
    Rule("generation.wrong_answer", "generation", "wrong", ("answer", "verdict")),
    # 15-16. The answer is right: do the shown chunks say it, and can a reader follow it to one that does?
    Rule("grounding.unsupported", "generation", "unsupported", ("claims",)),
    Rule("citation.missing", "citation", "uncited"),
    Rule("citation.wrong", "citation", "miscited", ("claims",)),
    # 17. None of the above.
    Rule(PASS, None, "TRUE"),
)

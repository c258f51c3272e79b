"""Probes that hold what was said and judge it again: the answer with its citations, or the claims as they were cut."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.jobs.judge import judge_answers
from otel_ragfault.jobs.judge_plan import JudgeSettings
from otel_ragfault.jobs.probing.material import DoesNotApplyError
from otel_ragfault.jobs.probing.readings import Read, Reading
from otel_ragfault.jobs.probing.selection import Subject
from otel_ragfault.judging.claims import Cut, Judgeable, judge_claims
from otel_ragfault.judging.model import Asker, Budget, Endpoint
from otel_ragfault.judging.verdicts.claims import claims_of
from otel_ragfault.recovery import map_citations
from otel_ragfault.sql import read_query
from otel_ragfault.store import named_rows

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config

CITATIONS_HOLD: Final = Reading(
    "citations_hold",
    refines=False,
    meaning="With the answer held, what it cites says what cites it, as far as rules can tell.",
    next_experiment="None at the citations; what is wrong lies in the answer.",
)
CITATIONS_FAIL: Final = Reading(
    "citations_fail",
    refines=False,
    meaning="With the answer held, chunks that it cites do not say what cites them: it is the mapping of citations.",
    next_experiment="How marks become ids, and the instruction to cite; the answer can stay as it is.",
)
JUDGE_AGREES: Final = Reading(
    "judge_agrees",
    refines=False,
    meaning="With the claims held, the judge says the same in every repeat.",
    next_experiment="None at the judge's spread; whether it is right is told by people (ragfault judge agreement).",
)
JUDGE_VARIES: Final = Reading(
    "judge_varies",
    refines=False,
    meaning="With the claims held, the judge contradicts itself: differences of this size between runs say nothing.",
    next_experiment="A lower temperature or a pinned model for the judge, more repeats and their majority; people.",
)


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """The model that judges held claims: its name, endpoint, key, and how often it judges each."""

    model: str
    base_url: str | None = None
    api_key: str | None = None
    repeats: int = 3
    concurrency: int = 4


def hold_answer(subject: Subject) -> Read:
    """Judge the citations of the recorded answer again, by rule.

    Raises:
        DoesNotApplyError: it was not recorded, cites nothing, or words and values do not decide.
    """
    if subject.answer is None:
        raise DoesNotApplyError("the answer was not recorded")
    shown = subject.material.shown
    ids = [chunk.id for chunk in shown]
    cut = [
        Cut(claim.claim_id, claim.text, map_citations(claim.text, ids).ids, claim.needs_support)
        for claim in claims_of(subject.answer)
    ]
    if not subject.cited_ids and not any(claim.cited for claim in cut):
        raise DoesNotApplyError("the answer cites nothing")
    judged = judge_claims(
        Judgeable(
            answer=subject.answer,
            question=subject.material.question,
            cut=cut,
            cited_ids=subject.cited_ids or (),
            prompt_ids=ids,
            texts={chunk.id: chunk.text for chunk in shown},
        )
    )
    citations = [one for one in judged if one.subject == "citation"]
    if not citations:
        raise DoesNotApplyError("words and values do not decide whether the cited chunks hold the claims")
    failed = [f"{one.claim_id} cites {one.target}: {one.reason}" for one in citations if not one.value]
    if failed:
        return Read(CITATIONS_FAIL, f"{len(failed)} of {len(citations)} do not hold: {'; '.join(failed)}")
    return Read(CITATIONS_HOLD, f"{len(citations)} of {len(citations)} hold")


def hold_claims(con: "DuckDBPyConnection", subject: Subject) -> Read:
    """Say how far a model judge agrees with itself on the claims of the recorded answer.

    Raises:
        DoesNotApplyError: no model judged them more than once.
    """
    rows = named_rows(con.execute(read_query("probing", "claim_repeats").body, {"request_id": subject.request_id}))
    if not rows:
        raise DoesNotApplyError("no model has judged its claims more than once; name one with --judge-model")
    varies = any(row["unanimous"] < row["things"] for row in rows)
    return Read(JUDGE_VARIES if varies else JUDGE_AGREES, "; ".join(map(_spread, rows)))


def judge_again(
    db: Path,
    opened: "Callable[[], AbstractContextManager[DuckDBPyConnection]]",
    config: "Config",
    subjects: Sequence[Subject],
    judge: JudgeChoice,
) -> str | None:
    """Let a model judge the claims of recorded answers repeatedly; return why it did not judge all of them.

    Raises:
        InputError: the client is not installed, or the address is none.
    """
    settings = JudgeSettings(
        model=judge.model,
        base_url=judge.base_url,
        subjects=("claim_support",),
        repeats=judge.repeats,
        request_ids=frozenset(subject.request_id for subject in subjects),
    )
    endpoint = Endpoint(judge.base_url, judge.model, api_key=judge.api_key)
    try:
        run = judge_answers(db, opened, config, settings, Asker(endpoint, Budget(), concurrency=judge.concurrency))
    finally:
        endpoint.close()
    return run.stopped_by


def _spread(row: dict[str, Any]) -> str:
    told = (
        f"{row['judge']}, {row['subject']}: {row['unanimous']} of {row['things']} the same in {row['repeats']} repeats"
    )
    share = f", {row['agreed'] / row['pairs']:.0%} of pairs agree"
    varies = f" (differs on {', '.join(row['varies'])})" if row["varies"] else ""
    return told + share + varies

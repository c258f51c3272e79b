"""What a model judge is to be asked: each question once, with the things that its reply decides."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import orjson
import pyarrow as pa

from otel_ragfault.jobs.claims import extract_claims
from otel_ragfault.jobs.label import select_subjects, statement_parameters
from otel_ragfault.judging.model import (
    CHECKLISTS,
    PROMPT_VERSION,
    Ask,
    JudgeInput,
    Skipped,
    Task,
    messages_of,
    tasks_of,
    token_estimate,
)
from otel_ragfault.judging.verdicts import EXTRACTOR_VERSION
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config
    from otel_ragfault.model.judging import Subject

UNPAID: Final = frozenset(
    {
        "timeout",
        "connection",
        "unreachable",
        "rate_limit",
        "server_error",
        "not_allowed",
        "not_found",
        "bad_request",
        "not_openai",
    }
)
"""Failures without a reply: such a question is asked again by the next run."""

_REPLY_TOKENS: Final = 90  # of a usual reply: a short reason and a word for each question

_Thing = tuple[UUID, str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Who is asked about what.

    Attributes:
        model: the model.
        base_url: the endpoint; ``None`` for OpenAI's own.
        subjects: what is judged.
        repeats: how often each thing is judged.
        temperature: ``None`` leaves it to the model.
        max_tokens: tokens of a reply at the most.
        since: leave out requests that started earlier, UTC.
        undecided: only what neither people nor rules could tell.
        retry_failed: ask again what was replied to in a form that says nothing.
        request_ids: only these requests, as 32 hex digits; ``None`` for all.
    """

    model: str
    base_url: str | None
    subjects: "tuple[Subject, ...]"
    repeats: int = 1
    temperature: float | None = 0.0
    max_tokens: int = 500
    since: datetime | None = None
    undecided: bool = False
    retry_failed: bool = False
    request_ids: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class KnownReply:
    """A reply that was paid before: its text, or why it says nothing."""

    text: str | None
    failure: str | None


@dataclass(slots=True)
class Question:
    """A question, what its reply decides (each with its repeat number), and the reply where it was paid before."""

    ask: Ask
    things: list[tuple[Task, int]] = field(default_factory=list)
    known: KnownReply | None = None
    failed_before: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The ``questions`` of a run, how many things are ``done`` already, and how many are ``skipped``, by reason."""

    questions: list[Question]
    done: int
    skipped: dict[str, int]

    @property
    def unpaid(self) -> list[Question]:
        """Those that have to be asked."""
        return [question for question in self.questions if question.known is None]

    @property
    def input_tokens(self) -> int:
        """About how many tokens the questions have that have to be asked."""
        return sum(token_estimate(question.ask.messages) for question in self.unpaid)

    @property
    def output_tokens(self) -> int:
        """About how many tokens their replies will have."""
        return len(self.unpaid) * _REPLY_TOKENS


def plan_questions(con: "DuckDBPyConnection", config: "Config", settings: JudgeSettings) -> Plan:
    """Find what there is to ask; answers that were not cut into claims yet are.

    Args:
        con: a database open for writing, outside of a transaction, with its requests built.
        config: the snapshot of requests that name none.
        settings: who is asked about what.
    """
    with transaction(con):
        extract_claims(con)
    join_requests(con, settings.since)
    told = _told(con, settings.model)
    decided = _decided(con) if settings.undecided else frozenset()
    questions: dict[str, Question] = {}
    skipped: Counter[str] = Counter()
    done = 0
    for task in _tasks(con, config, settings):
        if isinstance(task, Skipped):
            skipped[f"{task.subject}: {task.reason}"] += 1
            continue
        thing: _Thing = (task.request_id, task.subject, task.target, task.claim_id)
        if thing in decided:
            skipped[f"{task.subject}: people or rules have decided it"] += 1
            continue
        messages = messages_of(CHECKLISTS[task.subject], task.texts)
        for repeat in range(1, settings.repeats + 1):
            key = question_key(settings, messages, repeat)
            before, failure = told.get((*thing, repeat), (None, None))
            if before == key and (failure is None or (failure not in UNPAID and not settings.retry_failed)):
                done += 1
                continue
            ask = Ask(key, CHECKLISTS[task.subject], messages)
            question = questions.setdefault(key, Question(ask))
            question.things.append((task, repeat))
            question.failed_before = failure if before == key else question.failed_before
    _recall(con, questions, retry_failed=settings.retry_failed)
    return Plan(list(questions.values()), done, dict(skipped.most_common()))


def join_requests(con: "DuckDBPyConnection", since: datetime | None = None) -> None:
    """Make the relations ``subject`` and ``joined``; requests without gold can be judged as well."""
    select_subjects(con, since)
    con.execute(read_query("labelling", "joined").text)


def question_key(settings: JudgeSettings, messages: list[dict[str, str]], repeat: int) -> str:
    """Return the digest of a question: everything that its reply may depend on."""
    parts = [
        settings.model,
        (settings.base_url or "").rstrip("/"),
        settings.temperature,
        settings.max_tokens,
        PROMPT_VERSION,
        messages,
        repeat,
    ]
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()[:32]


def _tasks(con: "DuckDBPyConnection", config: "Config", settings: JudgeSettings) -> Iterator[Task | Skipped]:
    snapshot = statement_parameters(con, config, None)["default_snapshot"]
    result = con.execute(
        read_query("judging", "model_input").body, {"version": EXTRACTOR_VERSION, "default_snapshot": snapshot}
    )
    names = [column[0] for column in result.description]
    for row in result.fetchall():
        judged = JudgeInput(**dict(zip(names, row, strict=True)))
        if settings.request_ids is None or judged.request_id.hex in settings.request_ids:
            yield from tasks_of(judged, settings.subjects)


def _told(con: "DuckDBPyConnection", model: str) -> dict[tuple[Any, ...], tuple[str, str | None]]:
    rows = con.execute(read_query("judging", "told").body, {"judge": model}).fetchall()
    return {tuple(row[:5]): (row[5], row[6]) for row in rows}


def _decided(con: "DuckDBPyConnection") -> frozenset[tuple[Any, ...]]:
    return frozenset(con.execute(read_query("judging", "decided").body).fetchall())


def _recall(con: "DuckDBPyConnection", questions: dict[str, Question], *, retry_failed: bool) -> None:
    """Fill in the replies that were paid before."""
    con.register("asked_question", pa.table({"question_key": pa.array(list(questions), pa.string())}))
    try:
        rows = con.execute(read_query("judging", "replies").body).fetchall()
    finally:
        con.unregister("asked_question")
    for key, reply, failure in rows:
        if failure is None or not retry_failed:
            questions[key].known = KnownReply(reply, failure)

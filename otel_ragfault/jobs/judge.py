"""Let a model judge answers: ask what is not known yet, keep what was paid, store verdicts.

The database is held only to find what there is to ask, and for moments while verdicts are stored; between the two every
reply is in the journal. A run that was ended, by its budget, a key or a kill, is taken up by the next one where it was:
no reply that was paid is lost, and no verdict is stored twice.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from otel_ragfault.errors import DatabaseBusyError
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.jobs.judge_plan import JudgeSettings, Plan, Question, plan_questions
from otel_ragfault.judging.model import PROMPT_VERSION, Asker, Budget, Journal, Outcome, judgement_of
from otel_ragfault.judging.verdicts import EXTRACTOR_VERSION, VerdictRow, insert_verdicts, store_policy
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config

Opened = Callable[[], "AbstractContextManager[DuckDBPyConnection]"]
"""Opens the database for writing."""

_STORE_EVERY: Final = 5.0  # seconds; what is not stored yet is in the journal
_REPLIES: Final = pa.schema(
    {
        "question_key": pa.string(),
        "model": pa.string(),
        "reply": pa.string(),
        "failure": pa.string(),
        "input_tokens": pa.int64(),
        "output_tokens": pa.int64(),
        "attempts": pa.uint32(),
        "replied_at": pa.timestamp("us"),
    }
)
_WITH_CLAIMS: Final = ("claim_support", "claim_correct", "citation")


@dataclass(slots=True)
class JudgeRun:
    """What a run did.

    Attributes:
        done_before: things that this judge had judged already.
        from_cache: things decided by a reply that was paid before.
        verdicts: verdicts stored, those of failures included.
        values: how many of them say ``yes``, ``no`` and ``unclear``.
        failures: why the others say nothing, and how many.
        remaining: questions that were not reached.
        skipped: things that cannot be judged, by reason.
        requests: requests sent.
        input_tokens: tokens of the questions.
        output_tokens: tokens of the replies.
        stopped_by: why it ended early; ``None`` if it did not.
        endpoint_fails: whether it was the endpoint that ended it.
    """

    done_before: int = 0
    from_cache: int = 0
    verdicts: int = 0
    values: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    remaining: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    stopped_by: str | None = None
    endpoint_fails: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the run as plain values."""
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        return plain | {"values": dict(self.values), "failures": dict(self.failures)}

    def spent(self, budget: Budget) -> None:
        """Take over what the budget counted."""
        self.requests = budget.requests
        self.input_tokens = budget.input_tokens
        self.output_tokens = budget.output_tokens

    def count(self, rows: Iterable[VerdictRow]) -> None:
        """Count verdicts that were stored."""
        for row in rows:
            self.verdicts += 1
            if row.failure is not None:
                self.failures[row.failure] += 1
            else:
                self.values["unclear" if row.value is None else "yes" if row.value else "no"] += 1


def plan_judging(con: "DuckDBPyConnection", config: "Config", settings: JudgeSettings) -> Plan:
    """Find what a run would ask, without asking."""
    build_requests(con, mapping=config.mapping)
    return plan_questions(con, config, settings)


def judge_answers(
    db: Path,
    opened: Opened,
    config: "Config",
    settings: JudgeSettings,
    asker: Asker,
    *,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> JudgeRun:
    """Ask a model what is not known yet, and store its verdicts.

    Args:
        db: the database; the journal lies beside it.
        opened: opens it for writing.
        config: whom to believe, and the default snapshot.
        settings: who is asked about what.
        asker: asks the model's endpoint, within a budget.
        on_progress: called with the questions asked and all that are to be asked.

    Raises:
        DatabaseBusyError: another run is at this database, or somebody holds the database itself.
    """
    with Journal(db, settings.model) as journal:
        run, plan = _begin(opened, journal, config, settings)
        writer = _Writer(opened, journal, run, settings)
        unpaid = {question.ask.key: question for question in plan.unpaid}
        asked = 0
        try:
            for outcome in asker.outcomes(question.ask for question in unpaid.values()):
                asked += 1
                writer.add(unpaid[outcome.key], outcome)
                on_progress(asked, len(unpaid))
        finally:
            writer.store()
            run.remaining = len(unpaid) - asked
            run.spent(asker.budget)
        if run.remaining or run.failures:
            run.stopped_by, run.endpoint_fails = asker.stopped_by, asker.endpoint_fails
        return run


def _begin(opened: Opened, journal: Journal, config: "Config", settings: JudgeSettings) -> tuple[JudgeRun, Plan]:
    """Take up what an earlier run left, find what there is to ask, and decide what was paid before."""
    with opened() as con:
        with transaction(con):
            store_policy(con, config.judging)
            _store_replies(con, list(journal.rows()))
        plan = plan_judging(con, config, settings)
        known = [
            row
            for question in plan.questions
            if question.known is not None
            for row in _rows(question, settings, question.known.text, question.known.failure, None)
        ]
        with transaction(con):
            insert_verdicts(con, known)
    journal.clear()
    run = JudgeRun(done_before=plan.done, from_cache=len(known), skipped=plan.skipped)
    run.count(known)
    return run, plan


class _Writer:
    """Puts paid replies into the journal at once, and replies and verdicts into the database now and then."""

    def __init__(self, opened: Opened, journal: Journal, run: JudgeRun, settings: JudgeSettings) -> None:
        self._opened = opened
        self._journal = journal
        self._run = run
        self._settings = settings
        self._replies: list[dict[str, Any]] = []
        self._rows: list[VerdictRow] = []
        self._stored_at = time.monotonic()

    def add(self, question: Question, outcome: Outcome) -> None:
        """Keep an outcome."""
        if outcome.paid:
            self._replies.append(self._journal.add(outcome))
        if outcome.failure is None or outcome.paid or question.failed_before != outcome.failure:
            self._rows += _rows(question, self._settings, outcome.text, outcome.failure, outcome.detail)
        if time.monotonic() - self._stored_at > _STORE_EVERY:
            try:
                self.store()
            except DatabaseBusyError:  # the journal has it; it is tried again later
                self._stored_at = time.monotonic()

    def store(self) -> None:
        """Store everything that is not stored yet."""
        if self._rows or self._replies:
            with self._opened() as con, transaction(con):
                _store_replies(con, self._replies)
                insert_verdicts(con, self._rows)
            self._run.count(self._rows)
            self._journal.clear()
            self._replies, self._rows = [], []
        self._stored_at = time.monotonic()


def _store_replies(con: "DuckDBPyConnection", rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    typed = [row | {"replied_at": datetime.fromisoformat(row["replied_at"])} for row in rows]
    con.register("incoming_reply", pa.Table.from_pylist(typed, schema=_REPLIES))
    try:
        con.execute(read_query("judging", "insert_replies").body)
    finally:
        con.unregister("incoming_reply")


def _rows(
    question: Question, settings: JudgeSettings, text: str | None, failure: str | None, detail: str | None
) -> list[VerdictRow]:
    """Make the verdicts that a reply decides, or those that say why there is none."""
    judged = None if failure is not None else judgement_of(text or "", question.ask.checklist)
    now = datetime.now(UTC).replace(tzinfo=None)
    said = f"{failure}: {detail or text or 'no reply'}"[:500] if judged is None else judged.reason
    return [
        VerdictRow(
            request_id=task.request_id,
            subject=task.subject,
            value=None if judged is None else judged.value,
            score=None if judged is None else judged.score,
            reason=said,
            failure=failure,
            source="model",
            judge=settings.model,
            config=question.ask.key,
            prompt_version=PROMPT_VERSION,
            extractor_version=EXTRACTOR_VERSION if task.subject in _WITH_CLAIMS else None,
            repeat_no=repeat,
            judged_at=now,
            target=task.target,
            claim_id=task.claim_id,
            claim=task.claim,
        )
        for task, repeat in question.things
    ]

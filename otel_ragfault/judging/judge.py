"""Judge by rule what joined requests answered: verdicts on refusal, clarification, answer and grounding.

SQL selects what has to be judged, Python judges each different input once, SQL stores the verdicts. Memory is bounded
by the batch: inputs and judgements wait in temporary tables, which DuckDB moves to disk when they grow.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import duckdb
import orjson
import pyarrow as pa

from otel_ragfault.judging.answer import check_answer
from otel_ragfault.judging.refusal import detect_clarification, detect_refusal
from otel_ragfault.judging.refusals.own import load_detector
from otel_ragfault.model import AnswerCheck, Config
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

JUDGE_VERSION: Final = 4
"""Raised whenever the same input would be judged otherwise than before, so that it is judged again."""

_BATCH: Final = 20_000
_TEMPORARY: Final = ("pending_verdict", "judge_input", "judgement")
_JUDGEMENT: Final = pa.schema(
    {"config": pa.string(), "subject": pa.string(), "value": pa.bool_(), "reason": pa.string()}
)


class _Input(NamedTuple):
    config: str
    answer: str | None
    decision: str | None
    finish_reasons: list[str | None] | None
    answer_check: str | None


def judge_requests(con: "DuckDBPyConnection", config: Config, *, joined_relation: str = "joined") -> int:
    """Judge the joined requests that have no verdict of the present judge on their present inputs.

    Verdicts are added, never changed; the newest of a source counts. Those of people and models are left alone. A
    request whose answer was built again, or whose gold has changed, gets new ones. Runs in the caller's transaction
    where there is one.

    Args:
        con: a database opened for writing.
        config: what makes a refusal, and the default snapshot.
        joined_relation: a table or view with the columns ``request_id`` and ``case_id``, one row a request.

    Returns:
        How many verdicts were added.
    """
    judge = _judge_digest(config)
    judged_at = datetime.now(UTC).replace(tzinfo=None)
    with _working_tables(con, joined_relation, judge):
        for inputs in _batches(con):
            _keep(con, _judgements(inputs, config))
        added = _insert(con, "insert_verdicts", {"judged_at": judged_at})
        return added + _insert(
            con,
            "insert_grounded",
            {"judge": judge, "default_snapshot": config.default_snapshot, "judged_at": judged_at},
        )


def _judge_digest(config: Config) -> str:
    judged_by = [JUDGE_VERSION, config.refusal_phrases, config.extra_refusal_phrases, config.refusal_detector]
    return hashlib.sha256(orjson.dumps(judged_by)).hexdigest()[:16]


@contextmanager
def _working_tables(con: "DuckDBPyConnection", joined_relation: str, judge: str) -> Iterator[None]:
    quoted = '"' + joined_relation.replace('"', '""') + '"'
    con.execute(f"CREATE OR REPLACE TEMP VIEW joined_request AS SELECT request_id, case_id FROM {quoted}")
    try:
        pending = read_query("judging", "pending").body
        con.execute(f"CREATE OR REPLACE TEMP TABLE pending_verdict AS {pending}", {"judge": judge})
        con.execute(f"CREATE OR REPLACE TEMP TABLE judge_input AS {read_query('judging', 'distinct_inputs').body}")
        con.execute(
            "CREATE OR REPLACE TEMP TABLE judgement (config VARCHAR, subject VARCHAR, value BOOLEAN, reason VARCHAR)"
        )
        yield
    except BaseException:
        with suppress(duckdb.Error):  # the transaction is void after an error; what failed is to be told, not this
            _drop_working_tables(con)
        raise
    _drop_working_tables(con)


def _drop_working_tables(con: "DuckDBPyConnection") -> None:
    con.execute("DROP VIEW IF EXISTS joined_request")
    for table in _TEMPORARY:
        con.execute(f"DROP TABLE IF EXISTS {table}")


def _batches(con: "DuckDBPyConnection") -> Iterator[list[_Input]]:
    ((inputs,),) = con.execute("SELECT count(*) FROM judge_input").fetchall()
    query = read_query("judging", "input_batch").body
    for first in range(0, inputs, _BATCH):
        rows = con.execute(query, {"first": first, "last": first + _BATCH - 1}).fetchall()
        yield [_Input(*row) for row in rows]


def _judgements(inputs: list[_Input], config: Config) -> pa.Table:
    detect = partial(
        detect_refusal,
        phrases=config.all_refusal_phrases,
        built_in=not config.refusal_phrases,
        own=load_detector(config.refusal_detector),
    )
    check_of = cache(_check)
    rows: list[tuple[str, str, bool | None, str]] = []
    for config_digest, answer, decision, finish_reasons, answer_check in inputs:
        refusal = detect(answer, decision=decision, finish_reasons=finish_reasons)
        asks = detect_clarification(refusal)
        right = check_answer(answer, check_of(answer_check))
        rows += [
            (config_digest, "refusal", refusal.value, refusal.reason),
            (config_digest, "clarification", asks.value, asks.reason),
            (config_digest, "answer", right.value, right.reason),
        ]
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, _JUDGEMENT, strict=True)]
    return pa.Table.from_arrays(arrays, schema=_JUDGEMENT)


def _check(stored: str | None) -> AnswerCheck:
    return AnswerCheck() if stored is None else AnswerCheck.model_validate(orjson.loads(stored))


def _keep(con: "DuckDBPyConnection", judgements: pa.Table) -> None:
    con.register("incoming_judgement", judgements)
    try:
        con.execute("INSERT INTO judgement SELECT config, subject, value, reason FROM incoming_judgement")
    finally:
        con.unregister("incoming_judgement")


def _insert(con: "DuckDBPyConnection", name: str, parameters: dict[str, Any]) -> int:
    return int(con.execute(read_query("judging", name).body, parameters).fetchall()[0][0])

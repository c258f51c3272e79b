"""Label requests: join them to gold, judge their answers, walk the fault tree, store a run.

A labelling is a run of its own; nothing of an earlier one is overwritten. Everything is stored in one transaction.
"""

import secrets
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from otel_ragfault import __version__
from otel_ragfault.corpus import snapshot_mismatch
from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError, NothingJoinedError
from otel_ragfault.gold import gold_id_mismatches
from otel_ragfault.jobs.build import build_requests, hold_against_corpus
from otel_ragfault.jobs.claims import extract_claims
from otel_ragfault.jobs.evaluations import link_evaluations
from otel_ragfault.jobs.recover import recover
from otel_ragfault.judging import judge_requests
from otel_ragfault.judging.claims import judge_claims_of
from otel_ragfault.judging.verdicts import JudgeStanding, judge_standings, store_policy
from otel_ragfault.sql import labelling_statement, read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config


@dataclass(frozen=True, slots=True)
class LabelRun:
    """A labelling: its ``run_id``, how many ``requests`` were looked at and ``joined`` to gold, and counts.

    ``judges`` are the judges beside our own rules whose verdicts exist. ``warnings`` are lines about gold that cannot
    match anything recorded, about rankings of another snapshot, and about judges below the floor.
    """

    run_id: str
    requests: int
    joined: int
    labels: dict[str, int] = field(default_factory=dict)
    outcomes: dict[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    judges: tuple[JudgeStanding, ...] = ()


def label_requests(
    con: "DuckDBPyConnection", config: "Config", *, override_k: int | None = None, since: datetime | None = None
) -> LabelRun:
    """Label every request (since a time, UTC) that has gold.

    Args:
        con: a database open for writing.
        config: floor, stop words, phrases and defaults.
        override_k: takes the place of the recorded k of every request. The prompts stay as they were, so that this
            mends records of a wrong k; what another k would have done is told by
            :func:`otel_ragfault.jobs.replaying.replay`.
        since: leave out requests that started earlier.

    Raises:
        InputError: no gold is loaded.
        NothingJoinedError: there are no requests, or none has gold.
    """
    prepare_requests(con, config)
    select_subjects(con, since)
    requests, joined = join_to_gold(con)
    warnings = _mismatches(con)
    if not joined:
        raise NothingJoinedError(why_nothing_joined(con, requests, since))
    with transaction(con):
        store_policy(con, config.judging)
        link_evaluations(con, config.judging)
        parameters = statement_parameters(con, config, override_k)
        strange = snapshot_mismatch(con, parameters["default_snapshot"])
        judge_joined(con, config, parameters["default_snapshot"])
        run_id = _store_run(con, config, override_k, requests, joined)
        con.execute(
            f"INSERT INTO label BY NAME SELECT $run_id AS run_id, * FROM ({labelling_statement()})",
            {"run_id": run_id, **parameters},
        )
    if _number(con, "SELECT count(*) FROM probe"):
        from otel_ragfault.jobs.probing import read_results  # here, because probes are of labelled requests

        read_results(con, config)  # labels and gold that changed may change what they mean
    rows = con.execute(
        "SELECT label, outcome, count(*) FROM label WHERE run_id = ? GROUP BY label, outcome ORDER BY label, outcome",
        [run_id],
    ).fetchall()
    labels: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    for label, outcome, count in rows:
        labels[label] += count
        outcomes[outcome] += count
    judges = tuple(judge_standings(con))
    warnings += () if strange is None else (strange,)
    warnings += tuple(judge.warning for judge in judges if judge.warning is not None)
    return LabelRun(
        run_id, requests, joined, dict(labels.most_common()), dict(outcomes.most_common()), warnings, judges
    )


def prepare_requests(con: "DuckDBPyConnection", config: "Config") -> None:
    """Build the requests of what has landed, and hold them against the corpora that are loaded by now."""
    build_requests(con, mapping=config.mapping, default_snapshot=config.default_snapshot)
    hold_against_corpus(con, mapping=config.mapping, default_snapshot=config.default_snapshot)
    with transaction(con):
        recover(con, "request")  # a corpus that was loaded since may hold the texts that the spans lack


def judge_joined(con: "DuckDBPyConnection", config: "Config", default_snapshot: str | None) -> None:
    """Judge answers and claims of the joined requests by our own rules. Runs in the caller's transaction."""
    judge_requests(con, config)
    extract_claims(con, among="joined")
    judge_claims_of(con, default_snapshot=default_snapshot)


def select_subjects(con: "DuckDBPyConnection", since: datetime | None = None) -> None:
    """Make relations that the labelling statement reads: recorded requests as ``subject``, verdicts as ``judged``."""
    moment = None if since is None else since.astimezone(UTC).replace(tzinfo=None)
    con.execute("CREATE OR REPLACE TEMP TABLE subject_scope AS SELECT CAST(? AS TIMESTAMP) AS since", [moment])
    con.execute(read_query("labelling", "subject").text)
    con.execute("CREATE OR REPLACE TEMP VIEW judged AS FROM verdict")


def join_to_gold(con: "DuckDBPyConnection") -> tuple[int, int]:
    """Join ``subject`` to gold in the table ``joined``; return the number of subjects and of joined ones.

    Raises:
        InputError: no gold is loaded.
    """
    if not _number(con, "SELECT count(*) FROM gold_case"):
        raise InputError("no gold case is loaded; labels need gold; run: ragfault gold load --db DB FILE")
    con.execute(read_query("labelling", "joined").text)
    return _number(con, "SELECT count(*) FROM subject"), _number(con, "SELECT count(*) FROM joined")


def statement_parameters(con: "DuckDBPyConnection", config: "Config", k: int | None) -> dict[str, Any]:
    """Return the parameters of the labelling statement. Requests that name no snapshot take the newest loaded one."""
    snapshot = config.default_snapshot
    if snapshot is None:
        row = con.execute("SELECT snapshot_id FROM corpus_snapshot ORDER BY loaded_at DESC LIMIT 1").fetchone()
        snapshot = None if row is None else row[0]
    return {
        "k": k,
        "default_k": config.k,
        "floor": config.similarity_floor,
        "default_snapshot": snapshot,
        "stopwords": list(config.stopwords),
    }


def _store_run(con: "DuckDBPyConnection", config: "Config", override_k: int | None, requests: int, joined: int) -> str:
    now = datetime.now(UTC)
    run_id = f"{now:%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(2)}"
    used = (
        config.model_dump_json()
        if override_k is None
        else config.model_copy(update={"k": override_k}).model_dump_json()
    )
    con.execute(
        "INSERT INTO label_run VALUES (?, ?, ?, ?, ?, ?)",
        [run_id, now.replace(tzinfo=None), used, requests, joined, __version__],
    )
    return run_id


def _mismatches(con: "DuckDBPyConnection") -> tuple[str, ...]:
    """Name the gold ids that cannot match. An id that is simply not indexed is the tree's to find, unless all are."""
    found = gold_id_mismatches(con)
    total = _number(con, "SELECT count(DISTINCT chunk_id) FROM gold_evidence")
    lines = []
    for mismatch in found:
        if mismatch.kind == "unknown" and mismatch.ids < total:
            continue
        examples = ", ".join(
            f"{gold!r}" if near is None else f"{gold!r} ({near!r})" for gold, near in mismatch.examples
        )
        ids = f"{counted(mismatch.ids, 'gold id')} of {counted(mismatch.cases, 'case')}"
        lines.append(f"{ids}, as {examples}: {mismatch.reason}")
    return tuple(lines)


def why_nothing_joined(con: "DuckDBPyConnection", requests: int, since: datetime | None = None) -> str:
    """Say why no request has gold, with what was found on both sides."""
    if not requests and since is not None and _number(con, "SELECT count(*) FROM request"):
        ((newest,),) = con.execute("SELECT max(started_at) FROM request").fetchall()
        return (
            f"no request started since {since:%Y-%m-%d %H:%M}; "
            f"the newest started at {newest:%Y-%m-%d %H:%M:%S}; give an earlier --since"
        )
    if not requests:
        return (
            "the database holds no request to label; spans of a RAG pipeline were wanted; import or export them first"
        )
    example = con.execute("SELECT case_id, query FROM subject ORDER BY case_id NULLS LAST LIMIT 1").fetchone()
    gold = con.execute("SELECT case_id, query FROM gold_case ORDER BY case_id LIMIT 1").fetchone()
    return (
        f"none of {counted(requests, 'request')} has gold: a request names case {_shown(example, 0)} and asks "
        f"{_shown(example, 1)}, gold has case {_shown(gold, 0)} that asks {_shown(gold, 1)}; "
        "case ids or questions must be equal; send the case id with the traffic, or correct the gold file"
    )


def _shown(row: "tuple[str | None, ...] | None", column: int) -> str:
    value = None if row is None else row[column]
    return "(not recorded)" if value is None else repr(value[:60])


def _number(con: "DuckDBPyConnection", sql: str) -> int:
    row = con.execute(sql).fetchone()
    return 0 if row is None else int(row[0])

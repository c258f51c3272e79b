"""Which requests are probed, and what interventions work on, read from the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.probing.material import Material
from otel_ragfault.jobs.probing.texts import Texts, find_texts, ranked_ids
from otel_ragfault.model import AnswerCheck
from otel_ragfault.sql import read_query
from otel_ragfault.store import named_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config

TELLING: Final = (
    "generation.wrong_answer",
    "decision.",
    "grounding.",
    "citation.",
)
"""Labels whose cases probes tell something about: the evidence was there, and what became of it is the question."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A request to be probed: where it is, its label, and its material."""

    request_id: str
    trace_id: str
    anchor_span_id: int | None
    case_id: str
    label: str
    answer: str | None
    cited_ids: tuple[str, ...] | None
    material: Material


def select_subjects(
    con: "DuckDBPyConnection",
    config: "Config",
    *,
    case_ids: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    run_id: str | None = None,
) -> list[Subject]:
    """Return the newest labelled request of each case that is asked for.

    Args:
        con: a database whose requests were labelled.
        config: the default snapshot, the seed and the steps of distractors.
        case_ids: only these cases.
        labels: only requests with these labels; without this and ``case_ids`` those of :data:`TELLING`.
        run_id: only requests of this run of the pipeline.

    Raises:
        InputError: nothing was labelled, or no labelled request is of a case, a label or the run.
    """
    wanted = labels if labels is not None or case_ids is not None else TELLING
    rows = _rows(
        con,
        "subject",
        {
            "case_ids": None if case_ids is None else list(case_ids),
            "labels": None if wanted is None else list(wanted),
            "run_id": run_id,
            "default_snapshot": default_snapshot(con, config),
        },
    )
    _check_found(con, {row["case_id"] for row in rows}, case_ids, wanted)
    return [_subject(config, row, texts) for row, texts in zip(rows, find_texts(con, rows), strict=True)]


def _check_found(
    con: "DuckDBPyConnection", found: set[str], case_ids: Sequence[str] | None, labels: Sequence[str] | None
) -> None:
    absent = [case_id for case_id in case_ids or () if case_id not in found]
    if found and not absent:
        return
    ((labelled,),) = con.execute("SELECT count(*) FROM current_label").fetchall()
    if not labelled:
        raise InputError("no request is labelled yet; probes need labels and gold; run: ragfault label --db DB")
    if absent:
        raise InputError(
            f"--case {absent[0]}: no labelled request of this case is there, or none with the label or of the run that "
            "was asked for; see ragfault query --db DB --sql 'FROM current_label'"
        )
    raise InputError(
        f"no case has a label that was asked for ({', '.join(labels or ())}); name cases with --case, or a label that "
        "is there with --label; see ragfault query --db DB failure_buckets"
    )


def _subject(config: "Config", row: Mapping[str, Any], texts: Texts) -> Subject:
    named = tuple(tuple(group) for group in row["required"])
    prompt_ids = row["prompt_ids"]
    claims = orjson.loads(row["claims"]) if row["claims"] else []
    check = row["answer_check"]
    return Subject(
        request_id=row["request_id"],
        trace_id=row["trace_id"],
        anchor_span_id=row["anchor_span_id"],
        case_id=row["case_id"],
        label=row["label"],
        answer=row["answer"],
        cited_ids=None if row["cited_ids"] is None else tuple(one for one in row["cited_ids"] if one is not None),
        material=Material(
            question=row["question"],
            prompt=None if prompt_ids is None else tuple(texts.get(one) for one in prompt_ids),
            required=tuple(tuple(texts[one] for one in group if one in texts) for group in named),
            named=named,
            ranking=tuple(texts[one] for one in ranked_ids(row) if one in texts),
            expect=row["expect"],
            check=AnswerCheck() if check is None else AnswerCheck.model_validate(orjson.loads(check)),
            expected=tuple(claim["text"] for claim in claims),
            seed=config.probing.seed,
            steps=config.probing.distractors,
        ),
    )


def default_snapshot(con: "DuckDBPyConnection", config: "Config") -> str | None:
    """Return the snapshot of requests that name none: that of the configuration, else the newest that is loaded."""
    if config.default_snapshot is not None:
        return config.default_snapshot
    row = con.execute("SELECT snapshot_id FROM corpus_snapshot ORDER BY loaded_at DESC LIMIT 1").fetchone()
    return None if row is None else row[0]


def _rows(con: "DuckDBPyConnection", name: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    return named_rows(con.execute(read_query("probing", name).body, dict(parameters)))

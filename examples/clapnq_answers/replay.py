"""Replay 400 human-rated answers to ClapNQ questions through the decorators, and see who refused what.

Nothing is searched and no model is called: ranking, prompt and answer of each question were recorded elsewhere. What
the decorators see is what they would see in a live pipeline. What people said of the answers is a file of verdicts.
"""

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from otel_ragfault.capture import RagfaultSpanProcessor, assembly, generation, request, retrieval, set_capture
from otel_ragfault.corpus import load_corpus
from otel_ragfault.errors import InputError, RagfaultError
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.judging.verdicts import load_verdicts
from otel_ragfault.landing import DuckDBSpanExporter
from otel_ragfault.model import Config
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Json = dict[str, Any]

HERE = Path(__file__).resolve().parent
SNAPSHOT = "clapnq"
RIGHT = 3  # of 4: from here on, the mean of three people counts as yes


@dataclass(frozen=True)
class Recorded:
    """The folder of data: cases by id, the answers of four systems, and the BM25 ranking of each case."""

    cases: dict[str, Json]
    answers: list[Json]
    rankings: dict[str, list[tuple[str, float]]]


# --- the pipeline, instrumented ---------------------------------------------------------------------------------------


@retrieval(query=lambda call: call["case"]["query"], score_kind="bm25", data_source=SNAPSHOT, complete=False)
def search(case: Json, ranking: list[tuple[str, float]], k: int) -> list[tuple[str, float]]:
    """Return the recorded ranking with its scores."""
    return ranking


@assembly
def assemble(answer: Json) -> list[str]:
    """Return the passages that the system was shown: not those of the ranking, but the one passage of the data set."""
    return list(answer["prompt_chunk_ids"])


@generation(model=lambda call: call["answer"]["system"])
def generate(answer: Json) -> str:
    """Return the recorded answer."""
    return str(answer["answer"])


@request(
    query=lambda call: call["case"]["query"],
    case_id=lambda call: call["case"]["case_id"],
    run_id=lambda call: call["answer"]["system"],
    snapshot_id=SNAPSHOT,
)
def replay_answer(case: Json, ranking: list[tuple[str, float]], answer: Json) -> str:
    """Take one answer through the stages."""
    search(case, ranking, k=5)
    assemble(answer)
    return generate(answer)


# --- the data ---------------------------------------------------------------------------------------------------------


def read_recorded(folder: Path) -> Recorded:
    """Read ``cases.jsonl``, ``answers.jsonl`` and ``runs.bm25s.jsonl``."""
    return Recorded(
        {case["case_id"]: case for case in _rows(folder / "cases.jsonl")},
        list(_rows(folder / "answers.jsonl")),
        {
            row["case_id"]: [(chunk, score) for chunk, score in row["ranked"]]
            for row in _rows(folder / "runs.bm25s.jsonl")
        },
    )


def to_gold(case: Json, disputed: frozenset[str]) -> Json:
    """Convert a case to a line of our gold file. ``disputed`` are cases that the people who rated saw otherwise."""
    return {
        "case_id": case["case_id"],
        "query": case["query"],
        "expect": "refuse" if case["expect_refusal"] else "answer",
        "evidence": case["gold_chunk_ids"],
        "tags": ["disputed"] if case["case_id"] in disputed else [],
        "source": case["source"],
    }


def disputed_cases(recorded: Recorded) -> frozenset[str]:
    """Return the cases that are answerable in one file of the data set and unanswerable in the other."""
    return frozenset(
        answer["case_id"]
        for answer in recorded.answers
        if (answer["answerability_in_eval"] == "UNANSWERABLE") != recorded.cases[answer["case_id"]]["expect_refusal"]
    )


def to_verdicts(answer: Json) -> Iterator[Json]:
    """Convert what three people said of an answer: whether the passage says it, and whether it is right as an answer.

    Right means here that it is faithful to the passage and answers the question, both with a mean of 3 of 4 or more.
    """
    faithful = statistics.mean(answer["human"]["faithfulness_1to4"])
    relevant = statistics.mean(answer["human"]["answer_relevance_1to4"])
    about = {"case_id": answer["case_id"], "run_id": answer["system"], "judge": "three raters of ClapNQ"}
    yield {**about, "subject": "grounded", "value": faithful >= RIGHT, "score": faithful}
    yield {**about, "subject": "answer", "value": min(faithful, relevant) >= RIGHT, "score": min(faithful, relevant)}


def _rows(path: Path) -> Iterator[Json]:
    try:
        with path.open("rb") as lines:
            yield from (orjson.loads(line) for line in lines)
    except OSError as error:
        raise InputError(
            f"{path}: {error.strerror}; the data that README.md describes was wanted; check --data"
        ) from None
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path}: {error}; a JSON object on each line was wanted; correct the file") from None


# --- replay, land, label ----------------------------------------------------------------------------------------------


@contextmanager
def tracing(db: Path) -> Iterator[None]:
    """Send what the decorators record to a database; at the end everything has landed, or an error is raised."""
    exporter = DuckDBSpanExporter(db)
    provider = TracerProvider(resource=Resource.create({"service.name": "clapnq_answers"}))
    provider.add_span_processor(RagfaultSpanProcessor())
    provider.add_span_processor(BatchSpanProcessor(exporter))
    set_capture(content=True, tracer_provider=provider)
    try:
        yield
    finally:
        set_capture()
        provider.shutdown()
    if exporter.stats.dropped or exporter.stats.unusable:
        raise InputError(f"{db}: spans were lost ({exporter.stats}); check the disk, and that nobody holds the file")


def replay(recorded: Recorded, db: Path) -> None:
    """Replay every answer."""
    with tracing(db):
        for answer in recorded.answers:
            case_id = answer["case_id"]
            replay_answer(recorded.cases[case_id], recorded.rankings[case_id], answer)


def label(folder: Path, recorded: Recorded, db: Path) -> None:
    """Load corpus, gold and the verdicts of people, and label every answer."""
    disputed = disputed_cases(recorded)
    asked = {answer["case_id"] for answer in recorded.answers}
    cases = [to_gold(case, disputed) for case_id, case in recorded.cases.items() if case_id in asked]
    verdicts = [verdict for answer in recorded.answers for verdict in to_verdicts(answer)]
    with closing(connect(db)) as con, tempfile.TemporaryDirectory() as scratch:
        load_corpus(con, folder / "corpus.jsonl", snapshot_id=SNAPSHOT)
        load_gold(con, _written(Path(scratch) / "gold.jsonl", cases))
        build_requests(con)
        load_verdicts(con, _written(Path(scratch) / "verdicts.jsonl", verdicts))
        label_requests(con, Config())


def _written(path: Path, rows: Sequence[Json]) -> Path:
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


# --- the report -------------------------------------------------------------------------------------------------------


def rows_of(con: "DuckDBPyConnection", name: str) -> list[Json]:
    """Run one of the SQL files beside this script."""
    found = con.execute((HERE / f"{name}.sql").read_text(encoding="utf-8"))
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def report(recorded: Recorded, db: Path) -> str:
    """Write the tables of a database."""
    with closing(connect(db, read_only=True)) as con:
        decisions, labels, disputed = (rows_of(con, name) for name in ("decisions", "labels", "disputed"))
        refused = {(row["case"], row["system"]): row["refused"] for row in rows_of(con, "refused")}
    differing = [answer for answer in recorded.answers if _says_refused(answer) != refused[_key(answer)]]
    agreed = len(recorded.answers) - len(differing)
    lines = [f"{system} {case_id}: {_word(refused[case_id, system])} here" for case_id, system in map(_key, differing)]
    return (
        f"Decisions (answers)\n\n{_table(decisions)}\n\nLabels (answers)\n\n{_table(labels)}\n\n"
        f"Answerable in one file of the data set, unanswerable in the other\n\n{_table(disputed)}\n\n"
        f"The data set's own column of refusals agrees on {agreed} of {len(recorded.answers)}; not on\n\n"
        + "\n".join(lines)
    )


def _key(answer: Json) -> tuple[str, str]:
    return answer["case_id"], answer["system"]


def _says_refused(answer: Json) -> bool:
    return str(answer["auto"]["answerability_accuracy"]).endswith("Negative")


def _word(refused: bool) -> str:  # noqa: FBT001 - the value is what is worded
    return "refused" if refused else "answered"


def _table(rows: Sequence[Json]) -> str:
    lines = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)] if rows else []
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(map(str.rjust, line[1:], widths[1:]))]).rstrip() for line in lines
    )


def run(folder: Path, db: Path) -> str:
    """Replay into a new database, label, and return the report."""
    recorded = read_recorded(folder)
    if db.exists():
        raise InputError(f"{db}: exists; a new file was wanted; name another")
    replay(recorded, db)
    label(folder, recorded, db)
    return report(recorded, db)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    real = os.environ.get("RAGFAULT_REALDATA")
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(real) / "clapnq" if real else None,
        required=not real,
        help="folder with cases.jsonl, answers.jsonl, corpus.jsonl and runs.bm25s.jsonl",
    )
    parser.add_argument("--db", type=Path, required=True, help="the database to write; a new file")
    given = parser.parse_args(arguments)
    try:
        print(run(given.data, given.db))
    except RagfaultError as error:
        print(f"replay.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

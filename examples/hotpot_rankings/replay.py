"""Replay recorded rankings of HotpotQA questions through the decorators, label them, and report where evidence is lost.

Nothing is searched and no model is called: the "retriever" hands out a ranking that was recorded elsewhere. What the
decorators see is what they would see in a live pipeline, so that the labels come out of the fault tree alone.
"""

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from examples.common.replays import Json, found, parser, printed, read_rows, table, tracing, write_rows
from otel_ragfault.capture import assembly, request, rerank, retrieval
from otel_ragfault.corpus import load_corpus
from otel_ragfault.errors import InputError
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.label import LabelRun, label_requests
from otel_ragfault.model import Config
from otel_ragfault.store import connect

HERE = Path(__file__).resolve().parent
SNAPSHOT = "hotpot241"
DEPTHS = (5, 10)


@dataclass(frozen=True)
class Ranking:
    """A way to rank: which recorded run is its first stage, what the scores are, and which run reordered it, if any."""

    name: str
    first_stage: str
    score_kind: str
    reranked: str | None = None


RANKINGS = (
    Ranking("bm25", "bm25", "bm25"),
    Ranking("dense_minilm", "dense_minilm", "similarity"),
    Ranking("dense_rerank", "dense_minilm", "similarity", reranked="dense_minilm+ce_rerank"),
)


@dataclass(frozen=True)
class Recorded:
    """The folder of data: its ``cases``, and the ``(chunk id, score)`` pairs of each run and case, best first."""

    cases: list[Json]
    runs: dict[tuple[str, str], list[tuple[str, float | None]]]

    def ranked(self, run: str, case_id: str) -> list[tuple[str, float | None]]:
        """Return what a run recorded for a case."""
        if (run, case_id) not in self.runs:
            raise InputError(f"runs.jsonl: no ranking of case {case_id!r} in run {run!r}; every case needs one; add it")
        return self.runs[run, case_id]


@dataclass(frozen=True)
class Question:
    """One question to replay: its case, the way to rank, and what was recorded for it."""

    case_id: str
    text: str
    ranking: Ranking
    run_id: str
    candidates: list[tuple[str, float | None]]
    reordered: list[str] = field(default_factory=list)


# --- the pipeline, instrumented ---------------------------------------------------------------------------------------


@retrieval(
    query=lambda call: call["question"].text,
    score_kind=lambda call: call["question"].ranking.score_kind,
    data_source=SNAPSHOT,
    complete=False,  # 50 of 4,937 passages were recorded
)
def search(question: Question, k: int) -> list[tuple[str, float | None]]:
    """Return the recorded ranking with its scores."""
    return question.candidates


@rerank(model="cross-encoder")
def reorder(question: Question, k: int) -> list[str]:
    """Return the recorded order after reranking; its scores were not recorded."""
    return question.reordered


@assembly
def assemble(ranked: list[str], k: int) -> list[str]:
    """Pass the first k on to the prompt."""
    return ranked[:k]


@request(
    query=lambda call: call["question"].text,
    case_id=lambda call: call["question"].case_id,
    run_id=lambda call: call["question"].run_id,
    snapshot_id=SNAPSHOT,
)
def replay_question(question: Question, k: int) -> None:
    """Take one question through the stages; no answers were recorded, so that there is no generation."""
    ranked = [chunk_id for chunk_id, _ in search(question, k=k)]
    if question.ranking.reranked is not None:
        ranked = reorder(question, k=k)
    assemble(ranked, k=k)


# --- the data ---------------------------------------------------------------------------------------------------------


def read_recorded(folder: Path) -> Recorded:
    """Read ``cases.jsonl`` and the runs that are replayed from ``runs.jsonl``."""
    wanted = {ranking.first_stage for ranking in RANKINGS} | {ranking.reranked for ranking in RANKINGS}
    runs = {
        (row["run"], row["case_id"]): [(hit["chunk_id"], hit["score"]) for hit in row["ranked"]]
        for row in read_rows(folder / "runs.jsonl")
        if row["run"] in wanted
    }
    return Recorded(list(read_rows(folder / "cases.jsonl")), runs)


def questions(recorded: Recorded, ranking: Ranking, k: int) -> Iterator[Question]:
    """Yield the questions of one replay."""
    for case in recorded.cases:
        case_id = case["case_id"]
        reordered = [] if ranking.reranked is None else recorded.ranked(ranking.reranked, case_id)
        yield Question(
            case_id=case_id,
            text=case["query"],
            ranking=ranking,
            run_id=f"{ranking.name}-k{k}",
            candidates=recorded.ranked(ranking.first_stage, case_id),
            reordered=[chunk_id for chunk_id, _ in reordered],
        )


def to_gold(case: Json) -> Json:
    """Convert a case of the data to a line of our gold file; any of the expected answers will do, as whole words."""
    either = "|".join(re.escape(answer) for answer in case["expected_answers"])
    return {
        "case_id": case["case_id"],
        "query": case["query"],
        "expect": "refuse" if case["expect_refusal"] else "answer",
        "evidence": case["gold_chunk_ids"],
        "answer": {"matches": rf"(?<!\w)(?:{either})(?!\w)"} if either else None,
        "tags": [case["type"], case["level"]],
        "meta": {"source": case["source"]},
    }


# --- replay, land, label ----------------------------------------------------------------------------------------------


def replay(recorded: Recorded, db: Path) -> int:
    """Replay every question for every ranking and k; return how many spans landed."""
    replays = [(k, list(questions(recorded, ranking, k))) for ranking in RANKINGS for k in DEPTHS]
    connect(db, create=True).close()  # a path that cannot be written is told at once
    with tracing(db, "hotpot_rankings") as (provider, exporter):
        for k, asked in replays:
            for question in asked:
                replay_question(question, k)
            provider.force_flush()  # the queue of the processor holds 2,048 spans, and drops what does not fit
    return exporter.stats.exported


def label(folder: Path, recorded: Recorded, db: Path) -> LabelRun:
    """Load corpus and gold, and label every request."""
    with closing(connect(db)) as con, tempfile.TemporaryDirectory() as scratch:
        load_corpus(con, folder / "corpus.jsonl", snapshot_id=SNAPSHOT)
        load_gold(con, write_rows(Path(scratch) / "gold.jsonl", [to_gold(case) for case in recorded.cases]))
        return label_requests(con, Config())


# --- the report -------------------------------------------------------------------------------------------------------


def report(db: Path) -> str:
    """Write both tables of a database."""
    with closing(connect(db, read_only=True)) as con:
        labels, recall = found(con, HERE / "labels.sql"), found(con, HERE / "recall.sql")
    return f"Labels (questions)\n\n{table(labels)}\n\nRecall of the required passages\n\n{table(recall)}"


def run(folder: Path, db: Path, *, keep: bool = False) -> str:
    """Replay into a new database, or keep what an earlier run recorded there; label; return the report."""
    recorded = read_recorded(folder)
    if not keep:
        if db.exists():
            raise InputError(f"{db}: exists; a new file was wanted; name another, or pass --keep to label it again")
        replay(recorded, db)
    for warning in label(folder, recorded, db).warnings:
        print(warning, file=sys.stderr)
    return report(db)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the script."""
    command = parser(__doc__, "hotpot241", "cases.jsonl, corpus.jsonl and runs.jsonl")
    command.add_argument("--keep", action="store_true", help="keep what is recorded in --db: only label and report it")
    given = command.parse_args(arguments)
    return printed(lambda: run(given.data, given.db, keep=given.keep))


if __name__ == "__main__":
    sys.exit(main())

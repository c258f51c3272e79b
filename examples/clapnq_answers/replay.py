"""Replay 400 human-rated answers to ClapNQ questions through the decorators, and see who refused what.

Nothing is searched and no model is called: ranking, prompt and answer of each question were recorded elsewhere. What
the decorators see is what they would see in a live pipeline. What people said of the answers is a file of verdicts.
"""

import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from examples.common.replays import Json, found, parser, printed, read_rows, table, tracing, write_rows
from otel_ragfault.capture import assembly, generation, request, retrieval
from otel_ragfault.corpus import load_corpus
from otel_ragfault.errors import InputError
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.judging.verdicts import load_verdicts
from otel_ragfault.model import Config
from otel_ragfault.store import connect

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
        {case["case_id"]: case for case in read_rows(folder / "cases.jsonl")},
        list(read_rows(folder / "answers.jsonl")),
        {
            row["case_id"]: [(chunk, score) for chunk, score in row["ranked"]]
            for row in read_rows(folder / "runs.bm25s.jsonl")
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


# --- replay, land, label ----------------------------------------------------------------------------------------------


def replay(recorded: Recorded, db: Path) -> None:
    """Replay every answer."""
    with tracing(db, "clapnq_answers"):
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
        load_gold(con, write_rows(Path(scratch) / "gold.jsonl", cases))
        build_requests(con)
        load_verdicts(con, write_rows(Path(scratch) / "verdicts.jsonl", verdicts))
        label_requests(con, Config())


# --- the report -------------------------------------------------------------------------------------------------------


def report(recorded: Recorded, db: Path) -> str:
    """Write the tables of a database."""
    with closing(connect(db, read_only=True)) as con:
        decisions, labels, disputed = (found(con, HERE / f"{name}.sql") for name in ("decisions", "labels", "disputed"))
        refused = {(row["case"], row["system"]): row["refused"] for row in found(con, HERE / "refused.sql")}
    differing = [answer for answer in recorded.answers if _says_refused(answer) != refused[_key(answer)]]
    agreed = len(recorded.answers) - len(differing)
    lines = [f"{system} {case_id}: {_word(refused[case_id, system])} here" for case_id, system in map(_key, differing)]
    return (
        f"Decisions (answers)\n\n{table(decisions)}\n\nLabels (answers)\n\n{table(labels)}\n\n"
        f"Answerable in one file of the data set, unanswerable in the other\n\n{table(disputed)}\n\n"
        f"The data set's own column of refusals agrees on {agreed} of {len(recorded.answers)}; not on\n\n"
        + "\n".join(lines)
    )


def _key(answer: Json) -> tuple[str, str]:
    return answer["case_id"], answer["system"]


def _says_refused(answer: Json) -> bool:
    return str(answer["auto"]["answerability_accuracy"]).endswith("Negative")


def _word(refused: bool) -> str:  # noqa: FBT001 - the value is what is worded
    return "refused" if refused else "answered"


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
    given = parser(__doc__, "clapnq", "cases.jsonl, answers.jsonl, corpus.jsonl and runs.bm25s.jsonl").parse_args(
        arguments
    )
    return printed(lambda: run(given.data, given.db))


if __name__ == "__main__":
    sys.exit(main())

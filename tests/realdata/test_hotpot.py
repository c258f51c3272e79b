"""The rankings of 241 HotpotQA questions, replayed through decorators, exporter, records and fault tree."""

import json
from contextlib import closing
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from otel_ragfault.capture import capture_failures
from otel_ragfault.store import connect

pytestmark = pytest.mark.realdata

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "hotpot_rankings"
QUESTIONS = 241

# Two required passages a question. Complete: both in the prompt. The counts and shares were published with the data.
LABELS = {
    "bm25-k5": {"unknown.answer": 80, "retrieval.below_k": 102, "retrieval.not_ranked": 59},
    "bm25-k10": {"unknown.answer": 126, "retrieval.below_k": 56, "retrieval.not_ranked": 59},
    "dense_minilm-k5": {"unknown.answer": 113, "retrieval.below_k": 86, "retrieval.not_ranked": 42},
    "dense_minilm-k10": {"unknown.answer": 158, "retrieval.below_k": 41, "retrieval.not_ranked": 42},
    "dense_rerank-k5": {
        "unknown.answer": 148,
        "retrieval.below_k": 39,
        "rerank.demoted": 12,
        "retrieval.not_ranked": 42,
    },
    "dense_rerank-k10": {
        "unknown.answer": 188,
        "retrieval.below_k": 8,
        "rerank.demoted": 3,
        "retrieval.not_ranked": 42,
    },
}
RECALL = {
    "bm25": (0.3423, 0.4398, 0.6224, 0.7427, 0.8714),
    "dense_minilm": (0.3983, 0.5436, 0.7344, 0.8278, 0.9129),
    "dense_rerank": (0.4585, 0.6867, 0.8050, 0.8900, 0.9129),
}
RUNS = [pytest.param(run_id, id=run_id) for run_id in LABELS]
COLUMN_OF = {
    "unknown.answer": "complete",
    "retrieval.below_k": "below_k",
    "rerank.demoted": "demoted",
    "retrieval.not_ranked": "not_ranked",
}


@pytest.fixture(scope="module")
def example():
    return import_module("examples.hotpot_rankings.replay")


@pytest.fixture(scope="module")
def folder(realdata):
    found = realdata / "hotpot241"
    if not found.is_dir():
        pytest.skip(f"no hotpot241 in {realdata}")
    return found


@pytest.fixture(scope="module")
def replayed(example, folder, tmp_path_factory):
    """The database of one replay, what was printed, and what capture failed to record."""
    db = tmp_path_factory.mktemp("hotpot") / "hotpot.duckdb"
    before = dict(capture_failures())
    printed = example.run(folder, db)
    return SimpleNamespace(db=db, printed=printed, failures=(before, dict(capture_failures())))


@pytest.fixture(scope="module")
def con(replayed):
    with closing(connect(replayed.db, read_only=True)) as con:
        yield con


def by_run(example, con, name):
    return {row["run_id"]: row for row in example.found(con, EXAMPLE / f"{name}.sql")}


@pytest.mark.parametrize("run_id", RUNS)
def test_labels_of_each_replay(con, run_id):
    rows = con.execute(
        "SELECT label, count(*) FROM current_label JOIN request USING (request_id) WHERE request.run_id = ? GROUP BY label",
        [run_id],
    ).fetchall()
    assert dict(rows) == LABELS[run_id]
    assert sum(count for _, count in rows) == QUESTIONS


@pytest.mark.parametrize("run_id", RUNS)
def test_table_of_labels(example, con, run_id):
    row = by_run(example, con, "labels")[run_id]
    wanted = {column: LABELS[run_id].get(label, 0) for label, column in COLUMN_OF.items()}
    k = int(run_id.rpartition("-k")[2])
    assert row == {"run_id": run_id, "k": k, "questions": QUESTIONS, **wanted, "other": 0}


@pytest.mark.parametrize("run_id", RUNS)
def test_recall_of_each_ranking(example, con, run_id):
    _, *recall = by_run(example, con, "recall")[run_id].values()
    assert tuple(round(share, 4) for share in recall) == RECALL[run_id.rpartition("-k")[0]]


def test_no_replay_beside_those_of_the_tables(example, con):
    assert list(by_run(example, con, "labels")) == list(LABELS)
    assert list(by_run(example, con, "recall")) == list(LABELS)


def test_complete_evidence_without_an_answer_never_passes(con):
    rows = con.execute(
        "SELECT DISTINCT label, boundary, outcome, latent, correct, grounded, cited FROM current_label WHERE retrieved"
    ).fetchall()
    assert rows == [("unknown.answer", None, "unjudged", False, None, None, None)]
    assert con.execute("SELECT count(*) FROM label WHERE label LIKE 'pass%' OR outcome <> 'unjudged'").fetchone() == (
        0,
    )


def test_every_other_label_means_that_evidence_is_missing(con):
    rows = con.execute("SELECT DISTINCT label FROM current_label WHERE retrieved IS DISTINCT FROM TRUE").fetchall()
    assert {label for (label,) in rows} == {"retrieval.below_k", "rerank.demoted", "retrieval.not_ranked"}


def test_the_records_hold_what_was_replayed(example, folder, con):
    recorded = example.read_recorded(folder)
    ranking = example.RANKINGS[2]
    rows = con.execute(
        "SELECT case_id, query, ranked_ids, ranked_scores, score_kind, candidate_ids, candidate_scores,"
        " candidate_score_kind, ranking_complete, k, prompt_ids, assembly_source, snapshot_id, answer, convention"
        " FROM request WHERE run_id = 'dense_rerank-k5'"
    ).fetchall()
    wanted = []
    for one in example.questions(recorded, ranking, 5):
        ids, scores = (list(column) for column in zip(*one.candidates, strict=True))
        first = (ids, scores, "similarity", False)
        final = (one.reordered, [None] * 50, None)
        prompt = (5, one.reordered[:5], "explicit", "hotpot241", None, "ragfault")
        wanted.append((one.case_id, one.text, *final, *first, *prompt))
    assert sorted(rows, key=lambda row: row[0]) == sorted(wanted, key=lambda row: row[0])


@pytest.mark.parametrize("run_id", RUNS)
def test_each_label_agrees_with_plain_python(example, folder, con, run_id):
    recorded = example.read_recorded(folder)
    name, _, k = run_id.rpartition("-k")
    ranking = next(ranking for ranking in example.RANKINGS if ranking.name == name)
    groups = {case["case_id"]: case["gold_chunk_ids"] for case in recorded.cases}
    wanted = {
        one.case_id: plain_label(groups[one.case_id], [i for i, _ in one.candidates], one.reordered, int(k))
        for one in example.questions(recorded, ranking, int(k))
    }
    rows = con.execute(
        "SELECT current_label.case_id, label FROM current_label JOIN request USING (request_id) WHERE request.run_id = ?",
        [run_id],
    ).fetchall()
    assert dict(rows) == wanted


def plain_label(groups, first, reordered, k):
    """The label as the words of the fault tree say it; reranking here keeps all fifty."""
    final = reordered or first
    lost = [group for group in groups if not set(group) & set(final[:k])]
    if any(not set(group) & set(first) for group in lost):
        return "retrieval.not_ranked"
    if reordered and any(set(group) & set(first[:k]) for group in lost):
        return "rerank.demoted"
    return "retrieval.below_k" if lost else "unknown.answer"


def test_detail_names_the_passage_that_was_lost_and_its_rank(con):
    rows = con.execute(
        "SELECT label, k, detail FROM current_label WHERE label IN ('rerank.demoted', 'retrieval.below_k')"
    ).fetchall()
    assert rows
    for label, k, detail in rows:
        failing = json.loads(detail)["failing"]
        assert failing
        for group in failing:
            assert group["rank"] > k
            assert label != "rerank.demoted" or group["candidate_rank"] <= k


def test_every_span_landed_once_and_nothing_was_left_out(con, replayed):
    stages = dict(con.execute("SELECT stage, count(*) FROM span GROUP BY stage").fetchall())
    replays = len(LABELS) * QUESTIONS
    assert stages == {"request": replays, "retrieval": replays, "assembly": replays, "rerank": 2 * QUESTIONS}
    assert con.execute("SELECT count(*) FROM request").fetchone() == (replays,)
    assert con.execute("SELECT count(*) FROM span WHERE repairs IS NOT NULL").fetchone() == (0,)
    before, after = replayed.failures
    assert after == before


def test_readme_shows_what_is_printed(replayed):
    assert f"```text\n{replayed.printed}\n```" in (EXAMPLE / "README.md").read_text(encoding="utf-8")


# Below, the database is opened for writing, which needs it for itself: a copy is used.


@pytest.fixture
def copy(replayed, tmp_path):
    path = tmp_path / "copy.duckdb"
    path.write_bytes(replayed.db.read_bytes())
    return path


def test_keep_labels_again_what_is_recorded(example, folder, replayed, copy, capsys):
    assert example.main(["--data", str(folder), "--db", str(copy), "--keep"]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == (f"{replayed.printed}\n", "")
    with closing(connect(copy, read_only=True)) as con:
        assert con.execute("SELECT count(*) FROM label_run").fetchone() == (2,)
        assert con.execute("SELECT count(*) FROM label").fetchone() == (2 * len(LABELS) * QUESTIONS,)
        assert con.execute("SELECT count(*) FROM current_label").fetchone() == (len(LABELS) * QUESTIONS,)


def test_an_existing_file_is_not_touched(example, folder, copy, capsys):
    before = copy.read_bytes()
    assert example.main(["--data", str(folder), "--db", str(copy)]) == 2
    assert "exists; a new file was wanted" in capsys.readouterr().err
    assert copy.read_bytes() == before


def test_missing_data_is_one_line(example, folder, tmp_path, capsys):
    assert example.main(["--data", str(tmp_path), "--db", str(tmp_path / "new.duckdb")]) == 2
    assert capsys.readouterr().err.startswith(f"replay.py: {tmp_path / 'runs.jsonl'}: No such file")
    assert not (tmp_path / "new.duckdb").exists()


def test_a_database_that_cannot_be_written_is_told_at_once(example, folder, tmp_path, capsys):
    assert example.main(["--data", str(folder), "--db", str(tmp_path / "absent" / "new.duckdb")]) == 2
    assert "cannot be opened" in capsys.readouterr().err


def test_a_case_without_a_ranking_is_told_before_anything_is_written(example, folder, tmp_path, capsys):
    for name in ("cases.jsonl", "corpus.jsonl"):
        (tmp_path / name).symlink_to(folder / name)
    lines = (folder / "runs.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "runs.jsonl").write_text("".join(lines[1:]), encoding="utf-8")
    assert example.main(["--data", str(tmp_path), "--db", str(tmp_path / "new.duckdb")]) == 2
    assert "no ranking of case '5a8b57f25542995d1e6f1371' in run 'bm25'" in capsys.readouterr().err
    assert not (tmp_path / "new.duckdb").exists()

import datetime as dt
import re

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from landing.conftest import RECORDINGS
from otel_ragfault.store import connect

SPANS = "SELECT * EXCLUDE (segment_id) FROM span ORDER BY trace_id, span_id"


def rows(db, sql=SPANS):
    con = connect(db, read_only=True)
    try:
        return con.execute(sql).fetchall()
    finally:
        con.close()


def test_everything_goes_into_a_folder(run, labelled, tmp_path):
    ran = run("export", "--db", labelled, "--out", tmp_path / "new" / "out")
    assert (ran.code, ran.err) == (0, "")
    folder = tmp_path / "new" / "out"
    assert sorted(path.name for path in folder.iterdir()) == ["labels.parquet", "requests.parquet", "spans.parquet"]
    assert ran.out.splitlines() == [
        f"8 spans in {folder}/spans.parquet",
        f"2 requests in {folder}/requests.parquet",
        f"2 labels in {folder}/labels.parquet",
    ]


@pytest.mark.parametrize("name", ["pq.txt", "out.csv", "backup.7z"])
def test_a_name_that_looks_like_a_file_makes_no_folder(run, labelled, tmp_path, name):
    line = run("export", "--db", labelled, "--out", tmp_path / name).line
    assert f"found {tmp_path / name}, which looks like a file; wanted a folder, or a file whose name ends in" in line
    assert not (tmp_path / name).exists()


def test_a_file_that_is_there_is_no_folder(run, labelled, tmp_path):
    (tmp_path / "out").write_text("mine")
    assert "looks like a file" in run("export", "--db", labelled, "--out", tmp_path / "out").line
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("name", ["out.2026-01", "out.7", "made.d"])
def test_a_folder_may_have_a_dot_in_its_name(run, labelled, tmp_path, name):
    if name == "made.d":
        (tmp_path / name).mkdir()
    assert run("export", "--db", labelled, "--out", tmp_path / name, "--what", "labels").code == 0
    assert (tmp_path / name / "labels.parquet").exists()


def test_ids_of_requests_and_labels_are_text_and_join(run, labelled, tmp_path):
    run("export", "--db", labelled, "--out", tmp_path, "--what", "labels", "--what", "requests")
    requests = pq.read_table(tmp_path / "requests.parquet").to_pylist()
    labels = pq.read_table(tmp_path / "labels.parquet").to_pylist()
    assert [row["request_id"] for row in requests] == [f"{1:032x}", f"{2:032x}"]
    assert requests[0]["anchor_span_id"] == f"{10:016x}"
    assert requests[0]["ranked_ids"] == ["g", "x"]
    assert {row["request_id"] for row in labels} == {row["request_id"] for row in requests}
    assert all(row["is_newest"] for row in labels)


@pytest.mark.parametrize(
    "file", sorted(RECORDINGS.glob("*.jsonl")) + sorted(RECORDINGS.glob("*.pb")), ids=lambda p: p.name
)
def test_exported_spans_import_as_the_same_rows(run, tmp_path, file):
    run("import", "--db", tmp_path / "first.duckdb", file)
    run("export", "--db", tmp_path / "first.duckdb", "--out", tmp_path / "s.parquet", "--what", "spans")
    ran = run("import", "--db", tmp_path / "second.duckdb", tmp_path / "s.parquet")
    assert (ran.code, ran.err) == (0, "")
    if ".logs." in file.name:
        assert rows(tmp_path / "first.duckdb") == []
        return
    assert rows(tmp_path / "second.duckdb") == rows(tmp_path / "first.duckdb") != []
    assert "0 spans stored" in run("import", "--db", tmp_path / "second.duckdb", tmp_path / "s.parquet").out


def test_a_folder_of_exports_imports_as_its_spans(run, labelled, tmp_path):
    run("export", "--db", labelled, "--out", tmp_path / "out")
    ran = run("import", "--db", tmp_path / "second.duckdb", tmp_path / "out")
    assert (ran.code, ran.err) == (0, "")
    assert "8 spans stored from 3 files" in ran.out
    assert f"{tmp_path}/out/labels.parquet: labels of `ragfault export`, passed over" in ran.out
    assert rows(tmp_path / "second.duckdb") == rows(labelled)
    again = run("import", "--db", tmp_path / "third.duckdb", "--json", tmp_path / "out" / "requests.parquet")
    assert (again.code, again.json["spans"]) == (0, 0)
    assert again.json["passed_over"] == [{"file": f"{tmp_path}/out/requests.parquet", "what": "requests"}]
    assert not (tmp_path / "third.duckdb").exists()


def test_a_damaged_export_is_not_passed_over(run, labelled, tmp_path):
    run("export", "--db", labelled, "--out", tmp_path, "--what", "labels")
    whole = (tmp_path / "labels.parquet").read_bytes()
    (tmp_path / "labels.parquet").write_bytes(whole[:-20])
    ran = run("import", "--db", tmp_path / "second.duckdb", tmp_path / "labels.parquet")
    assert ran.code == 2
    assert "cut off or damaged" in ran.err


def test_since_leaves_out_what_started_before(run, labelled, tmp_path):
    start = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)
    ran = run("export", "--db", labelled, "--out", tmp_path / "a", "--since", start.isoformat())
    assert [line.split()[0] for line in ran.out.splitlines()] == ["0", "0", "0"]
    ran = run("export", "--db", labelled, "--out", tmp_path / "b", "--since", "2000-01-01", "--json")
    assert [(one["what"], one["rows"]) for one in ran.json] == [("spans", 8), ("requests", 2), ("labels", 2)]


def test_another_file_is_replaced_and_nothing_unfinished_is_left(run, db, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "spans.parquet").write_bytes(b"old")
    run("export", "--db", db, "--out", out, "--what", "spans")
    assert [path.name for path in out.iterdir()] == ["spans.parquet"]
    assert duckdb.sql(f"SELECT count(*) FROM '{out}/spans.parquet'").fetchall() == [(8,)]


def test_one_file_for_several_tables_is_refused(run, db, tmp_path):
    assert "wanted a folder" in run("export", "--db", db, "--out", tmp_path / "a.parquet").line


def test_a_place_that_cannot_be_written_is_one_line(run, db, tmp_path):
    (tmp_path / "file").write_text("")
    assert "file" in run("export", "--db", db, "--out", tmp_path / "file").line


def test_no_database_is_one_line(run, tmp_path):
    assert "no such database" in run("export", "--db", tmp_path / "none.duckdb", "--out", tmp_path).line


OTHER = [
    pytest.param(
        lambda run, db, path: pq.write_table(pa.table({"id": [1], "x": [2]}), path), r"with columns id, x", id="other"
    ),
    pytest.param(lambda run, db, path: path.write_bytes(b"PAR1" + b"\0" * 100), "cut off or damaged", id="damaged"),
]


@pytest.mark.parametrize(("make", "found"), OTHER)
def test_another_parquet_file_is_named(run, db, tmp_path, make, found):
    make(run, db, tmp_path / "x.parquet")
    ran = run("import", "--db", db, tmp_path / "x.parquet")
    assert ran.code == 2
    assert re.search(found, ran.err)
    assert "ragfault export --what spans" in ran.err

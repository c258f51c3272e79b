"""``ragfault corpus`` with several snapshots: list, diff, drop, files of changes."""

import pytest

from cli.files import write_lines

CHUNKS = [{"chunk_id": f"c{number}", "doc_id": "d", "text": f"text {number}"} for number in range(4)]
LATER = [{**CHUNKS[0], "text": "another"}, {**CHUNKS[1], "permitted": ["hr"]}, CHUNKS[2], {"chunk_id": "n"}]


@pytest.fixture
def two(run, tmp_path):
    db = tmp_path / "new.duckdb"
    for name, chunks in (("old", CHUNKS), ("new", LATER)):
        path = write_lines(tmp_path / f"{name}.jsonl", *chunks)
        assert run("corpus", "load", "--db", db, "--snapshot", name, path).code == 0
    return db


def test_snapshots_are_listed_with_what_they_are_made_of(run, two):
    listed = run("corpus", "list", "--db", two, "--json").json
    assert {(one["snapshot_id"], one["chunks"], one["restricted"], one["with_text"]) for one in listed} == {
        ("new", 4, 1, 3),
        ("old", 4, 0, 4),
    }
    assert "restricted" in run("corpus", "list", "--db", two).out


def test_a_database_without_snapshots_says_how_to_load_one(run, db):
    assert "ragfault corpus load" in run("corpus", "list", "--db", db).out


def test_a_difference_has_counts_and_ids(run, two):
    found = run("corpus", "diff", "--db", two, "old", "new", "--json").json
    assert (found["added"], found["removed"]) == ({"count": 1, "ids": ["n"]}, {"count": 1, "ids": ["c3"]})
    assert (found["changed"]["count"], found["changed"]["ids"]) == (2, ["c0", "c1"])
    by = {name: one["ids"] for name, one in found["changed"]["by"].items() if one["count"]}
    assert by == {"text": ["c0"], "permissions": ["c1"]}
    assert "changed: permissions" in run("corpus", "diff", "--db", two, "old", "new").out


def test_a_snapshot_is_dropped_and_the_other_stays_whole(run, two):
    assert run("corpus", "drop", "--db", two, "old", "--json").json == {"snapshot_id": "old", "dropped": True}
    assert run("query", "--db", two, "--json", "--sql", "SELECT count(*) AS n FROM corpus_chunk").json == [{"n": 4}]
    assert "snapshot 'old' is not loaded, the newest is 'new'" in run("corpus", "drop", "--db", two, "old").line


def test_a_file_of_changes_is_loaded_on_top_of_its_base(run, two, tmp_path):
    changes = write_lines(
        tmp_path / "changes.jsonl", {"chunk_id": "c2", "removed": True}, {"chunk_id": "m", "text": "m"}
    )
    loaded = run("corpus", "load", "--db", two, "--snapshot", "next", "--base", "new", changes, "--json").json
    assert (loaded["chunks"], loaded["stored"], loaded["base_id"]) == (4, 1, "new")
    assert "'nowhere' is not loaded" in run("corpus", "load", "--db", two, "--base", "nowhere", changes).line


def test_texts_stay_out_of_the_database_where_that_is_wanted(run, tmp_path):
    db, path = tmp_path / "new.duckdb", write_lines(tmp_path / "c.jsonl", *CHUNKS)
    run("corpus", "load", "--db", db, "--hash-only", path)
    (row,) = run(
        "query", "--db", db, "--json", "--sql", "SELECT count(text) t, count(text_hash) h FROM corpus_chunk"
    ).json
    assert row == {"t": 0, "h": 4}

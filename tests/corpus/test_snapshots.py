"""Snapshots are stored as differences, and each can be read as if it had been stored whole."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpora import put_snapshot
from otel_ragfault.corpus import compare_snapshots, drop_snapshot, list_snapshots
from otel_ragfault.errors import InputError
from otel_ragfault.store import connect


@pytest.fixture
def con(tmp_path):
    with connect(tmp_path / "db.duckdb", create=True) as connection:
        yield connection


def content(con, snapshot):
    rows = con.execute(
        "SELECT chunk_id, doc_id, text, version, valid_to, permitted FROM corpus_chunk WHERE snapshot_id = ?",
        [snapshot],
    ).fetchall()
    return sorted(rows)


def stored(con):
    return con.execute("SELECT count(*) FROM corpus_stored_chunk").fetchone()[0]


def chunk(number, text="text", **rest):
    return {"chunk_id": f"c{number}", "doc_id": f"d{number // 10}", "text": f"{text} {number}", **rest}


BIG = [chunk(number, "a sentence of some length about the subject of chunk number") for number in range(10_000)]


def changed(chunks, turn):
    """Return 1 % of the chunks with another text, of which a tenth is removed and as many are new."""
    step, kept = len(chunks) // 100, list(chunks)
    for number in range(turn, len(chunks), 100)[:step]:
        kept[number] = {**kept[number], "text": f"turn {turn}"}
    return kept[step // 10 :] + [chunk(100_000 + turn * step + extra) for extra in range(step // 10)]


def test_ten_snapshots_of_ten_thousand_chunks_take_about_the_room_of_one(tmp_path):
    one, ten = tmp_path / "one.duckdb", tmp_path / "ten.duckdb"
    for path, count in ((one, 1), (ten, 10)):
        with connect(path, create=True) as con:
            chunks = BIG
            for turn in range(count):
                put_snapshot(con, f"s{turn}", chunks)
                chunks = changed(chunks, turn)
            con.execute("CHECKPOINT")
            rows, whole = stored(con), con.execute("SELECT count(*) FROM corpus_chunk").fetchone()[0]
            blocks = con.execute("SELECT used_blocks * block_size FROM pragma_database_size()").fetchone()[0]
        if count == 1:
            room = blocks
    assert whole == 100_000
    assert rows <= 10_000 * 1.15
    assert blocks <= room * 1.4, f"{blocks / room:.2f} times the room of one snapshot"


IDS = ["a", "b", "c", "d"]
CHUNKS = st.dictionaries(
    st.sampled_from(IDS),
    st.fixed_dictionaries(
        {
            "doc_id": st.sampled_from([None, "x", "y"]),
            "text": st.sampled_from([None, "", "one", "two"]),
            "version": st.sampled_from([None, "1"]),
            "permitted": st.sampled_from([None, [], ["hr"]]),
        }
    ),
)
STEPS = st.lists(
    st.tuples(st.sampled_from(["load", "load", "replace", "drop"]), st.sampled_from(["s", "t", "u"]), CHUNKS),
    max_size=8,
)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(STEPS)
def test_whatever_is_loaded_replaced_and_dropped_each_snapshot_holds_what_its_file_said(memory, steps):
    for table in ("corpus_stored_chunk", "corpus_snapshot"):
        memory.execute(f"DELETE FROM {table}")
    held = {}
    for what, snapshot, chunks in steps:
        if what == "drop":
            if held.pop(snapshot, None) is not None:
                drop_snapshot(memory, snapshot)
        elif what == "replace" or snapshot not in held:
            put_snapshot(memory, snapshot, [{"chunk_id": key, **chunks[key]} for key in chunks], replace=True)
            held[snapshot] = chunks
        for name, expected in held.items():
            rows = memory.execute(
                "SELECT chunk_id, doc_id, text, version, permitted FROM corpus_chunk WHERE snapshot_id = ?", [name]
            ).fetchall()
            assert {row[0]: row[1:] for row in rows} == {key: values(value) for key, value in expected.items()}
            assert len(rows) == len(expected)
            assert in_their_order(memory, name) == by_document(expected)
        assert {one.snapshot_id: one.chunks for one in list_snapshots(memory)} == {
            name: len(value) for name, value in held.items()
        }
    assert held or stored(memory) == 0, "nothing is left behind"


def values(given):
    return tuple(given[name] for name in ("doc_id", "text", "version", "permitted"))


def in_their_order(con, snapshot):
    """Return {document: its chunks by their position}; positions are compared as an order only."""
    rows = con.execute(
        "SELECT doc_id, list(chunk_id ORDER BY position), count(DISTINCT position) FROM corpus_chunk "
        "WHERE snapshot_id = ? AND doc_id IS NOT NULL GROUP BY doc_id",
        [snapshot],
    ).fetchall()
    assert all(len(ids) == places for _, ids, places in rows)
    return {doc: sorted(ids) for doc, ids, _ in rows}


def by_document(chunks):
    found = {}
    for key, value in chunks.items():
        if value["doc_id"] is not None:
            found.setdefault(value["doc_id"], []).append(key)
    return {doc: sorted(ids) for doc, ids in found.items()}


def test_a_chunk_put_into_a_document_moves_only_the_chunks_behind_it(con):
    ten, twenty = [chunk(n) for n in range(10)], [chunk(n) for n in range(10, 20)]
    put_snapshot(con, "old", ten + twenty)
    new = [*ten[:5], {**chunk(5), "chunk_id": "new"}, *ten[5:], *twenty]
    assert put_snapshot(con, "new", new).stored == 6
    rows = con.execute(
        "SELECT chunk_id FROM corpus_chunk WHERE snapshot_id = 'new' AND doc_id = 'd0' ORDER BY position"
    )
    assert [row[0] for row in rows.fetchall()] == ["c0", "c1", "c2", "c3", "c4", "new", "c5", "c6", "c7", "c8", "c9"]


def test_lines_in_another_order_are_no_difference(con):
    chunks = [chunk(n) for n in range(20)]
    put_snapshot(con, "old", chunks)
    loaded = put_snapshot(con, "new", [*reversed(chunks), chunk(30)])
    assert (loaded.base_id, loaded.stored) == ("old", 1)


def test_a_file_that_has_little_in_common_is_stored_on_its_own(con):
    put_snapshot(con, "one", [chunk(n) for n in range(10)])
    loaded = put_snapshot(con, "other", [chunk(n, "other") for n in range(1, 10)] + [chunk(0)])
    assert (loaded.base_id, loaded.stored) == (None, 10)


def test_two_corpora_that_take_turns_each_stay_a_series(con):
    for turn in range(3):
        put_snapshot(con, f"left{turn}", [chunk(n, "left") for n in range(20 + turn)])
        put_snapshot(con, f"right{turn}", [chunk(n, "right") for n in range(20 + turn)])
    assert stored(con) == 44
    assert {one.snapshot_id: one.base_id for one in list_snapshots(con)}["left2"] == "left1"


def test_when_the_newest_is_dropped_the_one_before_is_the_newest_again(con):
    chunks = [chunk(n) for n in range(10)]
    put_snapshot(con, "one", chunks)
    put_snapshot(con, "two", chunks[1:])
    drop_snapshot(con, "two")
    assert put_snapshot(con, "three", chunks).stored == 0
    assert content(con, "three") == content(con, "one")


def test_a_time_of_observation_that_all_chunks_share_is_no_difference(con):
    for day in (1, 2):
        loaded = put_snapshot(con, f"day{day}", [chunk(n, observed_at=f"2026-01-0{day}") for n in range(5)])
    assert loaded.stored == 0
    rows = con.execute("SELECT DISTINCT snapshot_id, observed_at::DATE::VARCHAR FROM corpus_chunk ORDER BY ALL")
    assert rows.fetchall() == [("day1", "2026-01-01"), ("day2", "2026-01-02")]


def test_hashes_stand_in_for_texts_and_are_compared_with_them(con):
    chunks = [chunk(n) for n in range(4)]
    put_snapshot(con, "texts", chunks)
    put_snapshot(con, "hashes", [*chunks[1:], chunk(0, "other")], hash_only=True)
    assert con.execute(
        "SELECT count(text), count(text_hash) FROM corpus_chunk WHERE snapshot_id = 'hashes'"
    ).fetchall() == [(0, 4)]
    found = compare_snapshots(con, "texts", "hashes")
    assert (found.added, found.removed, found.changed_ids) == ([], [], ["c0"])


@pytest.mark.parametrize(
    ("before", "after", "field"),
    [
        pytest.param({}, {"text": "other"}, "text", id="text"),
        pytest.param({"version": "1"}, {"version": "2"}, "version", id="version"),
        pytest.param({"valid_to": "2026-01-01"}, {"valid_to": "2026-01-02"}, "window", id="end"),
        pytest.param({}, {"valid_from": "2026-01-01"}, "window", id="a window where none was"),
        pytest.param({"permitted": []}, {}, "permissions", id="nobody and everybody"),
        pytest.param({}, {"doc_id": "moved"}, "document", id="document"),
    ],
)
def test_a_difference_names_what_changed(con, before, after, field):
    put_snapshot(con, "old", [chunk(0) | before, chunk(1)])
    put_snapshot(con, "new", [chunk(0) | after, chunk(1)])
    found = compare_snapshots(con, "old", "new")
    assert {name: ids for name, ids in found.changed.items() if ids} == {field: ["c0"]}


def test_a_difference_has_what_came_and_what_went(con):
    put_snapshot(con, "old", [chunk(0), chunk(1, permitted=["a", "b"])])
    put_snapshot(con, "new", [chunk(2), chunk(1, permitted=["b", "a"])])
    found = compare_snapshots(con, "old", "new")
    assert (found.added, found.removed, found.changed_ids) == (["c2"], ["c0"], [])


def test_a_file_of_changes_adds_replaces_and_removes(con):
    put_snapshot(con, "old", [chunk(n) for n in range(4)])
    lines = [{"chunk_id": "c0", "removed": True}, chunk(1, "other"), chunk(4)]
    loaded = put_snapshot(con, "new", lines, base="old")
    assert (loaded.chunks, loaded.base_id, loaded.stored) == (4, "old", 2)
    whole = put_snapshot(con, "whole", [chunk(1, "other"), chunk(2), chunk(3), chunk(4)])
    assert whole.stored == 0, "the same as if the whole index had been written"
    assert content(con, "new") == content(con, "whole")


def test_what_cannot_be_compared_or_dropped_is_named(con):
    put_snapshot(con, "here", [chunk(0)])
    for call in (
        lambda: compare_snapshots(con, "here", "gone"),
        lambda: drop_snapshot(con, "gone"),
        lambda: put_snapshot(con, "new", [chunk(0)], base="gone"),
    ):
        with pytest.raises(InputError, match="snapshot 'gone' is not loaded, the newest is 'here'"):
            call()


def test_a_removed_chunk_has_to_be_there_and_the_line_is_named(con):
    put_snapshot(con, "old", [chunk(0)])
    with pytest.raises(InputError, match=r"chunks.jsonl:2: chunk_id: 'c9' is not in snapshot 'old'"):
        put_snapshot(con, "new", [chunk(1), {"chunk_id": "c9", "removed": True}], base="old")
    with pytest.raises(InputError, match=r"chunks.jsonl:1: removed: is for a file of changes"):
        put_snapshot(con, "new", [{"chunk_id": "c0", "removed": True}])
    assert [one.snapshot_id for one in list_snapshots(con)] == ["old"]

import json

import pytest

from otel_ragfault.corpus import check_corpus, load_corpus
from otel_ragfault.errors import InputError
from otel_ragfault.model import InvalidFileError
from otel_ragfault.store import connect


@pytest.fixture
def con(tmp_path):
    with connect(tmp_path / "db.duckdb", create=True) as connection:
        yield connection


def write(tmp_path, *chunks, name="corpus.jsonl"):
    path = tmp_path / name
    path.write_text("\n".join(json.dumps(chunk) for chunk in chunks), encoding="utf-8")
    return path


def count(con, table):
    return con.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_only_the_id_is_required_and_foreign_keys_are_passed_over(tmp_path, con):
    loaded = load_corpus(con, write(tmp_path, {"chunk_id": 8, "title": "x", "id": 3}), snapshot_id="s")
    assert (loaded.snapshot_id, loaded.chunks, loaded.unchanged) == ("s", 1, False)
    assert con.execute("SELECT chunk_id, doc_id, text, permitted FROM corpus_chunk").fetchone() == (
        "8",
        None,
        None,
        None,
    )


def test_keys_that_are_passed_over_are_named_once_and_meta_is_free(tmp_path, con):
    path = write(
        tmp_path,
        {"chunk_id": "a", "title": "x", "meta": {"mine": 1}},
        {"chunk_id": "b", "title": "y", "url": None, "meta": None},
    )
    told = [(problem.line, problem.field, problem.reason) for problem in load_corpus(con, path).warnings]
    assert told == [
        (1, "title", "is not a known key, and is passed over on 2 lines; keys of your own go into meta"),
        (2, "url", "is not a known key, and is passed over; keys of your own go into meta"),
    ]


def test_nobody_and_everybody_stay_apart(tmp_path, con):
    load_corpus(
        con,
        write(
            tmp_path,
            {"chunk_id": "a", "permitted": []},
            {"chunk_id": "b", "permitted": None},
            {"chunk_id": "c", "permitted": "hr"},
        ),
    )
    assert con.execute("SELECT permitted FROM corpus_chunk ORDER BY chunk_id").fetchall() == [([],), (None,), (["hr"],)]


@pytest.mark.parametrize(
    ("chunk", "field", "reason"),
    [
        pytest.param({"id": "1"}, "id", "did you mean 'chunk_id'", id="id"),
        pytest.param({"chunkId": "1"}, "chunkId", "did you mean 'chunk_id'", id="camel case"),
        pytest.param(
            {"chunk_id": "1", "page_content": "x"}, "page_content", "did you mean 'text'", id="text under another name"
        ),
        pytest.param({}, "chunk_id", "is missing", id="nothing"),
        pytest.param({"chunk_id": None}, "chunk_id", "found null", id="null id"),
        pytest.param({"chunk_id": "1", "text": 3}, "text", "wanted a text", id="text as number"),
        pytest.param({"chunk_id": "1", "version": 1.1}, "version", "found 1.1", id="version as fraction"),
        pytest.param(
            {"chunk_id": "1", "valid_from": "2026-01-02", "valid_to": "2026-01-01"},
            "valid_to",
            "is before valid_from",
            id="window ends before it starts",
        ),
        pytest.param(
            {"chunk_id": "1", "valid_from": "2026-01-02", "valid_to": "2026-01-02T01:00:00+01:00"},
            "valid_to",
            "so that the chunk is never valid",
            id="window without length",
        ),
        pytest.param(
            {"chunk_id": "1", "valid_form": "2026-01-02"}, "valid_form", "did you mean 'valid_from'", id="misspelt"
        ),
        pytest.param(
            {"chunk_id": "1", "valid_until": "2026-01-02"}, "valid_until", "did you mean 'valid_to'", id="another word"
        ),
    ],
)
def test_each_fault_is_named(tmp_path, chunk, field, reason):
    (problem,) = check_corpus(write(tmp_path, chunk)).problems
    assert problem.field == field
    assert reason in problem.reason


def test_another_content_is_another_snapshot_and_the_same_one_is_left_alone(tmp_path, con):
    first = load_corpus(con, write(tmp_path, {"chunk_id": "a"}))
    again = load_corpus(con, write(tmp_path, {"chunk_id": "a"}))
    other = load_corpus(con, write(tmp_path, {"chunk_id": "b"}))
    assert again.unchanged
    assert first.snapshot_id == again.snapshot_id != other.snapshot_id
    assert first.snapshot_id.startswith("corpus-")
    assert (count(con, "corpus_snapshot"), count(con, "corpus_chunk")) == (2, 2)


def test_a_stored_snapshot_is_replaced_only_on_demand(tmp_path, con):
    load_corpus(con, write(tmp_path, {"chunk_id": "a"}, {"chunk_id": "b"}), snapshot_id="s")
    path = write(tmp_path, {"chunk_id": "c"})
    with pytest.raises(InputError, match="loaded already with other chunks"):
        load_corpus(con, path, snapshot_id="s")
    load_corpus(con, path, snapshot_id="s", replace=True)
    assert con.execute("SELECT chunk_id FROM corpus_chunk").fetchall() == [("c",)]
    assert con.execute("SELECT chunks FROM corpus_snapshot").fetchall() == [(1,)]


def test_the_order_of_lines_is_no_other_content(tmp_path, con):
    load_corpus(con, write(tmp_path, {"chunk_id": "a"}, {"chunk_id": "b"}), snapshot_id="s")
    assert load_corpus(con, write(tmp_path, {"chunk_id": "b"}, {"chunk_id": "a"}), snapshot_id="s").unchanged


def test_an_empty_index_has_to_be_meant(tmp_path, con):
    with pytest.raises(InputError, match="allow-empty"):
        load_corpus(con, write(tmp_path))
    assert load_corpus(con, write(tmp_path), allow_empty=True).chunks == 0
    assert count(con, "corpus_snapshot") == 1


def test_nothing_is_loaded_from_a_file_with_errors_unless_asked(tmp_path, con):
    path = write(tmp_path, {"chunk_id": "a"}, {"chunk_id": "a"}, {"id": 1})
    with pytest.raises(InvalidFileError) as caught:
        load_corpus(con, path)
    assert [problem.line for problem in caught.value.problems] == [2, 3]
    assert count(con, "corpus_chunk") == count(con, "corpus_snapshot") == 0
    assert load_corpus(con, path, skip_invalid=True).skipped == 2

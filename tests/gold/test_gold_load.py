import datetime as dt
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import put_snapshot
from otel_ragfault.errors import InputError
from otel_ragfault.gold import check_gold, gold_id_mismatches, load_gold
from otel_ragfault.gold.normalised import normalised_query
from otel_ragfault.model import InvalidFileError
from otel_ragfault.store import connect

HOSTILE = "'; DROP TABLE gold_case; --\x00\n\u202e😀\"\\"


@pytest.fixture
def con(tmp_path):
    with connect(tmp_path / "db.duckdb", create=True) as connection:
        yield connection


def write(tmp_path, *cases):
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in cases), encoding="utf-8")
    return path


def case(case_id="a", **changes):
    return {"case_id": case_id, "query": f"What is {case_id}?", "evidence": [["c1"]]} | changes


def test_a_case_arrives_whole(tmp_path, con):
    loaded = load_gold(
        con,
        write(
            tmp_path,
            case(
                query=" Whät\u00a0 is it? ",
                evidence=[["c1", 2], ["c3"]],
                answer={"number": 8},
                as_of="2026-01-01T02:00:00+02:00",
                relevance={"c1": 2},
                tags=["x"],
            ),
        ),
    )
    assert (loaded.cases, loaded.evidence_members, loaded.added, loaded.skipped) == (1, 3, 1, 0)
    assert con.execute("SELECT query_key, expect, answer_check->>'$.number.value', as_of, relevance->>'c1', tags FROM gold_case").fetchone() == (
        "Wh\u00e4t is it?", "answer", "8.0", dt.datetime.fromisoformat("2026-01-01"), "2", ["x"])  # fmt: skip
    assert con.execute("SELECT * EXCLUDE case_id FROM gold_evidence ORDER BY ALL").fetchall() == [
        (1, 1, "c1", None, None),
        (1, 2, "2", None, None),
        (2, 1, "c3", None, None),
    ]


def test_an_empty_check_is_stored_as_none(tmp_path, con):
    load_gold(con, write(tmp_path, case(answer={"must_contain": [], "number": None})))
    assert con.execute("SELECT answer_check, claims, relevance FROM gold_case").fetchone() == (None, None, None)


def test_loading_again_replaces_the_case_and_its_evidence(tmp_path, con):
    load_gold(con, write(tmp_path, case("a"), case("b", evidence=[["x"], ["y"]])))
    loaded = load_gold(con, write(tmp_path, case("b", expect="refuse", evidence=None)))
    assert (loaded.added, loaded.changed, loaded.unchanged) == (0, 1, 0)
    assert con.execute("SELECT case_id, expect FROM gold_case ORDER BY 1").fetchall() == [
        ("a", "answer"),
        ("b", "refuse"),
    ]
    assert con.execute("SELECT case_id FROM gold_evidence").fetchall() == [("a",)]


def test_nothing_is_loaded_from_a_file_with_errors_unless_asked(tmp_path, con):
    path = write(tmp_path, case("a"), case("b", evidence=[]), {"x": 1})
    with pytest.raises(InvalidFileError) as caught:
        load_gold(con, path)
    assert {problem.line for problem in caught.value.problems} == {2, 3}
    assert con.execute("SELECT count(*) FROM gold_case").fetchone() == (0,)
    loaded = load_gold(con, path, skip_invalid=True)
    assert (loaded.cases, loaded.skipped) == (1, 2)


@pytest.mark.parametrize("content", ["", '[{"case_id": "a"}]'], ids=["empty file", "array"])
def test_a_file_without_cases_is_refused(tmp_path, con, content):
    path = tmp_path / "gold.jsonl"
    path.write_text(content)
    with pytest.raises(InputError):
        load_gold(con, path, skip_invalid=True)


def test_the_same_query_twice_is_a_warning(tmp_path):
    checked = check_gold(write(tmp_path, case("a", query="caf\u00e9  x"), case("b", query="cafe\u0301 x")))
    assert [(w.line, w.field) for w in checked.warnings] == [(2, "query")]
    assert "line 1" in checked.warnings[0].reason


def test_a_group_twice_is_a_warning(tmp_path):
    assert "evidence[0]" in check_gold(write(tmp_path, case(evidence=[["a"], ["a"]]))).warnings[0].reason


def test_hostile_texts_travel_unharmed(tmp_path, con):
    load_gold(con, write(tmp_path, case(HOSTILE, evidence=[[HOSTILE]], labelled_by=HOSTILE, meta={"x": HOSTILE})))
    assert con.execute("SELECT case_id, labelled_by FROM gold_case").fetchone() == (HOSTILE, HOSTILE)
    assert con.execute("SELECT chunk_id FROM gold_evidence").fetchone() == (HOSTILE,)


@given(text=st.text(alphabet=st.characters(max_codepoint=0x2FFF, exclude_categories=["Cs", "Cn"])))
def test_python_and_sql_normalise_queries_alike(macros, text):
    assert macros.execute("SELECT normalise_text(?)", [text]).fetchone() == (normalised_query(text),)


@pytest.fixture(scope="module")
def macros(tmp_path_factory):
    with connect(tmp_path_factory.mktemp("macros") / "db.duckdb", create=True) as connection:
        yield connection


REQUEST = "INSERT INTO request BY NAME SELECT uuid() AS request_id, uuid() AS trace_id, ? AS ranked_ids, false AS has_rerank, 'unknown' AS assembly_source, 'x' AS convention, []::VARCHAR[] AS missing, 1 AS spans, now()::TIMESTAMP AS built_at"


@pytest.mark.parametrize(
    ("gold_id", "kind", "meant"),
    [
        pytest.param("doc", "document_id", "chunk", id="document id"),
        pytest.param("cafe\u0301", "unicode", "caf\u00e9", id="NFD against NFC"),
        pytest.param("CHUNK ", "case_or_space", "chunk", id="case and space"),
        pytest.param("08", "number_form", "8", id="leading zero"),
        pytest.param("8.0", "number_form", "8", id="decimal point"),
        pytest.param("chun", "unknown", None, id="a prefix is no match"),
    ],
)
def test_a_mismatch_is_named(tmp_path, con, gold_id, kind, meant):
    put_snapshot(con, "s", [{"chunk_id": "chunk", "doc_id": "doc"}])
    con.execute(REQUEST, [["8", None, "caf\u00e9"]])
    load_gold(con, write(tmp_path, case(evidence=[[gold_id, "chunk", "8"]])))
    (found,) = gold_id_mismatches(con)
    assert (found.kind, found.ids, found.cases, found.examples) == (kind, 1, 1, ((gold_id, meant),))


def test_without_known_ids_there_is_nothing_to_compare(tmp_path, con):
    load_gold(con, write(tmp_path, case()))
    assert gold_id_mismatches(con) == []


def test_conditions_that_no_answer_can_meet_are_refused_at_their_place(tmp_path, con):
    path = write(
        tmp_path, case("a"), case("b", answer={"must_contain": "8\u00a0Hours", "must_not_contain": ["8 hours"]})
    )
    with pytest.raises(InvalidFileError) as caught:
        load_gold(con, path)
    (problem,) = caught.value.problems
    assert (problem.line, problem.field) == (2, "answer.must_not_contain[0]")
    assert "no answer can meet both" in problem.reason
    assert load_gold(con, path, skip_invalid=True).cases == 1


def test_a_database_that_holds_such_a_case_still_loads_others(tmp_path, con):
    """An earlier release took it in."""
    load_gold(con, write(tmp_path, case("old", query="one?")))
    check = '{"must_contain": ["x"], "must_not_contain": ["x"]}'
    con.execute("UPDATE gold_version SET content = json_merge_patch(content, json_object('answer', ?::JSON))", [check])
    assert load_gold(con, write(tmp_path, case("new", query="one?"))).cases == 1

"""Gold by quote in a database: resolved in every snapshot, whatever was loaded first."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.corpus import load_corpus
from otel_ragfault.errors import InputError
from otel_ragfault.gold import check_gold, gold_history, gold_list, load_gold, resolve_quotes
from otel_ragfault.gold.conjunction import required_groups
from otel_ragfault.gold.natural import natural_key
from otel_ragfault.model import InvalidFileError
from otel_ragfault.store import connect

SMALL = (
    {"chunk_id": "s1", "doc_id": "d", "text": "The crew rests for 8 hours"},
    {"chunk_id": "s2", "doc_id": "d", "text": "in the long-haul cabin."},
    {"chunk_id": "s3", "doc_id": "e", "text": "Tea is served."},
)
LARGE = (
    {"chunk_id": "l1", "doc_id": "d", "text": "The crew rests for 8 hours in the long-haul cabin."},
    {"chunk_id": "l2", "doc_id": "e", "text": "Tea is served."},
)
REST = {"doc_id": "d", "quote": "8 hours in the long-haul cabin"}


@pytest.fixture
def con(tmp_path):
    with connect(tmp_path / "db.duckdb", create=True) as connection:
        yield connection


@pytest.fixture
def write(tmp_path):
    def write(name, *rows):
        path = tmp_path / name
        path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        return path

    return write


def case(case_id="a", **changes):
    return {"case_id": case_id, "query": f"What is {case_id}?", "evidence": [["c1"]]} | changes


def required(con, snapshot, case_id="a"):
    rows = con.execute(
        "SELECT group_no, list(chunk_id ORDER BY member_no) FILTER (chunk_id IS NOT NULL), min(evidence_known) "
        "FROM required_evidence WHERE snapshot_id = ? AND case_id = ? GROUP BY group_no ORDER BY group_no",
        [snapshot, case_id],
    ).fetchall()
    return [(group, chunks or [], known) for group, chunks, known in rows]


def load_all(con, write, order, *cases):
    for what in order:
        if what == "gold":
            load_gold(con, write("gold.jsonl", *cases))
        else:
            loaded = load_corpus(con, write(f"{what}.jsonl", *{"small": SMALL, "large": LARGE}[what]), snapshot_id=what)
            resolve_quotes(con, snapshot_id=loaded.snapshot_id)


@pytest.mark.parametrize(
    "order",
    [("gold", "small", "large"), ("small", "gold", "large"), ("small", "large", "gold")],
    ids=" then ".join,
)
def test_the_order_of_loading_makes_no_difference(con, write, order):
    load_all(con, write, order, case(evidence=[["x", REST], ["s3", "l2"]]))
    assert required(con, "large") == [(1, ["x", "l1"], True), (2, ["s3", "l2"], True)]
    assert required(con, "small") == [(1, ["x", "s1"], True), (2, ["s3", "l2"], True), (3, ["x", "s2"], True)]
    assert required(con, "") == [(1, ["x"], False), (2, ["s3", "l2"], True)]


def test_ids_are_required_as_they_are_in_every_snapshot(con, write):
    load_all(con, write, ("gold", "small"), case(evidence=[["c1", "c2"]]))
    assert required(con, "small") == required(con, "") == [(1, ["c1", "c2"], True)]


def test_a_quote_that_is_nowhere_leaves_a_group_that_nothing_satisfies(con, write):
    load_all(con, write, ("small", "gold"), case(evidence=[[{"doc_id": "d", "quote": "9 hours"}], ["c1"]]))
    assert required(con, "small") == [(1, [], True), (2, ["c1"], True)]
    (listed,) = gold_list(con, unresolved=True)
    assert (listed["case_id"], listed["quotes"], listed["found"], listed["lost"]) == ("a", 1, 0, 1)


def test_a_snapshot_without_texts_says_nothing_about_a_quote(con, write):
    load_gold(con, write("gold.jsonl", case(evidence=[[REST]])))
    load_corpus(con, write("ids.jsonl", {"chunk_id": "i1", "doc_id": "d"}), snapshot_id="ids")
    (found,) = resolve_quotes(con)
    assert found.found.state == "no_text"
    assert required(con, "ids") == [(1, [], False)]


def test_an_ambiguous_quote_is_an_error_that_names_file_line_field_and_chunks(con, write):
    load_corpus(
        con, write("c.jsonl", *SMALL, {"chunk_id": "s4", "doc_id": "f", "text": "Tea is served."}), snapshot_id="s"
    )
    path = write("gold.jsonl", case("fine"), case("twice", evidence=[["c1"], [{"quote": "Tea is served"}]]))
    with pytest.raises(InvalidFileError) as caught:
        load_gold(con, path)
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.field) == (str(path), 2, "evidence[1][0].quote")
    assert "'s3', 's4'" in problem.reason
    assert "doc_id" in problem.reason
    assert con.execute("SELECT count(*) FROM gold_case").fetchone() == (0,)
    assert load_gold(con, path, skip_invalid=True).skipped == 1
    assert con.execute("SELECT case_id FROM gold_case").fetchall() == [("fine",)]


def test_a_quote_that_becomes_ambiguous_with_a_later_corpus_is_not_known(con, write):
    path = write("gold.jsonl", case(evidence=[[{"quote": "Tea is served"}]]))
    load_gold(con, path)
    load_corpus(
        con, write("c.jsonl", *SMALL, {"chunk_id": "s4", "doc_id": "f", "text": "Tea is served."}), snapshot_id="s"
    )
    (found,) = resolve_quotes(con)
    assert (found.problem.file, found.problem.line, found.problem.field) == (str(path), 1, "evidence[0][0].quote")
    assert required(con, "s") == [(1, [], False)]


def test_quotes_of_claims_are_resolved_and_reported_but_not_required(con, write):
    claims = [{"id": "k1", "text": "It rests.", "evidence": [[REST]]}]
    load_all(con, write, ("gold", "small"), case(claims=claims))
    row = con.execute("SELECT claim_id, state, split, chunk_ids FROM resolved_quote").fetchone()
    assert row == ("k1", "exact", True, ["s1", "s2"])
    assert required(con, "small") == [(1, ["c1"], True)]


def test_a_replaced_case_forgets_what_its_quotes_were(con, write):
    load_all(con, write, ("small", "gold"), case(evidence=[[REST]]))
    load_gold(con, write("gold.jsonl", case(evidence=[["c9"]])))
    assert con.execute("SELECT count(*) FROM resolved_quote").fetchone() == (0,)
    assert required(con, "small") == [(1, ["c9"], True)]


def test_resolving_twice_stores_everything_once(con, write):
    load_all(con, write, ("gold", "small"), case(evidence=[[REST]]))
    before = con.execute("SELECT * EXCLUDE resolved_at FROM resolved_quote").fetchall()
    resolve_quotes(con)
    assert con.execute("SELECT * EXCLUDE resolved_at FROM resolved_quote").fetchall() == before
    assert required(con, "small") == [(1, ["s1"], True), (2, ["s2"], True)]


def test_an_unknown_snapshot_is_refused(con, write):
    load_all(con, write, ("gold", "small"), case(evidence=[[REST]]))
    with pytest.raises(InputError, match="'small'"):
        resolve_quotes(con, snapshot_id="smal")


def test_the_document_of_a_quote_may_be_left_out(con, write):
    load_all(con, write, ("gold", "large"), case(evidence=[[{"quote": "8 hours in the long-haul cabin"}]]))
    assert required(con, "large") == [(1, ["l1"], True)]


def test_a_quote_without_a_word_is_refused(write):
    (problem,) = check_gold(write("gold.jsonl", case(evidence=[[{"quote": "…"}]]))).problems
    assert (problem.line, problem.field) == (1, "evidence[0][0].quote")


def test_every_version_of_a_case_is_kept_and_loads_again(con, write, tmp_path):
    first = case(answer={"number": 8}, labelled_by="mary", source="review", acceptable_sources=["d"])
    second = first | {"answer": {"number": 9}, "tags": ["x"]}
    for one in (first, second, first):
        load_gold(con, write("gold.jsonl", one))
    now, other = gold_history(con, "a")
    assert (now.in_force, other.in_force) == (True, False)
    assert set(other.changed) == {"answer", "tags"}
    assert (now.file, now.line) == (str(tmp_path / "gold.jsonl"), 1)
    ((_, again),) = check_gold(write("again.jsonl", now.content)).cases
    assert again.version == now.gold_version
    assert con.execute("SELECT source, acceptable_sources FROM gold_case").fetchone() == ("review", ["d"])


def test_a_case_that_was_never_loaded_has_no_history(con, write):
    load_gold(con, write("gold.jsonl", case("long-haul-cabin")))
    with pytest.raises(InputError, match="did you mean 'long-haul-cabin'"):
        gold_history(con, "long-haul-cabins")


def test_keys_of_a_later_release_do_not_change_the_version_of_a_case_without_them(write):
    ((_, plain),) = check_gold(write("gold.jsonl", case())).cases
    ((_, sourced),) = check_gold(write("gold.jsonl", case(source="x"))).cases
    assert plain.version == "a7704539ba3ae4c3"
    assert sourced.version != plain.version


CONTRADICTING = [
    pytest.param({"expect": "refuse", "evidence": None}, "expect", id="another expectation"),
    pytest.param({"evidence": [["c2"]]}, "evidence", id="other evidence"),
    pytest.param({"answer": {"number": 9}}, "answer.number", id="another number"),
    pytest.param({"answer": {"must_not_contain": "8 HOURS"}}, "answer", id="what the other requires is forbidden"),
]
AGREEING = [
    pytest.param({}, id="the same"),
    pytest.param({"evidence": [[{"quote": "8 hours"}]]}, id="evidence by quote and by id"),
    pytest.param({"as_of": "2026-01-01", "evidence": [["c2"]]}, id="at another time"),
    pytest.param({"query": "What is it?", "evidence": [["c2"]]}, id="another question"),
]
FIRST = case("first", query="What is a?", answer={"number": 8, "must_contain": "8 hours"})


@pytest.mark.parametrize(("changes", "field"), CONTRADICTING)
def test_a_case_that_contradicts_another_is_an_error_in_a_file_and_against_the_database(con, write, changes, field):
    second = FIRST | {"case_id": "second", "query": "  What is\u00a0a?"} | changes
    both = write("both.jsonl", FIRST, second)
    (problem,) = check_gold(both).problems
    assert (problem.file, problem.line, problem.field) == (str(both), 2, field)
    assert "line 1 (case 'first')" in problem.reason
    assert check_gold(both, allow_contradictions=True).problems == ()
    load_gold(con, write("first.jsonl", FIRST))
    alone = write("second.jsonl", second)
    with pytest.raises(InvalidFileError) as caught:
        load_gold(con, alone)
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.field) == (str(alone), 1, field)
    assert "first.jsonl line 1 (case 'first')" in problem.reason
    assert load_gold(con, alone, allow_contradictions=True).cases == 1


@pytest.mark.parametrize("changes", AGREEING)
def test_cases_that_can_both_be_right_are_loaded(con, write, changes):
    both = write("both.jsonl", FIRST, FIRST | {"case_id": "second"} | changes)
    assert load_gold(con, both).cases == 2


def test_a_corrected_case_does_not_contradict_what_it_replaces(con, write):
    load_gold(con, write("gold.jsonl", FIRST))
    assert load_gold(con, write("gold.jsonl", FIRST | {"evidence": [["c2"]]})).changed == 1


SETS = st.lists(st.frozensets(st.sampled_from("abcdef"), min_size=1, max_size=3), max_size=4)


@given(ways=SETS, shown=st.frozensets(st.sampled_from("abcdef")))
def test_groups_are_satisfied_exactly_when_one_of_the_ways_is(ways, shown):
    groups = required_groups(ways)
    if ways:
        assert any(way <= shown for way in ways) == all(shown & set(group) for group in groups)
    else:
        assert groups == []


@given(ways=SETS)
def test_no_group_says_what_another_says_already(ways):
    groups = [set(group) for group in required_groups(ways)]
    assert not any(one <= other for i, one in enumerate(groups) for j, other in enumerate(groups) if i != j)


def test_a_single_way_keeps_its_order():
    assert required_groups([frozenset("a"), frozenset("bc")]) == [("a", "b"), ("a", "c")]


def test_very_many_ways_are_made_stricter_and_never_laxer():
    ways = [frozenset(f"{i}{part}" for part in "abcd") for i in range(8)]
    groups = required_groups(ways)
    assert len(groups) <= 256
    assert all(set(group) & ways[0] for group in groups)


def test_ids_are_counted_as_a_person_counts():
    assert sorted(["d-10", "d-9", "c-11", "d-9a"], key=natural_key) == ["c-11", "d-9", "d-9a", "d-10"]

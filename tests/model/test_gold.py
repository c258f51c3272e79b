import json

import pytest

from otel_ragfault.model import GoldCase, RecordReader, gold_json_schema

GOOD = {"case_id": "a", "query": "q?", "evidence": [["c1"]]}


def problems(tmp_path, *cases):
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in cases))
    reader = RecordReader(path, GoldCase, "case_id")
    valid = [case for _, case in reader]
    return valid, [(p.line, p.field, p.reason) for p in reader.problems], reader


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        pytest.param({"case_id": True}, "case_id", "found true, wanted an id", id="boolean id"),
        pytest.param({"case_id": None}, "case_id", "found null, wanted an id", id="null id"),
        pytest.param({"case_id": 1.0}, "case_id", "found 1.0", id="float id"),
        pytest.param({"case_id": " "}, "case_id", "found a blank text", id="blank id"),
        pytest.param({"query": "\u200b\u00ad"}, "query", "found a blank text", id="invisible query"),
        pytest.param({"": 1}, '""', "is not a known key", id="empty key"),
        pytest.param({"query": ""}, "query", "found an empty text", id="empty query"),
        pytest.param(
            {"expect": "Answer"}, "expect", "wanted 'answer', 'refuse' or 'clarify'", id="unknown expectation"
        ),
        pytest.param({"evidence": []}, "evidence", "missing or empty", id="no evidence"),
        pytest.param({"evidence": None}, "evidence", "missing or empty", id="null evidence"),
        pytest.param({"evidence": ["c08"]}, "evidence[0]", 'write [["c08"]]', id="flat list"),
        pytest.param({"evidence": "c08"}, "evidence", "wanted a list", id="bare id"),
        pytest.param({"evidence": [[]]}, "evidence[0]", "empty group", id="empty group"),
        pytest.param({"evidence": [["a", None]]}, "evidence[0][1]", "found null", id="null member"),
        pytest.param({"evidence": [["a", "a"]]}, "evidence[0]", "'a' is in this group twice", id="member twice"),
        pytest.param({"evidence": [[1, "1"]]}, "evidence[0]", "twice", id="member twice as number and text"),
        pytest.param(
            {"evidence": [[{"doc_id": "d", "quote": "y", "qoute": "x"}]]},
            "evidence[0][0].qoute",
            "did you mean 'quote'",
            id="misspelt quote",
        ),
        pytest.param(
            {"gold_chunk_ids": [["a"]]}, "gold_chunk_ids", "another spelling of 'evidence'", id="both spellings"
        ),
        pytest.param(
            {"expect": "refuse"}, "evidence", "expects a refusal cannot require evidence", id="refusal with evidence"
        ),
        pytest.param({"answer": "8 hours"}, "answer", "wanted an object such as", id="bare answer"),
        pytest.param(
            {"answer": {"must_contan": "x"}}, "answer.must_contan", "did you mean 'must_contain'", id="misspelt check"
        ),
        pytest.param({"answer": {"matches": "("}}, "answer.matches", "wanted a regular expression", id="bad pattern"),
        pytest.param({"answer": {"number": True}}, "answer.number", "found true", id="boolean number"),
        pytest.param(
            {"answer": {"number": {"value": 1, "tolerance": -1}}},
            "answer.number.tolerance",
            "at least 0",
            id="negative tolerance",
        ),
        pytest.param({"answer": {"must_contain": [""]}}, "answer.must_contain[0]", "empty text", id="empty needle"),
        pytest.param({"relevance": {"c": -1}}, "relevance.c", "at least 0", id="negative relevance"),
        pytest.param({"relevance": {"c": 1.5}}, "relevance.c", "wanted a whole number", id="fractional relevance"),
        pytest.param({"as_of": "yesterday"}, "as_of", "wanted an ISO 8601 time", id="bad time"),
        pytest.param(
            {"as_of": "0001-01-01T00:00:00+14:00"}, "as_of", "wanted an ISO 8601 time", id="time before all times"
        ),
        pytest.param(
            {"claims": [{"id": 1, "text": "x"}, {"id": "1", "text": "y"}]},
            "claims[1].id",
            "already the id",
            id="claim twice",
        ),
        pytest.param({"querry": "x"}, "querry", "did you mean 'query'", id="misspelt key"),
        pytest.param({"must_contain": ["x"]}, "must_contain", "not at this place", id="misplaced key"),
    ],
)
def test_each_fault_is_named(tmp_path, change, field, reason):
    valid, found, _ = problems(tmp_path, GOOD | change)
    assert valid == []
    assert [(line, name) for line, name, _ in found] == [(1, field)]
    assert reason in found[0][2]


def test_all_faults_of_all_lines_come_in_one_pass(tmp_path):
    _, found, reader = problems(
        tmp_path, {"case_id": None, "querry": "x"}, GOOD, {"case_id": "a", "query": 3, "evidence": [["x"]]}
    )
    assert {(line, field) for line, field, _ in found} == {
        (1, "case_id"),
        (1, "query"),
        (1, "querry"),
        (3, "query"),
        (3, "case_id"),
    }
    assert reader.invalid_lines == {1, 3}


def test_a_repeated_id_names_both_lines(tmp_path):
    _, found, _ = problems(tmp_path, GOOD | {"case_id": 7}, GOOD, GOOD | {"case_id": "7"})
    assert found == [(3, "case_id", "'7' is already on line 1")]


def test_ids_that_look_alike_are_a_warning(tmp_path):
    valid, found, reader = problems(tmp_path, GOOD | {"case_id": "caf\u00e9"}, GOOD | {"case_id": "cafe\u0301"})
    assert (len(valid), found) == (2, [])
    assert "NFC" in reader.warnings[0].reason


def test_other_spellings_are_accepted():
    case = GoldCase.model_validate(
        {
            "case_id": 5,
            "query": "q",
            "gold_chunk_ids": [[8, "c"]],
            "answer": {"must_contain": "x", "number": 3},
            "tags": None,
            "as_of": "2026-01-31",
        }
    )
    assert case.case_id == "5"
    assert case.evidence == (("8", "c"),)
    assert case.answer.must_contain == ("x",)
    assert case.answer.number.value == 3
    assert case.as_of.isoformat() == "2026-01-31T00:00:00+00:00"


def test_the_version_follows_the_meaning_not_the_spelling():
    one = GoldCase.model_validate(GOOD)
    assert (
        GoldCase.model_validate({"evidence": None, "gold_chunk_ids": [["c1"]], "query": "q?", "case_id": "a"}).version
        == one.version
    )
    assert GoldCase.model_validate(GOOD | {"tags": ["x"]}).version != one.version


def test_the_schema_is_json_and_closed():
    schema = json.loads(json.dumps(gold_json_schema()))
    assert schema["additionalProperties"] is False
    assert {"case_id", "evidence", "gold_chunk_ids"} <= schema["properties"].keys()

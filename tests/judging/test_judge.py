import json

import duckdb
import pytest

from corpora import put_snapshot
from otel_ragfault.judging import judge, judge_requests
from otel_ragfault.model import Config
from otel_ragfault.store import connect, transaction

REQUEST = """INSERT INTO request BY NAME SELECT uuid() AS request_id, uuid() AS trace_id, 'a' AS case_id, $query AS query, $answer AS answer,
$decision AS decision, $finish AS finish_reasons, $prompt_ids AS prompt_ids, $prompt_text AS prompt_text, $snapshot AS snapshot_id, false AS has_rerank,
'explicit' AS assembly_source, 'x' AS convention, []::VARCHAR[] AS missing, 1 AS spans, now()::TIMESTAMP AS built_at"""
NEWEST = "SELECT subject, value FROM verdict WHERE source = 'rule' QUALIFY row_number() OVER (PARTITION BY subject ORDER BY judged_at DESC) = 1 ORDER BY 1"
GROUNDED = "SELECT value FROM verdict WHERE subject = 'grounded' ORDER BY judged_at"
TEXT = "Flights over 8 hours may be booked in business class. Nothing else may."


@pytest.fixture
def con(tmp_path):
    with connect(tmp_path / "db.duckdb", create=True) as connection:
        connection.execute("CREATE TEMP VIEW joined AS SELECT request_id, case_id FROM request")
        put_snapshot(connection, "s", [{"chunk_id": "c1", "text": TEXT}])
        yield connection


def add_gold(con, check):
    con.execute("DELETE FROM gold_case")
    con.execute(
        "INSERT INTO gold_case BY NAME SELECT 'a' AS case_id, 'q' AS query, 'q' AS query_key, 'answer' AS expect, CAST(? AS JSON) AS answer_check, []::VARCHAR[] AS tags, 'v' AS gold_version, now()::TIMESTAMP AS loaded_at",
        [None if check is None else json.dumps(check)],
    )


def add_request(con, answer, **fields):
    empty = {"query": "q", "decision": None, "finish": None, "prompt_ids": None, "prompt_text": None, "snapshot": None}
    con.execute(REQUEST, empty | {"answer": answer} | fields)


def newest(con):
    return dict(con.execute(NEWEST).fetchall())


@pytest.mark.parametrize(
    ("answer", "fields", "check", "verdicts"),
    [
        pytest.param(
            "8 hours",
            {},
            {"must_contain": ["8 hours"]},
            {"answer": True, "refusal": False, "clarification": False},
            id="right",
        ),
        pytest.param(
            "9 hours",
            {},
            {"must_contain": ["8 hours"]},
            {"answer": False, "refusal": False, "clarification": False},
            id="wrong",
        ),
        pytest.param("8 hours", {}, None, {"refusal": False, "clarification": False}, id="no check"),
        pytest.param(None, {}, {"must_contain": ["8 hours"]}, {"refusal": None}, id="no answer"),
        pytest.param(
            "Which trip?", {"decision": "clarify"}, None, {"refusal": False, "clarification": True}, id="asks back"
        ),
        pytest.param("I don't know.", {}, None, {"refusal": True, "clarification": False}, id="refuses"),
        pytest.param(
            "I can't find your order. Which number does it have?",
            {},
            None,
            {"refusal": True, "clarification": True},
            id="refuses, and asks for what is missing",
        ),
        pytest.param(
            "The text names no fee. However, students travel free of charge on all lines.",
            {},
            None,
            {"refusal": False, "clarification": False},
            id="refuses a part",
        ),
        pytest.param(
            "x", {"finish": ["content_filter"]}, None, {"refusal": True, "clarification": False}, id="filtered"
        ),
        pytest.param(
            "flights over 8 hours MAY be booked in business class [c1]!",
            {"prompt_ids": ["c0", "c1"]},
            None,
            {"refusal": False, "grounded": True, "clarification": False},
            id="verbatim in a chunk",
        ),
        pytest.param(
            "Flights over 8 hours may be booked in economy class.",
            {"prompt_ids": ["c1"]},
            None,
            {"refusal": False, "clarification": False, "grounded": None},
            id="one word differs",
        ),
        pytest.param(
            "ghts over 8 hours may",
            {"prompt_ids": ["c1"]},
            None,
            {"refusal": False, "clarification": False, "grounded": None},
            id="not at a word",
        ),
        pytest.param(
            "8 hours",
            {"prompt_ids": ["c1"]},
            None,
            {"refusal": False, "clarification": False, "grounded": None},
            id="too short to say so",
        ),
        pytest.param(
            "Flights over 8 hours may be booked.",
            {"prompt_ids": ["c1"], "snapshot": "other"},
            None,
            {"refusal": False, "clarification": False, "grounded": None},
            id="chunk of another snapshot",
        ),
        pytest.param(
            "Trains are free on Sundays.",
            {"prompt_text": "Context: trains are  free on Sundays. Answer!"},
            None,
            {"refusal": False, "grounded": True, "clarification": False},
            id="verbatim in the prompt",
        ),
        pytest.param(
            "Are trains free on Sundays?",
            {"query": "Are trains free on Sundays?", "prompt_text": "Q: are trains free on Sundays? A:"},
            None,
            {"refusal": False, "clarification": True, "grounded": None},
            id="repeats the question",
        ),
        pytest.param(
            "I do not know that.",
            {"prompt_text": "Else say: I do not know that."},
            None,
            {"refusal": True, "clarification": False},
            id="a refusal of the instructions",
        ),
    ],
)
def test_verdicts(con, answer, fields, check, verdicts):
    add_gold(con, check)
    add_request(con, answer, **fields)
    assert judge_requests(con, Config()) == len(verdicts)
    assert newest(con) == verdicts
    assert judge_requests(con, Config()) == 0


def test_what_changes_is_judged_again_and_what_changes_back_too(con):
    add_gold(con, {"must_contain": ["8 hours"]})
    add_request(con, "8 hours")
    judge_requests(con, Config())
    for answer, right in [("9 hours", False), ("8 hours", True)]:
        con.execute("UPDATE request SET answer = ?", [answer])
        assert judge_requests(con, Config()) == 3
        assert newest(con)["answer"] is right
    add_gold(con, {"must_contain": ["nine"]})
    judge_requests(con, Config())
    assert newest(con)["answer"] is False


def test_a_verdict_without_ground_is_withdrawn(con):
    add_gold(con, {"must_contain": ["8 hours"]})
    add_request(con, "Flights over 8 hours may be booked", prompt_ids=["c1"], decision="answer")
    judge_requests(con, Config())
    assert newest(con) == {"answer": True, "clarification": False, "grounded": True, "refusal": False}
    add_gold(con, None)
    con.execute("UPDATE request SET prompt_ids = ['c2'], decision = NULL")
    judge_requests(con, Config())
    assert newest(con) == {"answer": None, "clarification": False, "grounded": None, "refusal": False}
    assert judge_requests(con, Config()) == 0


def test_other_phrases_judge_again(con):
    add_gold(con, None)
    add_request(con, "No can do.")
    judge_requests(con, Config())
    judge_requests(con, Config(extra_refusal_phrases=("no can do",)))
    assert newest(con)["refusal"] is True


def test_a_detector_of_the_users_judges_again_and_first(con, tmp_path, monkeypatch):
    (tmp_path / "own_refusals.py").write_text("def refuses(answer):\n    return answer == 'No can do.' or None\n")
    monkeypatch.syspath_prepend(tmp_path)
    add_gold(con, None)
    add_request(con, "No can do.")
    judge_requests(con, Config())
    assert newest(con)["refusal"] is False
    judge_requests(con, Config(refusal_detector="own_refusals:refuses"))
    assert newest(con)["refusal"] is True
    reasons = con.execute("SELECT reason FROM verdict WHERE subject = 'refusal' ORDER BY judged_at").fetchall()
    assert reasons == [("nothing in it refuses",), ("the configured detector",)]


def test_the_reason_names_construction_and_sentence(con):
    add_gold(con, None)
    add_request(con, "Hello! The leaflet does not say.")
    judge_requests(con, Config())
    ((reason,),) = con.execute("SELECT reason FROM verdict WHERE subject = 'refusal'").fetchall()
    assert reason == "the source does not say: 'the leaflet does not say'"


def test_verdicts_of_people_are_left_alone(con):
    add_gold(con, None)
    add_request(con, "8 hours")
    con.execute(
        "INSERT INTO verdict BY NAME SELECT request_id, 'refusal' AS subject, true AS value, 'human' AS source, 'x' AS config, now()::TIMESTAMP AS judged_at FROM request"
    )
    judge_requests(con, Config())
    assert con.execute("SELECT value FROM verdict WHERE source = 'human'").fetchall() == [(True,)]
    assert newest(con) == {"refusal": False, "clarification": False}


def test_another_relation_and_only_its_requests_are_judged(con):
    add_gold(con, None)
    add_request(con, "8 hours")
    con.execute('CREATE TEMP TABLE "my ""pairs" AS SELECT request_id, case_id FROM request WHERE false')
    assert judge_requests(con, Config(), joined_relation='my "pairs') == 0


def test_nothing_temporary_is_left_behind(con):
    judge_requests(con, Config())
    assert con.execute("SELECT table_name FROM duckdb_tables() WHERE temporary").fetchall() == []


def test_equal_inputs_of_many_requests_are_judged_alike(con):
    add_gold(con, {"must_contain": ["8 hours"]})
    for answer in ["8 hours", "8 hours", "9 hours"] * 3:
        add_request(con, answer)
    assert judge_requests(con, Config()) == 27
    assert con.execute(
        "SELECT value, count(*) FROM verdict WHERE subject = 'answer' GROUP BY 1 ORDER BY 1"
    ).fetchall() == [(False, 3), (True, 6)]


def test_what_is_not_grounded_is_noted_once_and_compared_again_only_with_other_inputs(con):
    add_gold(con, None)
    add_request(con, "Flights over 8 hours may be booked.", prompt_ids=["c2"])
    for _ in range(2):
        judge_requests(con, Config())
    assert con.execute(GROUNDED).fetchall() == [(None,)]
    con.execute("UPDATE request SET prompt_ids = ['c1']")
    judge_requests(con, Config())
    assert con.execute(GROUNDED).fetchall() == [(None,), (True,)]


def test_a_corpus_that_is_loaded_later_is_compared_with(con):
    add_gold(con, None)
    add_request(con, "Trains are free on Sundays.", prompt_ids=["c9"])
    judge_requests(con, Config())
    put_snapshot(con, "s", [{"chunk_id": "c9", "text": "Trains are free on Sundays"}], replace=True)
    judge_requests(con, Config())
    assert con.execute(GROUNDED).fetchall() == [(None,), (True,)]


def test_an_answer_of_a_script_without_blanks_is_grounded_by_the_prompt(con):
    add_gold(con, None)
    add_request(con, "差旅报销标准", prompt_text="公司差旅报销标准规定如下")
    judge_requests(con, Config())
    assert con.execute(GROUNDED).fetchall() == [(True,)]


def test_an_error_of_judging_is_not_hidden_by_the_cleaning_up_after_it(con, monkeypatch):
    add_gold(con, None)
    add_request(con, "8 hours")
    monkeypatch.setattr(judge, "_keep", lambda *_: con.execute("SELECT error('the real one')"))
    with pytest.raises(duckdb.Error, match="the real one"), transaction(con):
        judge_requests(con, Config())

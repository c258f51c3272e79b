"""Files of verdicts that people fill in: what is loaded, what is refused and with which words, what a sheet holds."""

import uuid

import pytest

from judging.verdict_lines import HEX, four_requests, lines
from otel_ragfault.errors import InputError
from otel_ragfault.judging.verdicts import load_verdicts
from otel_ragfault.model import InvalidFileError
from queries.world import put_case


@pytest.fixture
def con(memory_factory):
    return four_requests(memory_factory())


def row(**told):
    return {"case_id": "a", "run_id": "r1", "subject": "answer", "value": True, "judge": "ann"} | told


def stored(con, columns="request_id, subject, value, judge"):
    found = con.execute(f"SELECT {columns} FROM verdict ORDER BY ALL").fetchall()
    return [tuple(value.int if isinstance(value, uuid.UUID) else value for value in one) for one in found]


@pytest.mark.parametrize(
    ("told", "request_id"),
    [
        pytest.param({"case_id": "a", "run_id": "r2"}, 2, id="case and run"),
        pytest.param({"case_id": None, "run_id": None, "request_id": HEX[3]}, 3, id="request id"),
        pytest.param({"case_id": None, "run_id": None, "trace_id": HEX[1].upper()}, 1, id="trace id"),
        pytest.param({"case_id": None, "run_id": None, "request_id": str(uuid.UUID(int=4))}, 4, id="with dashes"),
        pytest.param({"case_id": "b", "run_id": "r1", "trace_id": HEX[3]}, 3, id="trace and run"),
    ],
)
def test_a_line_names_its_request(con, tmp_path, told, request_id):
    assert load_verdicts(con, lines(tmp_path, row(**told))).added == 1
    assert stored(con) == [(request_id, "answer", True, "ann")]


def test_everything_that_a_line_says_is_kept_and_where_it_stood(con, tmp_path):
    told = row(
        subject="citation",
        target="c1",
        claim_id="s1",
        claim="It is.",
        value="no",
        score=0.2,
        reason="says else",
        judged_at="2026-01-01T10:00:00+01:00",
        repeat_no=2,
    )
    file = lines(tmp_path, "\n", told)
    load_verdicts(con, file)
    columns = "subject, target, claim_id, claim, value, score, reason, source, judge, repeat_no, CAST(judged_at AS VARCHAR), origin"
    assert stored(con, columns) == [
        (
            *("citation", "c1", "s1", "It is.", False, 0.2, "says else", "human", "ann", 2),
            *("2026-01-01 09:00:00", f"{file}:2"),
        )
    ]


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("true", True),
        ("Yes", True),
        (1, True),
        ("0", False),
        ("NO", False),
        (False, False),
        (None, None),
        ("unclear", None),
    ],
)
def test_words_for_a_verdict(con, tmp_path, word, value):
    load_verdicts(con, lines(tmp_path, row(value=word)))
    assert stored(con, "value") == [(value,)]


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        pytest.param(
            {"case_id": "zz"}, "v.jsonl:2: case_id: no request has case_id 'zz' of run 'r1'", id="unknown case"
        ),
        pytest.param({"run_id": "r9"}, "v.jsonl:2: case_id: no request has case_id 'a' of run 'r9'", id="unknown run"),
        pytest.param(
            {"run_id": None}, "v.jsonl:2: case_id: 2 requests have case_id 'a'; give the run_id", id="two runs"
        ),
        pytest.param(
            {"request_id": HEX[9]}, f"v.jsonl:2: request_id: no request has request_id {HEX[9]}", id="unknown request"
        ),
        pytest.param(
            {"request_id": "xyz"}, "v.jsonl:2: request_id: found 'xyz', wanted an id of 32 hex digits", id="no id"
        ),
        pytest.param(
            {"case_id": None, "run_id": None, "trace_id": HEX[3]},
            "v.jsonl:2: trace_id: 2 requests have",
            id="two in a trace",
        ),
        pytest.param(
            {"case_id": None, "run_id": None}, "v.jsonl:2: request_id: is missing; name the request by", id="nameless"
        ),
        pytest.param(
            {"case_id": "b", "request_id": HEX[1]}, "v.jsonl:2: request_id: no request has", id="id and case disagree"
        ),
        pytest.param(
            {"value": "maybe"}, "v.jsonl:2: value: found 'maybe', wanted true, false or unclear", id="bad value"
        ),
        pytest.param({"value": 2}, "v.jsonl:2: value: found 2 (a number), wanted true, false or unclear", id="a grade"),
        pytest.param(
            {"subject": "anser"}, "v.jsonl:2: subject: found 'anser', wanted 'answer', 'refusal'", id="bad subject"
        ),
        pytest.param(
            {"subject": "citation"},
            "v.jsonl:2: target: is missing; 'citation' needs the id of the cited chunk",
            id="no target",
        ),
        pytest.param({"target": "s1"}, "v.jsonl:2: target: 'answer' is about the whole answer", id="too much target"),
        pytest.param(
            {"judge": None}, "v.jsonl:2: judge: is missing; say who judged, here or with --judge NAME", id="no judge"
        ),
        pytest.param(
            {"sujbect": "answer"}, "v.jsonl:2: sujbect: is not a known key; did you mean 'subject'?", id="misspelt key"
        ),
        pytest.param(
            {"judged_at": "soon"}, "v.jsonl:2: judged_at: found 'soon', wanted an ISO 8601 time", id="no time"
        ),
        pytest.param({"score": "high"}, "v.jsonl:2: score: found 'high', wanted a", id="no number"),
        pytest.param(
            {"repeat_no": 0}, "v.jsonl:2: repeat_no: found 0 (a number), wanted at least 1", id="no such repeat"
        ),
    ],
)
def test_one_wrong_line_is_named_and_nothing_is_loaded(con, tmp_path, told, problem):
    good = row(case_id="b")
    with pytest.raises(InvalidFileError) as error:
        load_verdicts(con, lines(tmp_path, good, row(**told)))
    (found,) = error.value.problems
    assert str(found).startswith(f"{tmp_path}/{problem}")
    assert stored(con) == []


CITED = {"c1", "c2"}


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        pytest.param(
            {"subject": "claim_support", "target": "s3"},
            "target: found 's3', which is no claim of this answer; wanted one of s1, s2",
            id="support",
        ),
        pytest.param(
            {"subject": "claim_correct", "target": "s0"},
            "target: found 's0', which is no claim of this answer",
            id="correct",
        ),
        pytest.param(
            {"subject": "claim_found", "target": "k9"},
            "target: found 'k9', which is no gold claim of this case; wanted one of k1, k2",
            id="gold",
        ),
        pytest.param(
            {"subject": "claim_found", "target": "k1", "case_id": "b"},
            "target: found 'k1', which is no gold claim of this case; there is none at all",
            id="gold without claims",
        ),
        pytest.param(
            {"subject": "citation", "target": "c9"},
            "target: found 'c9', which is no chunk that this answer cites; wanted one of ",
            id="citation",
        ),
        pytest.param(
            {"subject": "citation", "target": "c1", "claim_id": "s7"},
            "claim_id: found 's7', which is no claim of this answer; wanted one of s1, s2",
            id="claim of a citation",
        ),
        pytest.param({"subject": "claim_support", "target": "s2"}, None, id="one of ours"),
        pytest.param({"subject": "claim_support", "target": "mine-7"}, None, id="a claim that somebody brings"),
        pytest.param({"subject": "claim_found", "target": "k2"}, None, id="one of gold"),
        pytest.param({"subject": "citation", "target": "c2", "claim_id": "s1"}, None, id="cited"),
        pytest.param({"subject": "citation", "target": "c7"}, None, id="recorded as cited"),
        pytest.param(
            {"subject": "claim_found", "target": "k9", "run_id": "r2"},
            "target: found 'k9'",
            id="another run of the case",
        ),
    ],
)
def test_a_target_has_to_be_there(con, tmp_path, told, problem):
    put_case(con, "a", "c1")
    put_case(con, "b", "c1")
    con.execute("UPDATE request SET answer = 'It is red [1]. It is big [2].', cited_ids = ['c7']")
    con.execute(
        """UPDATE gold_case SET claims = '[{"id": "k1", "text": "red"}, {"id": "k2", "text": "big"}]' WHERE case_id = 'a'"""
    )
    file = lines(tmp_path, row(case_id="b"), row(**told))

    def load():
        return load_verdicts(con, file, cites=lambda answer, prompt: CITED)

    if problem is None:
        assert load().added == 2
        return
    with pytest.raises(InvalidFileError) as error:
        load()
    (found,) = error.value.problems
    assert str(found).startswith(f"{tmp_path}/v.jsonl:2: {problem}")
    assert stored(con) == []


def test_targets_that_nobody_can_tell_are_taken_as_they_are(con, tmp_path):
    con.execute("UPDATE request SET answer = NULL")
    targets = [("claim_support", "s1"), ("claim_found", "k1"), ("citation", "c1")]
    file = lines(tmp_path, *[row(subject=subject, target=target) for subject, target in targets])
    assert load_verdicts(con, file, cites=lambda answer, prompt: CITED).added == 3


def test_that_nobody_is_named_is_said_once(con, tmp_path):
    file = lines(tmp_path, *[row(judge=None, subject=subject) for subject in ("answer", "refusal", "grounded")])
    with pytest.raises(InvalidFileError) as error:
        load_verdicts(con, file)
    assert [str(one) for one in error.value.problems] == [
        f"{file}:1: judge: is missing on 3 lines; say who judged, here or with --judge NAME"
    ]


@pytest.mark.parametrize("name", ["v.jsonl", "v.csv"])
@pytest.mark.parametrize(
    "content", [b"\x7fELF\x02\0\0\n\n\n", b"\x89PNG\r\n\x1a\n\xff\n" * 9], ids=["with zeros", "without"]
)
def test_a_binary_file_is_told_once(con, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match="this is not text") as error:
        load_verdicts(con, tmp_path / name, judge="ann")
    assert not isinstance(error.value, InvalidFileError)


@pytest.mark.parametrize(("name", "told"), [("v.jsonl", "UTF-16"), ("v.csv", "is not UTF-8")])
def test_text_in_another_encoding_is_not_called_binary(con, tmp_path, name, told):
    (tmp_path / name).write_bytes("case_id,subject,value\n".encode("utf-16"))
    with pytest.raises(InputError, match=told):
        load_verdicts(con, tmp_path / name, judge="ann")


def test_a_missing_verdict_is_no_unclear_one(con, tmp_path):
    told = row()
    del told["value"]
    with pytest.raises(InvalidFileError, match=r"v\.jsonl:1: value: is missing"):
        load_verdicts(con, lines(tmp_path, told))


@pytest.mark.parametrize(
    ("second", "contradicts"),
    [
        pytest.param({"value": False}, True, id="the same judge says both"),
        pytest.param(
            {"value": False, "case_id": None, "run_id": None, "request_id": HEX[1]}, True, id="by another name"
        ),
        pytest.param({"value": None}, True, id="cannot tell, and can"),
        pytest.param({}, False, id="the same twice"),
        pytest.param({"value": False, "judge": "bob"}, False, id="another judge"),
        pytest.param({"value": False, "repeat_no": 2}, False, id="another repeat"),
        pytest.param({"value": False, "subject": "grounded"}, False, id="about something else"),
        pytest.param({"value": False, "judged_at": "2026-01-01"}, False, id="at another time"),
    ],
)
def test_rows_that_contradict_each_other(con, tmp_path, second, contradicts):
    file = lines(tmp_path, row(), row(**second))
    if contradicts:
        with pytest.raises(InvalidFileError, match=r"v\.jsonl:2: value: .* contradicts true of line 1"):
            load_verdicts(con, file)
        assert stored(con) == []
    else:
        assert load_verdicts(con, file).added == (2 if second else 1)


def test_loading_again_adds_nothing_and_a_change_of_mind_counts(con, tmp_path):
    files = [
        lines(tmp_path, row(value=value), name=f"{number}.jsonl") for number, value in enumerate([True, False, True])
    ]
    for file in files:
        assert (load_verdicts(con, file).added, load_verdicts(con, file).known) == (1, 1)
    assert con.execute("SELECT value FROM trusted_verdict").fetchall() == [(True,)]
    assert len(stored(con)) == 3


def test_dated_verdicts_are_a_history_in_any_order_of_loading(con, tmp_path):
    new = lines(tmp_path, row(value=False, judged_at="2026-02-01"), name="new.jsonl")
    old = lines(tmp_path, row(value=True, judged_at="2026-01-01"), name="old.jsonl")
    for file in (new, old, old, new):
        load_verdicts(con, file)
    assert len(stored(con)) == 2
    assert con.execute("SELECT value FROM trusted_verdict").fetchall() == [(False,)]


SHEETS = {
    "commas": "case_id,run_id,subject,value,judge\na,r1,answer,true,ann",
    "semicolons of a spreadsheet": "case_id;run_id;subject;value;judge\na;r1;answer;true;ann",
    "byte order mark and empty rows": "\ufeffcase_id,run_id,subject,value,judge\n,,,,\na,r1,answer,TRUE,ann\n\n",
    "columns that are there to be read": 'case_id,run_id,subject,value,judge,query,answer\na,r1,answer,true,ann,why?,"two\nlines"',
    "what is not filled in": "case_id,run_id,subject,value,judge\na,r1,answer,true,ann\na,r1,grounded,,ann",
}


@pytest.mark.parametrize("text", SHEETS.values(), ids=SHEETS)
def test_a_sheet(con, tmp_path, text):
    load_verdicts(con, lines(tmp_path, text, name="v.csv"))
    assert stored(con) == [(1, "answer", True, "ann")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param(
            "case_id,subjekt,value\na,answer,true",
            "v.csv:1: subjekt: is not a known column; did you mean 'subject'?",
            id="column",
        ),
        pytest.param("case_id,subject\na,answer", "v.csv:1: value: this column is missing", id="missing column"),
        pytest.param(
            "case_id,subject,value,value\na,answer,true,true", "v.csv:1: value: this column is there twice", id="twice"
        ),
        pytest.param(
            'case_id,subject,value,query\n\na,answer,true,"x\ny"\na,answer',
            "v.csv:5: has 2 cells, wanted 4",
            id="short row",
        ),
        pytest.param('case_id,subject,value\na,answer,"tr"ue', "v.csv:2: is not CSV", id="quotes"),
    ],
)
def test_a_wrong_sheet(con, tmp_path, text, problem):
    with pytest.raises(InvalidFileError) as error:
        load_verdicts(con, lines(tmp_path, text, name="v.csv"), judge="ann")
    assert any(str(found).startswith(f"{tmp_path}/{problem}") for found in error.value.problems)


def test_a_file_without_any_verdict_and_one_that_is_not_there(con, tmp_path):
    with pytest.raises(InputError, match="holds no verdict"):
        load_verdicts(con, lines(tmp_path, "case_id,subject,value\na,answer,", name="v.csv"))
    with pytest.raises(InputError, match="cannot be read"):
        load_verdicts(con, tmp_path / "none.csv")

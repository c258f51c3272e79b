"""Evaluations that senders attached to traces become verdicts of the requests that they are about."""

import json

import pytest

from jobs.spans import pipeline, requests, span, store
from otel_ragfault import semconv as s
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.jobs.evaluations import link_evaluations
from otel_ragfault.judging.verdicts import meaning_of, source_of
from otel_ragfault.landing.decoding.row_log import LogRow
from otel_ragfault.model.judging import EvaluationMapping, JudgingConfig
from records.building import land, land_logs

COLUMNS = "subject, value, score, source, judge"


@pytest.fixture
def con(memory_factory):
    return memory_factory()


def event(name="Groundedness", *, trace=1, number=4, at=5, score=None, label=None, response=None, **more):
    """A log record that reports an evaluation of the span ``number`` of a trace."""
    told = {
        s.GEN_AI_EVALUATION_NAME: name,
        s.GEN_AI_EVALUATION_SCORE_VALUE: score,
        s.GEN_AI_EVALUATION_SCORE_LABEL: label,
        s.GEN_AI_RESPONSE_ID: response,
        **more,
    }
    return LogRow(
        *(None, at, None if trace is None else trace.to_bytes(16), number if trace else None, None, None),
        *(s.GEN_AI_EVALUATION_EVENT, "shop", "judge.py", "1", None),
        json.dumps({key: value for key, value in told.items() if value is not None}),
        *(None, None, None, 0, None),
    )


def results(prefix, inner, *told):
    """OpenInference attributes of results."""
    return {
        f"{prefix}.{number}.{inner}.{name}": value for number, one in enumerate(told) for name, value in one.items()
    }


def linked(con, columns=COLUMNS, **config):
    build_requests(con)
    link_evaluations(con, JudgingConfig(**config))
    return con.execute(f"SELECT {columns} FROM verdict ORDER BY ALL").fetchall()


def test_an_event_is_linked_by_the_context_in_which_it_was_sent(con):
    store(con, *pipeline())
    land_logs(con, [event(score=1.0, label="pass", **{s.GEN_AI_EVALUATION_EXPLANATION: "it is all there"})])
    assert linked(con, f"{COLUMNS}, reason, origin") == [
        (
            "grounded",
            True,
            1.0,
            "model",
            "judge.py",
            "Groundedness: it is all there",
            f"log record of span {1:032x}/{4:016x}",
        )
    ]


@pytest.mark.parametrize(
    ("responses", "event_fields", "found"),
    [
        pytest.param(("r1", "r2"), {"trace": None, "response": "r2"}, [2], id="by response id alone"),
        pytest.param(("r1", "r1"), {"trace": None, "response": "r1"}, [], id="an id that two requests have"),
        pytest.param(("r1", "r2"), {"trace": None, "response": "r9"}, [], id="an id that no request has"),
        pytest.param(("r1", "r2"), {"trace": 1, "response": "r1"}, [1], id="context and id agree"),
        pytest.param(
            ("r1", "r2"), {"trace": 1, "response": "r2"}, [2], id="the id names another request than the context"
        ),
        pytest.param(("r1", "r2"), {"trace": 1, "response": "r9"}, [], id="another completion of this request"),
        pytest.param((None, None), {"trace": 1, "response": "r9"}, [1], id="the request records no id"),
        pytest.param(("r1", "r2"), {"trace": 9, "response": "r2"}, [2], id="sent in a trace of the evaluator"),
    ],
)
def test_an_event_is_linked_by_response_id(con, responses, event_fields, found):
    for trace, response in enumerate(responses, 1):
        rows = pipeline(trace=trace, case=f"case-{trace}")
        if response is not None:
            attributes = json.loads(rows[3].attributes) | {s.GEN_AI_RESPONSE_ID: response}
            rows[3] = rows[3]._replace(attributes=json.dumps(attributes))
        store(con, *rows)
    land_logs(con, [event(score=1.0, **event_fields)])
    linked(con)
    cases = con.execute("SELECT case_id FROM verdict JOIN request USING (request_id)").fetchall()
    assert cases == [(f"case-{number}",) for number in found]


def test_in_a_trace_of_several_requests_the_nearest_one_above_is_meant(con):
    store(con, span(100), *pipeline(1, parent=100, case="x"), *pipeline(11, parent=4, case="y"))
    land_logs(con, [event(number=12, score=0.0), event(number=3, score=1.0), event(number=100, score=1.0)])
    linked(con)
    found = con.execute("SELECT case_id, value FROM verdict JOIN request USING (request_id) ORDER BY 1").fetchall()
    assert found == [("x", True), ("y", False)]


def test_a_result_before_its_request_waits_for_it(con):
    land_logs(con, [event(score=1.0)])
    assert linked(con) == []
    store(con, *pipeline())
    assert len(linked(con)) == 1


def test_a_result_counts_once_however_often_it_arrives_and_is_linked(con):
    store(con, *pipeline())
    land_logs(con, [event(score=1.0), event(score=1.0)])
    land_logs(con, [event(score=1.0)])
    for _ in range(2):
        assert len(linked(con)) == 1
    build_requests(con, anew=True)
    assert len(linked(con)) == 1
    land_logs(con, [event(score=0.0, at=9)])
    assert len(linked(con)) == 2
    assert con.execute("SELECT value FROM trusted_verdict").fetchall() == [(False,)]


def test_another_meaning_of_a_name_is_applied_to_what_is_there(con):
    store(con, *pipeline())
    land_logs(con, [event("Relevance", score=4)])
    assert linked(con) == []
    meant = {"relevance": {"subject": "answer", "threshold": 3, "source": "human"}}
    assert linked(con, evaluations=meant) == [("answer", True, 4.0, "human", "judge.py")]
    assert len(linked(con, evaluations=meant)) == 1


def test_a_known_name_can_be_ignored(con):
    store(con, *pipeline())
    land_logs(con, [event(score=1.0)])
    assert linked(con, evaluations={"groundedness": "ignore"}) == []


def test_an_event_on_the_span_itself_and_a_failed_evaluator(con):
    told = {s.GEN_AI_EVALUATION_NAME: "correctness", s.ERROR_TYPE: "timeout"}
    rows = pipeline()
    rows[3] = rows[3]._replace(events=json.dumps([{"name": s.GEN_AI_EVALUATION_EVENT, "attributes": told}]))
    store(con, *rows)
    assert linked(con, "subject, value, failure, origin") == [
        ("answer", None, "timeout", f"event 0 of span {1:032x}/{4:016x}")
    ]


def test_an_annotation_is_about_the_span_that_carries_it(con):
    told = results(
        "annotations",
        "annotation",
        {"name": "hallucination", "label": "hallucinated", "score": 1, "annotator_kind": "LLM", "identifier": "j2"},
        {"name": "correctness", "score": 1.0, "annotator_kind": "HUMAN", "metadata": '{"user": "ann"}'},
        {"name": "correctness"},
    )
    rows = pipeline()
    rows[3] = rows[3]._replace(attributes=json.dumps(json.loads(rows[3].attributes) | told))
    store(con, *rows)
    assert linked(con) == [("answer", True, 1.0, "human", "ann"), ("grounded", False, 1.0, "model", "j2")]


@pytest.mark.parametrize(
    ("links", "kind", "found"),
    [
        pytest.param([(1, 4)], "EVALUATOR", ["x"], id="a link names the judged span"),
        pytest.param([], "EVALUATOR", [], id="an evaluator without a link says of nobody"),
        pytest.param([(1, 4), (2, 4)], "EVALUATOR", [], id="two links cannot be told apart"),
        pytest.param([(1, 4), (1, 4)], "EVALUATOR", ["x"], id="the same link twice"),
        pytest.param([], "LLM", [], id="a span of another trace that judges itself"),
    ],
)
def test_an_evaluation_is_about_the_span_that_it_links_to(con, links, kind, found):
    store(con, *pipeline(case="x"), *pipeline(trace=2, case="y"))
    told = results("evaluations", "evaluation", {"name": "faithfulness", "label": "faithful"})
    evaluator = span(50, trace=7, attributes={"openinference.span.kind": kind} | told)
    shown = [{"trace_id": f"{trace:032x}", "span_id": f"{number:016x}"} for trace, number in links]
    store(con, evaluator._replace(links=json.dumps(shown) if shown else None))
    build_requests(con)
    con.execute("DELETE FROM request WHERE trace_id = ?", ["00000000-0000-0000-0000-000000000007"])
    linked(con)
    cases = con.execute("SELECT case_id FROM verdict JOIN request USING (request_id)").fetchall()
    assert cases == [(case,) for case in found]


def test_a_result_about_a_trace_is_that_of_its_only_request_and_one_about_a_session_of_none(con):
    told = results("trace.evaluations", "evaluation", {"name": "correct", "label": "yes"})
    told |= results("session.evaluations", "evaluation", {"name": "correct", "label": "no"})
    rows = pipeline()
    rows[0] = rows[0]._replace(attributes=json.dumps(json.loads(rows[0].attributes) | told))
    store(con, *rows)
    assert linked(con, "subject, value") == [("answer", True)]


def test_events_of_a_recording_are_found_by_context_and_by_response_id(con):
    land(con, "otel-semconv-spec-shape")
    meant = {"Relevance": {"subject": "answer", "threshold": 0.6}}
    found = linked(con, f"{COLUMNS}, count(DISTINCT request_id) OVER ()", evaluations=meant)
    assert [row[:5] for row in found] == [
        *[("answer", False, 0.5, "model", "app.eval")] * 2,
        *[("grounded", True, 1.0, "model", "app.eval")] * 2,
    ]
    assert {row[5] for row in found} == {2}


def test_a_verdict_follows_a_request_whose_id_changes_and_is_not_made_again(con):
    store(con, span(100), *pipeline(parent=100))
    land_logs(con, [event(score=1.0)])
    linked(con)
    store(con, *pipeline(11, parent=100, case="case-2"))
    assert len(linked(con)) == 1
    (first, _) = requests(con, "request_id")
    assert con.execute("SELECT request_id FROM verdict").fetchall() == [(first["request_id"],)]


PLAIN = EvaluationMapping(subject="grounded")
INVERTED = EvaluationMapping(subject="grounded", inverted=True)
ANSWER = EvaluationMapping(subject="answer")
REFUSAL = EvaluationMapping(subject="refusal")
OF_TEN = EvaluationMapping(subject="answer", threshold=7)
FEW = EvaluationMapping(subject="grounded", inverted=True, threshold=3)


@pytest.mark.parametrize(
    ("label", "score", "mapping", "value"),
    [
        pytest.param("pass", None, PLAIN, True, id="pass"),
        pytest.param("Pass", None, INVERTED, True, id="pass speaks for the answer whatever the name"),
        pytest.param("yes", None, INVERTED, False, id="yes speaks for what the name says"),
        pytest.param("hallucinated", 1.0, INVERTED, False, id="a word that says it all"),
        pytest.param("Factual", 0.0, INVERTED, True, id="its opposite"),
        pytest.param("not_grounded", None, PLAIN, False, id="with an underscore"),
        pytest.param("incorrect", 1.0, ANSWER, False, id="the label outweighs the score"),
        pytest.param("great", 0.9, ANSWER, True, id="an unknown label leaves it to the score"),
        pytest.param("great", None, ANSWER, None, id="an unknown label alone"),
        pytest.param(None, 0.49, PLAIN, False, id="below the middle"),
        pytest.param(None, 0.5, PLAIN, True, id="at the middle"),
        pytest.param(None, 0.5, INVERTED, False, id="at the middle, inverted"),
        pytest.param(None, 4.0, ANSWER, None, id="a score of an unknown scale"),
        pytest.param(None, -1.0, ANSWER, None, id="a negative score"),
        pytest.param(None, 7.0, OF_TEN, True, id="at a threshold"),
        pytest.param(None, 2.0, FEW, True, id="below an inverted threshold"),
        pytest.param(None, None, ANSWER, None, id="only an explanation"),
        pytest.param("refused", None, REFUSAL, True, id="a refusal"),
        pytest.param("pass", None, REFUSAL, None, id="passing says nothing of a refusal"),
    ],
)
def test_what_labels_and_scores_mean(label, score, mapping, value):
    assert meaning_of(label, score, mapping).value is value


@pytest.mark.parametrize(
    ("kind", "source"),
    [("HUMAN", "human"), ("LLM", "model"), ("CODE", "code"), (None, "model"), ("robot", "model")],
)
def test_who_judged(kind, source):
    assert source_of(kind, PLAIN) == source

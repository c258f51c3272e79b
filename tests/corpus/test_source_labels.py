"""From spans and files to labels: who asked and when, against what was indexed for whom and until when."""

import json

import pytest

from corpora import put_snapshot
from jobs.spans import answered, asked, chunks, ranking, span, store
from otel_ragfault import semconv as s
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.model import Config

WHEN = "2026-09-21"  # the day of the spans
TEXT = (
    "The limit for travel without approval is 14 days, and for longer stays the head of the department decides alone."
)


@pytest.fixture
def con(memory_factory):
    return memory_factory()


def labelled(con, tmp_path, *spans, corpus, gold=None):
    """Label one request; return its label and the detail."""
    case = {"case_id": "case-1", "query": "why?", "evidence": [["a"]], "answer": {"must_contain": ["yes"]}}
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(case | (gold or {})))
    put_snapshot(con, "s", corpus)
    load_gold(con, path)
    store(con, *spans)
    label_requests(con, Config())
    ((label, detail),) = con.execute("SELECT label, detail FROM current_label").fetchall()
    return label, json.loads(detail)


def request(*, hits=("b",), shown=("b",), answer="yes", groups=None, prompt=None):
    said = asked("why?") | {s.RAGFAULT_CASE_ID: "case-1"}
    sent = {} if prompt is None else asked(prompt)
    return [
        span(1, stage="request", attributes=said | ({} if groups is None else {s.RAGFAULT_USER_GROUPS: groups})),
        span(2, 1, stage="retrieval", attributes=ranking(*hits, k=2)),
        span(3, 1, stage="assembly", attributes=chunks(*shown)),
        span(4, 1, stage="generation", attributes=answered(answer) | sent),
    ]


@pytest.mark.parametrize(
    ("groups", "label"),
    [
        pytest.param(None, "unknown.permissions", id="not recorded"),
        pytest.param('["it"]', "source.not_permitted", id="JSON"),
        pytest.param(["it"], "source.not_permitted", id="a list of strings"),
        pytest.param("it", "source.not_permitted", id="one name"),
        pytest.param("[]", "source.not_permitted", id="a user without groups"),
        pytest.param('["it", "h', "unknown.permissions", id="a list that was cut"),
        pytest.param('["it", "hr"]', "retrieval.not_ranked", id="one of them may"),
    ],
)
def test_who_asked_decides_whether_evidence_could_be_found(con, tmp_path, groups, label):
    corpus = [{"chunk_id": "a", "permitted": ["hr"]}, {"chunk_id": "b"}]
    assert labelled(con, tmp_path, *request(groups=groups), corpus=corpus)[0] == label


def test_groups_count_on_a_span_of_another_instrumentation(con, tmp_path):
    spans = request()
    spans.append(span(5, 1, attributes={s.RAGFAULT_USER_GROUPS: ["it"], "openinference.span.kind": "CHAIN"}))
    corpus = [{"chunk_id": "a", "permitted": ["hr"]}, {"chunk_id": "b"}]
    assert labelled(con, tmp_path, *spans, corpus=corpus)[0] == "source.not_permitted"


@pytest.mark.parametrize(
    ("window", "gold", "label"),
    [
        pytest.param({"valid_to": "2026-09-01"}, {}, "source.stale", id="ended before the request"),
        pytest.param({"valid_to": "2027-01-01"}, {}, "retrieval.not_ranked", id="valid at the request"),
        pytest.param(
            {"valid_to": "2026-09-01"}, {"as_of": "2026-08-01"}, "retrieval.not_ranked", id="asked for before"
        ),
        pytest.param({"valid_from": "2027-01-01"}, {}, "source.stale", id="not yet valid"),
    ],
)
def test_when_it_was_asked_is_held_against_the_windows(con, tmp_path, window, gold, label):
    corpus = [{"chunk_id": "a", **window}, {"chunk_id": "b"}]
    assert labelled(con, tmp_path, *request(), corpus=corpus, gold=gold)[0] == label


def test_an_answer_from_a_superseded_version_is_no_fault_of_the_generator(con, tmp_path):
    corpus = [
        {"chunk_id": "a", "doc_id": "d", "text": "The limit is 30 days.", "version": "2", "valid_from": "2026-06-01"},
        {"chunk_id": "o", "doc_id": "d", "text": "The limit is 14 days.", "version": "1", "valid_to": "2026-06-01"},
    ]
    spans = request(hits=("o", "a"), shown=("o", "a"), answer="The limit is 14 days. [1]")
    label, detail = labelled(con, tmp_path, *spans, corpus=corpus)
    assert (label, detail["superseded"]) == ("source.stale", ["o"])


def test_a_passage_that_was_cut_out_of_its_chunk_is_named_with_its_group(con, tmp_path):
    spans = request(hits=("a",), shown=("a",), answer="no", prompt=f"Context: {TEXT[:50]}…\nQuestion: why?")
    label, detail = labelled(con, tmp_path, *spans, corpus=[{"chunk_id": "a", "text": TEXT}])
    assert label == "assembly.truncated"
    assert [(one["group"], one["in_prompt"]) for one in detail["failing"]] == [(1, True)]


def test_a_prompt_recovered_from_its_text_tells_how_much_of_the_chunk_it_holds(con, tmp_path):
    spans = request(hits=("a",), answer="no", prompt=f"Context:\n{TEXT[:70]}\n\nQuestion: why?")
    del spans[2]  # no assembly stage
    label, detail = labelled(con, tmp_path, *spans, corpus=[{"chunk_id": "a", "text": TEXT}])
    assert label == "assembly.truncated"
    assert 0.5 < detail["failing"][0]["share"] < 0.7

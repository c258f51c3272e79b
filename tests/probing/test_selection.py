"""Which requests are probed, and where the texts of their chunks come from."""

import json

import pytest

from jobs.spans import answered, asked, chunks, span, store
from otel_ragfault import semconv as s
from otel_ragfault.corpus import load_corpus
from otel_ragfault.errors import InputError
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.jobs.probing import INTERVENTIONS, DoesNotApplyError
from otel_ragfault.jobs.probing.selection import select_subjects
from otel_ragfault.model import Config

from .conftest import write_lines

CASE = {"case_id": "case-1", "query": "why?", "evidence": [["a"]], "answer": {"must_contain": ["yes"]}}


@pytest.fixture
def con(memory_factory):
    return memory_factory()


def land_request(con, tmp_path, hits, shown, *, trace=1, at=1, run="first", case=CASE):
    load_gold(con, write_lines(tmp_path / "gold.jsonl", [case]))
    about = asked(case["query"]) | {s.RAGFAULT_CASE_ID: case["case_id"], s.RAGFAULT_RUN_ID: run}
    store(
        con,
        span(1, stage="request", trace=trace, at=at, attributes=about),
        span(2, 1, stage="retrieval", trace=trace, at=at, attributes={s.GEN_AI_RETRIEVAL_DOCUMENTS: json.dumps(hits), s.GEN_AI_RETRIEVAL_TOP_K: 2}),
        span(3, 1, stage="assembly", trace=trace, at=at, attributes=chunks(*shown)),
        span(4, 1, stage="generation", trace=trace, at=at, attributes=answered("no")),
    )  # fmt: skip
    label_requests(con, Config())


def hit(name, text=None):
    return {"id": name, "score": 0.5} | ({} if text is None else {"content": text})


def texts(prompt):
    return [None if chunk is None else (chunk.id, chunk.text) for chunk in prompt]


def test_texts_are_those_of_the_corpus(con, tmp_path):
    load_corpus(
        con, write_lines(tmp_path / "corpus.jsonl", [{"chunk_id": "a", "text": "A."}, {"chunk_id": "b", "text": "B."}])
    )
    land_request(con, tmp_path, [hit("a", "other"), hit("b")], ["b", "a"])
    (subject,) = select_subjects(con, Config())
    assert texts(subject.material.prompt) == [("b", "B."), ("a", "A.")]
    assert texts(subject.material.ranking) == [("a", "A."), ("b", "B.")]
    assert subject.material.named == (("a",),)


def test_without_a_corpus_they_are_those_that_spans_show(con, tmp_path):
    land_request(con, tmp_path, [hit("a", "A."), hit("b")], ["b", "a"])
    (subject,) = select_subjects(con, Config(), case_ids=["case-1"])
    assert texts(subject.material.prompt) == [None, ("a", "A.")]
    with pytest.raises(DoesNotApplyError, match="the text of 1 chunk of the prompt is not known; load the corpus"):
        INTERVENTIONS["original"].make(subject.material)
    (variant,) = INTERVENTIONS["gold_only"].make(subject.material)
    assert texts(variant.chunks) == [("a", "A.")]


def test_a_required_passage_in_no_prompt_and_no_ranking_is_found_in_the_corpus(con, tmp_path):
    load_corpus(
        con, write_lines(tmp_path / "corpus.jsonl", [{"chunk_id": name, "text": name.upper()} for name in "abc"])
    )
    land_request(con, tmp_path, [hit("b"), hit("c")], ["b"])
    (subject,) = select_subjects(con, Config(), case_ids=["case-1"])
    assert [texts(group) for group in subject.material.required] == [[("a", "A")]]


def test_the_newest_request_of_a_case_is_probed_or_that_of_a_run(con, tmp_path):
    for trace, run in ((1, "first"), (2, "second")):
        land_request(con, tmp_path, [hit("a", "A.")], ["a"], trace=trace, at=trace * 100, run=run)
    ids = [select_subjects(con, Config(), run_id=run)[0].request_id for run in (None, "first", "second")]
    assert ids == [f"{2:032x}", f"{1:032x}", f"{2:032x}"]


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        (None, ["case-1"]),
        (["generation.wrong_answer"], ["case-1"]),
        (["generation."], ["case-1"]),
        (["retrieval.", "generation."], ["case-1"]),
    ],
    ids=["those that probes tell of", "a label", "a boundary", "several"],
)
def test_cases_are_chosen_by_label(con, tmp_path, labels, found):
    land_request(con, tmp_path, [hit("a", "A.")], ["a"])
    assert [subject.case_id for subject in select_subjects(con, Config(), labels=labels)] == found


@pytest.mark.parametrize("labels", [["retrieval."], ["generation"]], ids=["another boundary", "no whole label"])
def test_a_label_that_no_case_has_is_told(con, tmp_path, labels):
    land_request(con, tmp_path, [hit("a", "A.")], ["a"])
    with pytest.raises(InputError, match="no case has a label that was asked for"):
        select_subjects(con, Config(), labels=labels)


def test_before_any_labelling_it_says_what_is_missing(con):
    with pytest.raises(InputError, match="run: ragfault label"):
        select_subjects(con, Config())

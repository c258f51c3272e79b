"""Spans of ours, recorded with content switched off: the record says so, and the label does not blame anybody."""

import pytest

from jobs.spans import answered, asked, built, chunks, pipeline, ranking, span
from otel_ragfault import semconv as s


@pytest.fixture
def con(memory_factory):
    return memory_factory()


WITHOUT_CONTENT = [
    span(1, stage="request", attributes={s.RAGFAULT_CASE_ID: "case-1"}),
    span(2, 1, stage="retrieval", attributes=ranking("a", "b", k=2)),
    span(3, 1, stage="assembly", attributes=chunks("a")),
    span(4, 1, stage="generation", attributes={s.GEN_AI_REQUEST_MODEL: "m"}),
]


def test_a_record_without_any_text_says_that_content_is_switched_off(con):
    (request,) = built(con, *WITHOUT_CONTENT)
    assert "content_off" in request["missing"]
    assert (request["ranked_ids"], request["prompt_ids"], request["answered"]) == (["a", "b"], ["a"], True)


@pytest.mark.parametrize(
    ("place", "said"),
    [(0, asked("why?")), (1, {s.GEN_AI_RETRIEVAL_QUERY_TEXT: "why?"}), (3, answered("yes")), (3, asked("why?"))],
    ids=["question", "search", "answer", "prompt"],
)
def test_one_text_shows_that_it_is_not(con, place, said):
    rows = list(WITHOUT_CONTENT)
    row = rows[place]
    rows[place] = row._replace(attributes=row.attributes[:-1] + ", " + span(9, attributes=said).attributes[1:])
    (request,) = built(con, *rows)
    assert "content_off" not in request["missing"]


def test_a_whole_pipeline_lacks_no_content(con):
    (request,) = built(con, *pipeline())
    assert "content_off" not in request["missing"]

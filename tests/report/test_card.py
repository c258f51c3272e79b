"""A card says in words what the detail of a label holds."""

import json

import pytest

from otel_ragfault.report import card_text, find_cards
from queries.world import put_case, put_label, put_request, put_run


def card(con, label, detail=None, **fields):
    for table in ("gold_case", "gold_evidence", "label_run", "label", "request"):
        con.execute(f"DELETE FROM {table}")
    put_case(con, "a", "g")
    put_run(con)
    put_request(con, 1, **{"case_id": "a", "ranked_ids": ["g"], "k": 1, "prompt_ids": ["g"], **fields})
    put_label(con, 1, "a", label, detail=json.dumps({"missing": None, "depth": 1, "failing": [], **(detail or {})}))
    (found,) = find_cards(con, "a")
    return " ".join(card_text(found, width=1000).split())


FAILING = {"group": 1, "rank": 1, "candidate_rank": None, "score": None, "in_prompt": True, "reason": None}


@pytest.mark.parametrize(
    ("share", "said"),
    [
        pytest.param(0.62, "62% of it in the prompt", id="a part"),
        pytest.param(0.001, "less than 1% of it in the prompt", id="next to nothing"),
        pytest.param(0.999, "over 99% of it in the prompt", id="nearly all"),
        pytest.param(0.0, "0% of it in the prompt", id="nothing"),
    ],
)
def test_how_much_of_a_cut_chunk_was_shown_is_said(memory, share, said):
    assert said in card(memory, "assembly.truncated", {"failing": [FAILING | {"share": share}]})


def test_a_share_that_is_not_known_is_passed_over(memory):
    assert "of it in the prompt" not in card(memory, "assembly.truncated", {"failing": [FAILING | {"share": None}]})


@pytest.mark.parametrize(
    ("chunks", "said"),
    [
        (["o"], "The answer says what o says, which was not valid at the time of the question."),
        (["o", "p", "q"], "The answer says what o, p and q says, which were not valid at the time of the question."),
    ],
    ids=["one", "several"],
)
def test_the_superseded_version_that_an_answer_repeats_is_named(memory, chunks, said):
    assert said in card(memory, "source.stale", {"superseded": chunks})


def test_the_claims_of_a_label_are_named(memory):
    assert "It is about claims s1 and s3 of the answer." in card(memory, "citation.wrong", {"claims": ["s1", "s3"]})


def test_citations_of_what_was_never_shown_and_to_nowhere_are_said_beside_the_answer(memory):
    text = card(memory, "pass", {"cited_unshown": ["x"]}, cited_ids=["g", "x"], unmapped_citations=["[9]"])
    assert "cites g x; x was never shown; [9] leads to no chunk of the prompt" in text


def test_a_label_of_an_earlier_release_has_less_detail(memory):
    text = card(memory, "pass", cited_ids=[])
    assert "answer : answer 1 cites nothing label" in text

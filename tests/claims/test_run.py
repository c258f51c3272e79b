"""Claims on their way through a database: cut, judged by rule once, judged again when something changed, labelled."""

import json
import uuid

import pytest

from otel_ragfault.jobs.claims import extract_claims
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.judging.claims import judge_claims_of
from otel_ragfault.model import Config
from queries.world import NOON, insert, put_request

CHUNKS = {"g": "The cabin limit is eight hours. Crew may swap.", "h": "Meals are served in the canteen of the airport."}
SHOWN = {"case_id": "a", "ranked_ids": ["g", "h"], "ranked_scores": [2.0, 1.0], "k": 2, "prompt_ids": ["g", "h"]}


@pytest.fixture
def con(memory_factory):
    con = memory_factory()
    insert(
        con,
        "gold_case",
        case_id="a",
        query="What is the cabin limit?",
        query_key="what is the cabin limit?",
        expect="answer",
        tags=[],
        gold_version="v",
        loaded_at=NOON,
        claims=json.dumps([{"id": "k1", "text": "The cabin limit is 8 hours", "evidence": [["g"]]}]),
        answer_check=json.dumps({"must_contain": ["cabin"]}),
    )
    insert(con, "gold_evidence", case_id="a", group_no=1, member_no=1, chunk_id="g")
    insert(con, "corpus_snapshot", snapshot_id="s", chunks=2, source="f", loaded_at=NOON, series=1, place=1)
    for chunk_id, text in CHUNKS.items():
        insert(con, "corpus_stored_chunk", series=1, first_place=1, chunk_id=chunk_id, text=text)
    return con


def answer(con, text, number=1, **fields):
    put_request(con, number, answer=text, answered=True, snapshot_id="s", **{**SHOWN, **fields})


def told(con, number=1):
    """What is believed of the claims of a request: {subject or subject and place: value}."""
    rows = con.execute(
        "SELECT subject, target, claim_id, value FROM trusted_verdict WHERE request_id = ? AND target IS NOT NULL",
        [uuid.UUID(int=number)],
    ).fetchall()
    return {" ".join(filter(None, row[:3])): row[3] for row in rows}


LABELS = [
    ("The cabin limit is 480 minutes [1].", "pass"),
    ("The cabin limit is 9 hours [1].", "grounding.unsupported"),
    ("The cabin limit is 8 hours. The cabin has meals [2].", "citation.missing"),
    ("The cabin limit is 8 hours [2].", "citation.wrong"),
    ("The cabin limit is 8 hours [7].", "citation.wrong"),
    ("The cabin limit is 8 hours [1][7].", "pass"),
    ("The cabin limit is 8 hours [404].", "pass"),
    ("The cabin limit is 8 hours.", "pass"),
]


@pytest.mark.parametrize(("text", "label"), LABELS)
def test_an_answer_is_labelled_by_what_its_claims_say_and_cite(con, text, label):
    answer(con, text)
    assert label_requests(con, Config()).labels == {label: 1}
    ((recall, latent),) = con.execute(
        "SELECT claim_recall, latent FROM claim_measures JOIN current_label USING (request_id)"
    ).fetchall()
    assert recall == (0.0 if "9" in text else 1.0)
    assert latent == (label != "pass")


@pytest.mark.parametrize(
    ("marks", "correctness"),
    [("[1]", 1.0), ("[7]", 0.0), ("[1][7]", 0.5), ("", None)],
    ids=["there", "not", "one", "none"],
)
def test_a_citation_that_leads_nowhere_counts_as_a_wrong_one(con, marks, correctness):
    answer(con, f"The cabin limit is 8 hours {marks}.")
    label_requests(con, Config())
    assert con.execute("SELECT citation_correctness FROM claim_measures").fetchall() == [(correctness,)]


def test_where_the_prompt_was_recovered_from_texts_no_number_leads_nowhere_for_certain(con):
    answer(con, "The cabin limit is 8 hours [7].", assembly_source="text_match")
    assert label_requests(con, Config()).labels == {"pass": 1}


def test_the_same_is_judged_once_and_what_changed_is_judged_again_and_taken_back(con):
    answer(con, "The cabin limit is 8 hours [1].", cited_ids=["g"])
    label_requests(con, Config())
    before = {"claim_support s1": True, "claim_correct s1": True, "claim_found k1": True, "citation g s1": True}
    assert told(con) == before
    verdicts = con.execute("FROM verdict ORDER BY ALL").fetchall()
    label_requests(con, Config())
    assert con.execute("FROM verdict ORDER BY ALL").fetchall() == verdicts
    con.execute("UPDATE request SET answer = 'The cabin is not small [1].'")
    label_requests(con, Config())
    taken_back = {name: value for name, value in told(con).items() if name != "claim_found k1"}
    assert taken_back == dict.fromkeys(("claim_support s1", "claim_correct s1", "citation g s1"))
    con.execute("UPDATE request SET answer = 'The cabin limit is 8 hours [1].'")
    label_requests(con, Config())
    assert told(con) == before


def test_another_corpus_is_another_context(con):
    answer(con, "The cabin limit is 8 hours.")
    label_requests(con, Config())
    assert told(con)["claim_support s1"] is True
    con.execute("UPDATE corpus_stored_chunk SET text = 'The cabin limit is 9 hours.' WHERE chunk_id = 'g'")
    con.execute("UPDATE corpus_snapshot SET loaded_at = loaded_at + INTERVAL 1 DAY")
    assert label_requests(con, Config()).labels == {"grounding.unsupported": 1}


def test_people_are_believed_over_the_rules_for_claims(con):
    answer(con, "The cabin limit is 9 hours.")
    label_requests(con, Config())
    insert(
        con,
        "verdict",
        request_id=uuid.UUID(int=1),
        subject="claim_support",
        target="s1",
        value=True,
        source="human",
        judge="ann",
        config="c",
        judged_at=NOON,
    )
    assert label_requests(con, Config()).labels == {"pass": 1}


def test_required_citations_are_a_setting(con):
    answer(con, "The cabin limit is 8 hours.")
    required = Config.model_validate({"judging": {"citations_required": True}})
    assert label_requests(con, required).labels == {"citation.missing": 1}
    assert label_requests(con, Config()).labels == {"pass": 1}


def test_requests_without_gold_or_answer_are_left_alone(con):
    answer(con, "The cabin limit is 8 hours.")
    put_request(con, 2, query="another question", answer="The cabin limit is 8 hours.")
    put_request(con, 3, case_id="a", answer=None)
    con.execute("CREATE TEMP TABLE chosen AS SELECT request_id, case_id FROM request WHERE case_id IS NOT NULL")
    assert extract_claims(con, among="chosen") == 1
    assert judge_claims_of(con, joined_relation="chosen") == 1
    assert judge_claims_of(con, joined_relation="chosen") == 0
    assert told(con, 2) == told(con, 3) == {}


def test_texts_of_any_kind_are_values_to_the_database(con):
    hostile = "'); DROP TABLE verdict; -- \x00 $version \U0001f600 [1]. The cabin limit is 8 hours."
    answer(con, hostile)
    label_requests(con, Config())
    assert con.execute("SELECT count(*) > 0 FROM verdict").fetchall() == [(True,)]


@pytest.mark.parametrize(
    ("failing", "coverage"),
    [
        pytest.param([], "complete", id="an old version that was shown beside the evidence"),
        pytest.param([{"group": 1, "rank": 1}], "incomplete", id="evidence that was ranked, not valid and not shown"),
    ],
)
def test_what_is_stale_was_shown_only_when_no_evidence_is_lost(con, failing, coverage):
    put_request(con, 1, case_id="a")
    row = {"run_id": "r", "request_id": uuid.UUID(int=1), "case_id": "a", "label": "source.stale", "retrieved": True}
    row |= {"boundary": "source set", "outcome": "wrong", "latent": False, "gold_version": "v"}
    insert(con, "label", **row, detail=json.dumps({"failing": failing}))
    found = con.execute("SELECT coverage FROM matrix_cell WHERE request_id = ?", [row["request_id"]]).fetchall()
    assert found == [(coverage,)]


def test_every_cell_of_the_decision_matrix_has_one_experiment_and_every_label_a_cell(con):
    cells = con.execute(
        "SELECT coverage, support, correctness, citation, next_experiment FROM decision_matrix"
    ).fetchall()
    assert len({cell[:4] for cell in cells}) == len(cells) == 6 * 3 * 4 * 3
    assert all(cell[4].endswith((".", "?")) for cell in cells)
    for number, (label, boundary) in enumerate(con.execute("SELECT label, boundary FROM rule").fetchall(), start=1):
        put_request(con, number, case_id="a")
        insert(
            con,
            "label",
            run_id="r",
            request_id=uuid.UUID(int=number),
            case_id="a",
            label=label,
            boundary=boundary,
            outcome="correct",
            latent=False,
            gold_version="v",
            detail="{}",
        )
    assert con.execute("SELECT label FROM rule EXCEPT SELECT label FROM next_experiment").fetchall() == []

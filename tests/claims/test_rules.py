"""Rules 15 and 16 in the walk: a right answer that is not supported, or that cannot be followed to its evidence."""

import json
import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from faults.oracle import World
from faults.worlds import clear, labels, put
from queries.world import judge, put_claims

RIGHT = World(ranked=("g",), scores=(1.0,), prompt=("g",), refused=False, correct=True, answer="answer 1")


def put_right(con, *claims, cites=(), astray=(), cited_ids=None, policy=None):
    """Store one right answer with its claims; every table that a label rests on is emptied before."""
    clear(con)
    for table in ("answer_claim", "judging_policy"):
        con.execute(f"DELETE FROM {table}")
    put(con, 0, RIGHT)
    con.execute("UPDATE request SET cited_ids = ?", [cited_ids])
    put_claims(con, 1, *claims, cites=cites, astray=astray)
    if policy is not None:
        con.execute("INSERT INTO judging_policy VALUES (1, 2, 3, 4, 0.8, NULL, ?)", [policy])


def label_of(con):
    return labels(con)[uuid.UUID(int=1)]


def name_of(con):
    return label_of(con)["label"]


def test_nobody_was_asked_so_that_nothing_is_known_and_the_label_stays(memory):
    put_right(memory, "one", "two")
    assert name_of(memory) == "pass"
    assert label_of(memory)["grounded"] is None


def test_a_claim_that_the_chunks_do_not_say_is_a_latent_fault(memory):
    put_right(memory, "one", "two")
    judge(memory, 1, "claim_support", True, False)
    found = label_of(memory)
    assert (found["label"], found["boundary"]) == ("grounding.unsupported", "generation")
    assert (found["latent"], found["grounded"], found["outcome"]) == (True, False, "correct")
    assert '"claims":["s2"]' in found["detail"]


def test_an_answer_whose_every_claim_is_supported_is_grounded(memory):
    put_right(memory, "one", "two", "three?")
    judge(memory, 1, "claim_support", True, True)
    assert (name_of(memory), label_of(memory)["grounded"]) == ("pass", True)


def test_a_right_answer_that_is_said_not_to_be_grounded_is_no_pass(memory):
    put_right(memory)
    memory.execute(
        "INSERT INTO verdict BY NAME SELECT request_id, 'grounded' AS subject, FALSE AS value, 'human' AS source, 'ann' AS judge, 'c' AS config, now()::TIMESTAMP AS judged_at FROM request"
    )
    assert name_of(memory) == "grounding.unsupported"


TOLD = [
    pytest.param([("human", True), ("model", False)], "pass", id="people before models"),
    pytest.param([("rule", True), ("model", False)], "pass", id="rules before models"),
    pytest.param([("human", False), ("rule", True)], "grounding.unsupported", id="people before rules"),
    pytest.param([("model", None)], "unknown.claims", id="a model that could not tell"),
    pytest.param([("model", None), ("rule", True)], "pass", id="a rule that could"),
    pytest.param([("rule", None)], "pass", id="a rule that takes back what it said"),
]


@pytest.mark.parametrize(("said", "label"), TOLD)
def test_who_is_believed_about_a_claim(memory, said, label):
    put_right(memory, "one")
    for source, value in said:
        judge(memory, 1, "claim_support", value, source=source, judge=None if source == "rule" else "j")
    assert name_of(memory) == label


def test_a_claim_that_the_answer_does_not_make_any_more_says_nothing(memory):
    put_right(memory, "one")
    judge(memory, 1, "claim_support", False, claim="what it said before")
    judge(memory, 1, "claim_support", False, start=5, source="model", judge="j", extractor_version="hand-1")
    assert name_of(memory) == "pass"
    memory.execute("UPDATE request SET answer = 'another'")
    judge(memory, 1, "claim_support", False, source="model", judge="j", extractor_version="hand-1")
    assert name_of(memory) == "pass"


CITING = [
    pytest.param({"cites": ["g"]}, [True, True], "citation.missing", id="one claim cites and a supported one does not"),
    pytest.param({"cites": ["g"]}, [True], "pass", id="nobody knows that the uncited claim is of the chunks"),
    pytest.param({"cites": ["g", "h"]}, [True, True], "pass", id="both cite"),
    pytest.param({}, [True, True], "pass", id="an answer without citations"),
    pytest.param({"cited_ids": []}, [True, True], "pass", id="an answer that cites nothing"),
    pytest.param({"cited_ids": ["g"]}, [True, True], "pass", id="an answer that cites as a whole"),
    pytest.param({"policy": True}, [True, True], "citation.missing", id="citations are required"),
    pytest.param({"policy": True}, [], "citation.missing", id="required, whoever judged"),
    pytest.param({"policy": True, "cites": ["g", "g"]}, [], "pass", id="required and given"),
    pytest.param({"policy": False}, [True, True], "pass", id="not required"),
]


@pytest.mark.parametrize(("fields", "supported", "label"), CITING)
def test_where_citations_are_wanted_a_claim_without_one_is_missed(memory, fields, supported, label):
    put_right(memory, "one", "two", "three?", **fields)
    judge(memory, 1, "claim_support", *supported)
    assert name_of(memory) == label
    if label != "pass":
        assert label_of(memory)["boundary"] == "citation"


WRONG = [
    pytest.param(["g"], [("g", False)], "citation.wrong", id="what it cites does not say it"),
    pytest.param(["g h"], [("g", False), ("h", True)], "pass", id="another citation does"),
    pytest.param(["g h"], [("g", False), ("h", False)], "citation.wrong", id="none does"),
    pytest.param(["g h"], [("g", False)], "pass", id="nobody looked at the other"),
    pytest.param(["g h"], [("g", False), ("h", None)], "unknown.claims", id="a judge could not tell of the other"),
    pytest.param(["g"], [("g", None)], "unknown.claims", id="a judge could not tell"),
    pytest.param(["g"], [("x", False)], "pass", id="a chunk that it does not cite"),
]


@pytest.mark.parametrize(("cites", "said", "label"), WRONG)
def test_a_citation_is_wrong_when_nothing_that_the_claim_cites_says_it(memory, cites, said, label):
    put_right(memory, "one", cites=cites)
    for chunk, value in said:
        judge(memory, 1, "citation", value, target=chunk, claim_id="s1", source="model", judge="j")
    assert name_of(memory) == label


ASTRAY = [
    pytest.param({"astray": [1]}, [], "citation.wrong", id="a chunk that is not there, whoever judged"),
    pytest.param({"astray": [1, 2]}, [True, True], "citation.wrong", id="every claim cites nowhere"),
    pytest.param({"astray": [1], "policy": True}, [], "citation.missing", id="another claim lacks a citation"),
    pytest.param({"astray": [1]}, [True, True], "citation.missing", id="another claim that is supported lacks one"),
    pytest.param({"cites": ["g"], "astray": [1]}, [True, None], "unknown.claims", id="beside one that is there"),
    pytest.param({"cites": ["", "g"], "astray": [1]}, [True, True], "citation.wrong", id="another claim cites rightly"),
    pytest.param({"astray": [3]}, [], "pass", id="a question needs no support"),
    pytest.param({"astray": [1], "cited_ids": ["g"]}, [], "citation.wrong", id="what the answer cites as a whole"),
    pytest.param({"astray": [1]}, [False], "grounding.unsupported", id="after grounding"),
]


@pytest.mark.parametrize(("fields", "supported", "label"), ASTRAY)
def test_a_citation_that_leads_nowhere_is_wrong_and_not_missing(memory, fields, supported, label):
    put_right(memory, "one", "two", "three?", **fields)
    judge(memory, 1, "claim_support", *supported)
    assert name_of(memory) == label


@pytest.mark.parametrize(
    ("cited", "prompt", "noted"),
    [
        pytest.param(["g", "x", "x"], ["g"], ["x"], id="one of them was not shown"),
        pytest.param(["g"], ["g", "h"], None, id="all were"),
        pytest.param(["g", "x"], ["g", None], None, id="a chunk of the prompt is not known"),
        pytest.param(["x"], None, None, id="the prompt is not known"),
        pytest.param(["g"], [], ["g"], id="the evidence itself"),
        pytest.param(None, ["g"], None, id="citations are not known"),
    ],
)
def test_a_citation_of_what_was_never_shown_is_noted_beside_cited(memory, cited, prompt, noted):
    put_right(memory, "one", cited_ids=cited)
    memory.execute("UPDATE request SET prompt_ids = ?", [prompt])
    found = label_of(memory)
    assert json.loads(found["detail"])["cited_unshown"] == noted
    assert found["cited"] is (None if cited is None else "g" in cited)


def test_an_earlier_fault_wins_and_grounding_comes_before_citation(memory):
    put_right(memory, "one", "two", cites=["g"])
    judge(memory, 1, "citation", False, target="g", claim_id="s1")
    judge(memory, 1, "claim_support", True, True)
    assert name_of(memory) == "citation.missing"
    judge(memory, 1, "claim_support", False, start=3, judge="bob")
    assert name_of(memory) == "grounding.unsupported"
    memory.execute("UPDATE verdict SET value = FALSE WHERE subject = 'answer'")
    assert name_of(memory) == "generation.wrong_answer"


SAID = st.lists(st.sampled_from([True, False, None, "unasked"]), min_size=1, max_size=5)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(SAID, SAID, st.sampled_from([None, True]), st.booleans(), st.randoms(use_true_random=False))
def test_the_rules_and_an_independent_reading_agree_in_any_order(memory, support, citations, policy, last, random):
    size = min(len(support), len(citations))
    put_right(
        memory, *[f"claim {at}" for at in range(size)], cites=["g"] * (size - 1), policy=policy, astray=[size] * last
    )
    told = [("claim_support", at, support[at - 1]) for at in range(1, size + 1)]
    told += [("citation", at, citations[at - 1]) for at in range(1, size)]
    for subject, at, value in random.sample(told, len(told)):
        if value != "unasked":
            named = {"target": "g", "claim_id": f"s{at}"} if subject == "citation" else {}
            judge(memory, 1, subject, value, start=at, **named)
    assert name_of(memory) == expected(support[:size], citations[: size - 1], policy, last)


def expected(support, citations, policy, last):
    """Say the label; the last claim cites nothing, or, ``last``, a chunk that is not there."""
    if False in support:
        return "grounding.unsupported"
    if None in support:
        return "unknown.claims"
    if not last and (policy or (len(support) > 1 and support[-1] is True)):
        return "citation.missing"
    if last or False in citations:
        return "citation.wrong"
    return "unknown.claims" if None in citations else "pass"

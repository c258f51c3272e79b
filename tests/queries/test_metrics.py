"""One golden case a query of queries/metrics/: rows in, CSV out. A test is named after its query."""

import json
from datetime import timedelta

from queries.world import NOON, judge, put, put_case, put_claims, put_verdict

RECALL = "request_run_id,recall_1,recall_2,recall_3,recall_5,recall_10,recall_20,recall_50,requests,without_ranking,known_depth\n"


def test_recall(con, gives):
    put_case(con, "two", "g", "h i")
    put_case(con, "one", "g")
    put_case(con, "refuse", expect="refuse")
    put(con, 1, "two", "x", ranked_ids=["i", "x", "g", "h"], run_id="r", ranking_complete=True)
    put(con, 2, "one", "x", ranked_ids=["x", "x", "g", "g"], run_id="r")
    put(con, 3, "one", "x", run_id="r")
    put(con, 4, "one", "x", ranked_ids=["g", None], run_id="r")
    put(con, 5, "refuse", "x", ranked_ids=["x"], run_id="r")
    put(con, 6, "one", "x", run_id="unrecorded")
    put(con, 7, "one", "x", ranked_ids=[])
    gives(
        "recall",
        RECALL + "r,0.25,0.25,1.0,1.0,1.0,1.0,1.0,2,2,4\nunrecorded,,,,,,,,0,1,\n,0.0,0.0,0.0,0.0,0.0,0.0,0.0,1,0,0\n",
    )


def test_recall_without_any_labelled_request_has_no_row(gives):
    gives("recall", RECALL)


def test_mrr(con, gives):
    put_case(con, "two", "g", "h i")
    put(con, 1, "two", "x", ranked_ids=["x", "i", "y", "g"], run_id="r")
    put(con, 2, "two", "x", ranked_ids=["g"], run_id="r")
    put(con, 3, "two", "x", ranked_ids=["x"], run_id="r")
    put(con, 4, "two", "x", ranked_ids=["x"], run_id="r")
    put(con, 5, "two", "x", run_id="r")
    put(con, 6, "two", "x", run_id="unrecorded")
    gives(
        "mrr",
        """
        request_run_id,mrr,mrr_all,requests,without_ranking
        r,0.375,0.0625,4,1
        unrecorded,,,0,1
        """,
    )


def test_evidence_in_prompt(con, gives):
    put_case(con, "two", "g", "h i")
    put(con, 1, "two", "x", prompt_ids=["i", "g"], run_id="r")
    put(con, 2, "two", "x", prompt_ids=["h"], run_id="r")
    put(con, 3, "two", "x", prompt_ids=["g", None], run_id="r")
    put(con, 4, "two", "x", run_id="r")
    put(con, 5, "two", "x", run_id="unrecorded")
    put(con, 6, "two", "x", prompt_ids=[])
    gives(
        "evidence_in_prompt",
        """
        request_run_id,complete,complete_share,group_share,requests,without_prompt_ids
        r,1,0.5,0.75,2,2
        unrecorded,0,,,0,1
        ,0,0.0,0.0,1,0
        """,
    )


def test_summary(con, gives):
    put_case(con, "a", "g")
    put_case(con, "no", expect="refuse")
    put_case(con, "which", expect="clarify")
    put(con, 1, "a", "pass", outcome="correct", grounded=True)
    put(con, 2, "a", "retrieval.below_k", outcome="correct", latent=True, grounded=False)
    put(con, 3, "a", "x", outcome="refused")
    put(con, 4, "no", "pass.correct_refusal", outcome="correct")
    put(con, 5, "which", "pass.correct_clarification", outcome="correct")
    put(con, 6, "a", "unknown.verdict", outcome="unjudged")
    put(con, 7, "a", "error.generation", outcome="wrong")
    for number, refused in ((1, False), (2, False), (3, True), (4, True), (5, False)):
        put_verdict(con, number, "refusal", value=refused)
    put_verdict(con, 5, "clarification", value=True)
    # A person outranks a rule that is newer; a person who could not tell outranks nobody.
    put_verdict(con, 3, "refusal", value=None, source="human", judged_at=NOON + timedelta(days=1))
    put_verdict(con, 6, "refusal", value=True)
    put_verdict(con, 6, "refusal", value=False, source="human", judged_at=NOON - timedelta(days=1))
    gives(
        "summary",
        """
        request_run_id,requests,cases,with_gold,correct,wrong,refused,unjudged,answered,grounded,answered_grounded,answered_correct,latent
        ,7,3,5,4,1,1,1,3,1,1,2,1
        """,
    )


def test_request_measures(con, gives):
    put_case(con, "a", "g h", "i")
    put(con, 1, "a", "x", ranked_ids=["x", "g", "g", "i"], run_id="r", ranking_complete=True)
    put(con, 2, "a", "x", ranked_ids=["i"], started_at=NOON + timedelta(days=1))
    put(con, 3, "a", "x", started_at=NOON + timedelta(days=2))
    gives(
        "request_measures",
        f"""
        case_id,k,precision,recall_judged,recall_groups,hit,reciprocal_rank,average_precision,context_precision,ndcg,judged_share,relevant,ranking_known,known_depth,request_run_id,request_id
        a,1,0.0,0.0,0.0,0.0,0.0,0.0,,0.0,0.0,3,true,,r,{1:032x}
        a,2,0.5,0.3333333333333333,0.5,1.0,0.5,0.16666666666666666,0.5,0.38685280723454163,0.5,3,true,,r,{1:032x}
        a,,0.6666666666666666,0.6666666666666666,1.0,1.0,0.5,0.38888888888888884,0.5833333333333333,0.5307212739772434,0.6666666666666666,3,true,,r,{1:032x}
        a,1,1.0,0.3333333333333333,0.5,1.0,1.0,0.3333333333333333,1.0,1.0,1.0,3,true,1,,{2:032x}
        a,2,0.5,0.3333333333333333,0.5,1.0,1.0,0.3333333333333333,1.0,0.6131471927654584,1.0,3,true,1,,{2:032x}
        a,,1.0,0.3333333333333333,0.5,1.0,1.0,0.3333333333333333,1.0,0.46927872602275644,1.0,3,true,1,,{2:032x}
        a,1,,,,,,,,,,3,false,,,{3:032x}
        a,2,,,,,,,,,,3,false,,,{3:032x}
        a,,,,,,,,,,,3,false,,,{3:032x}
        """,
        k="1,2",
    )


def test_measures(con, gives):
    for case in ("a", "b", "c", "d"):
        put_case(con, case, "g")
    put(con, 1, "a", "x", ranked_ids=["g", "x"], run_id="r")
    put(con, 2, "b", "x", ranked_ids=["x", "y", "z", "g"], run_id="r")
    put(con, 3, "c", "x", run_id="r")
    put(con, 4, "d", "x")
    gives(
        "measures",
        """
        group,k,precision,recall_judged,recall_groups,hit,mrr,map,context_precision,ndcg,unjudged_share,cases,requests,without_ranking,known_depth
        r,2,0.25,0.5,0.5,0.5,0.5,0.5,1.0,0.5,0.75,3,3,1,2
        r,,0.375,1.0,1.0,1.0,0.625,0.625,0.625,0.7153382790366966,0.625,3,3,1,2
        ,2,,,,,,,,,,1,1,1,
        ,,,,,,,,,,,1,1,1,
        """,
        k="2",
    )


CLAIMS = "case_id,claims,supported,unsupported,correct,incorrect,supported_correct,expected,found,not_found,adequately_cited,inadequately_cited,citations,held,wrong,claim_precision,claim_recall,faithfulness,correctness,citation_completeness,citation_correctness,request_run_id,request_id\n"
TEN_CLAIMS = [f"claim {number}" for number in range(1, 11)]


def put_worked_example(con, number, case):
    """Ten claims, eight said by the context, seven right; six of nine expected ones found."""
    con.execute("UPDATE gold_case SET claims = ? WHERE case_id = ?", [claims_json(9), case])
    put(con, number, case, "grounding.unsupported", outcome="correct", run_id="r", cited_ids=[])
    put_claims(con, number, *TEN_CLAIMS, cites=["g", "g h", "h"])
    judge(con, number, "claim_support", *[True] * 8, *[False] * 2)
    judge(con, number, "claim_correct", *[True] * 7, *[False] * 3)
    judge(con, number, "claim_found", *[True] * 6, *[False] * 3, target="k")


def claims_json(count):
    return json.dumps([{"id": f"k{number}", "text": f"expected {number}"} for number in range(1, count + 1)])


def test_request_claims(con, gives):
    put_case(con, "ten", "g")
    put_case(con, "some", "g")
    put_case(con, "whole", "g")
    put_worked_example(con, 1, "ten")
    judge(con, 1, "citation", True, target="g", claim_id="s1")
    judge(con, 1, "citation", False, target="g", claim_id="s2")
    judge(con, 1, "citation", True, target="h", claim_id="s2")
    judge(con, 1, "citation", False, target="h", claim_id="s3")
    # A claim that nobody judged leaves the measures open; a question states nothing; a stale verdict is of another text.
    put(con, 2, "some", "pass", outcome="correct")
    put_claims(con, 2, "one", "two", "three?")
    judge(con, 2, "claim_support", True, None)
    judge(con, 2, "claim_correct", True, False, claim="another text")
    judge(con, 2, "claim_correct", True, claim="one")
    # An answer that cites as a whole: a cited chunk is right when it says any of the claims.
    put(con, 3, "whole", "pass", outcome="correct", cited_ids=["g", "h"])
    put_claims(con, 3, "one", "two")
    for claim_id, chunk, value in (("s1", "g", True), ("s1", "h", False), ("s2", "g", False), ("s2", "h", False)):
        judge(con, 3, "citation", value, target=chunk, claim_id=claim_id)
    gives(
        "request_claims",
        CLAIMS
        + f"some,2,1,0,1,0,1,0,0,0,0,0,0,0,0,,,,1.0,,,,{2:032x}\n"
        + f"ten,10,8,2,7,3,7,9,6,3,2,8,4,2,2,0.7,0.6666666666666666,0.8,0.7,0.2,0.5,r,{1:032x}\n"
        + f"whole,2,0,0,0,0,0,0,0,0,1,1,2,1,1,,,,,0.5,0.5,,{3:032x}\n",
    )
    gives("request_claims", CLAIMS, request_run_id="another")


def test_claims(con, gives):
    put_case(con, "ten", "g")
    put_case(con, "own", "g")
    put_worked_example(con, 1, "ten")
    # Somebody's own claims take the place of those that were cut.
    put(con, 2, "own", "pass", outcome="correct", run_id="r")
    put_claims(con, 2, "one", "two", "three")
    judge(con, 2, "claim_support", True, True, False, False, target="c")
    gives(
        "claims",
        """
        request_run_id,requests,claims,supported,unsupported,correct,incorrect,supported_correct,expected,found,not_found,adequately_cited,inadequately_cited,citations,held,wrong,claim_precision,claim_precision_requests,claim_recall,claim_recall_requests,faithfulness,faithfulness_requests,correctness,citation_completeness,citation_completeness_requests,citation_correctness,citation_correctness_requests
        r,2,14,10,4,7,3,7,9,6,3,0,7,4,0,0,0.7,1,0.6666666666666666,1,0.7142857142857143,2,0.7,,0,,0
        """,
    )


def test_abstention(con, gives):
    put_case(con, "a", "g")
    put_case(con, "no", expect="refuse")
    put(con, 1, "a", "decision.refused_answerable", outcome="refused", run_id="r")
    put(con, 2, "a", "retrieval.below_k", outcome="refused", run_id="r")
    put(con, 3, "a", "pass", outcome="correct", run_id="r")
    put(con, 4, "a", "unknown.verdict", outcome="unjudged", run_id="r")
    put_verdict(con, 4, "refusal", value=False)
    put(con, 5, "a", "error.generation", outcome="wrong", run_id="r")
    put(con, 6, "no", "decision.answered_unanswerable", outcome="wrong", run_id="r")
    put(con, 7, "no", "pass.correct_refusal", outcome="correct", run_id="r")
    put(con, 8, "no", "unknown.verdict", outcome="unjudged", run_id="r")
    put(con, 9, "no", "unknown.verdict", outcome="unjudged")
    gives(
        "abstention",
        """
        request_run_id,unanswerable,unjustified_answers,unjustified_answer_rate,answerable,unnecessary_abstentions,unnecessary_abstention_rate,abstentions_with_evidence,undecided
        r,2,1,0.5,4,2,0.5,1,2
        ,0,0,,0,0,,0,1
        """,
    )

"""One golden case a query of queries/buckets/: rows in, CSV out. A test is named after its query."""

import uuid
from datetime import timedelta

from queries.world import LABELLING, NOON, insert, put, put_case, put_label, put_request, put_run, put_verdict

ONE = f"{1:032x}"
TWO = f"{2:032x}"
THREE = f"{3:032x}"
CUT = {"failing": [{"group": 1, "rank": 2, "score": 0.5, "reason": "budget"}]}


def test_failure_buckets(con, gives):
    put(con, 1, "a", "assembly.cut")
    put(con, 2, "b", "assembly.cut")
    put(con, 3, "c", "pass", outcome="correct")
    put(con, 4, "d", "no.longer.a.rule")
    gives(
        "failure_buckets",
        """
        label,boundary,requests,share,try_first,wasted
        assembly.cut,assembly,2,0.5,The context budget or the packing rule.,Blaming the model for text that it never saw.
        no.longer.a.rule,no,1,0.25,,
        pass,,1,0.25,Leave it; it guards against regressions.,Tuning for it.
        """,
    )


def test_label_cases(con, gives):
    put(con, 1, "a", "assembly.cut", detail=CUT, run_id="r1")
    put(con, 2, "b", "assembly.truncated", run_id="r2")
    put(con, 3, "c", "assemblyx", run_id="r1")
    head = "label,case_id,outcome,k,evidence,query,answer,request_run_id,trace_id,request_id\n"
    cut = f'assembly.cut,a,wrong,2,"[{{""group"":1,""rank"":2,""score"":0.5,""reason"":""budget""}}]",question 1,answer 1,r1,{ONE},{ONE}\n'
    truncated = f"assembly.truncated,b,wrong,2,[],question 2,answer 2,r2,{TWO},{TWO}\n"
    other = f"assemblyx,c,wrong,2,[],question 3,answer 3,r1,{3:032x},{3:032x}\n"
    gives("label_cases", head + cut + truncated + other)
    gives("label_cases", head + cut, label="assembly.cut")
    gives("label_cases", head + cut + truncated, label="assembly")
    gives("label_cases", head + truncated, label="assembly", request_run_id="r2")
    gives("label_cases", head, label="'; DROP TABLE label; --")


def test_latent_faults(con, gives):
    put(con, 1, "a", "retrieval.below_k", outcome="correct", latent=True, retrieved=False, grounded=True)
    put(con, 2, "b", "retrieval.below_k")
    put(con, 3, "c", "pass", outcome="correct")
    gives(
        "latent_faults",
        f"""
        label,case_id,retrieved,grounded,query,answer,try_first,request_run_id,request_id
        retrieval.below_k,a,false,true,question 1,answer 1,"Reranking, or a larger k together with a larger context budget.",,{ONE}
        """,
    )
    gives(
        "latent_faults",
        "label,case_id,retrieved,grounded,query,answer,try_first,request_run_id,request_id\n",
        request_run_id="other",
    )


def test_buckets_by_service(con, gives):
    put(con, 1, "a", "pass", service="web", run_id="r1")
    put(con, 2, "b", "pass", service="web", run_id="r1")
    put(con, 3, "a", "assembly.cut", service="web", run_id="r2")
    put(con, 4, "a", "assembly.cut")
    gives(
        "buckets_by_service",
        """
        service,request_run_id,label,requests,share
        web,r1,pass,2,1.0
        web,r2,assembly.cut,1,1.0
        ,,assembly.cut,1,1.0
        """,
    )


def test_buckets_by_tag(con, gives):
    put_case(con, "a", "x", tags=["tables", "old", "old"])
    put_case(con, "b", "x", tags=["tables"])
    put_case(con, "c", "x")
    put(con, 1, "a", "pass")
    put(con, 2, "b", "assembly.cut")
    put(con, 3, "c", "pass")
    gives(
        "buckets_by_tag",
        """
        tag,label,requests,share
        old,pass,1,1.0
        tables,assembly.cut,1,0.5
        tables,pass,1,0.5
        ,pass,1,1.0
        """,
    )


def test_buckets_by_day(con, gives):
    put(con, 1, "a", "pass")
    put(con, 2, "b", "assembly.cut", started_at=NOON - timedelta(days=9))
    put(con, 3, "c", "pass", started_at=NOON - timedelta(days=9))
    put(con, 4, "d", "pass", started_at=None)
    newest = "day,label,requests,share\n2026-01-31,pass,1,1.0\n"
    gives("buckets_by_day", newest + "2026-01-22,assembly.cut,1,0.5\n2026-01-22,pass,1,0.5\n,pass,1,1.0\n")
    gives("buckets_by_day", newest, days="1")


def test_label_runs(con, gives):
    put_run(con, requests=3, joined=2)
    put_run(con, "20260102T000000Z-bb", config='{"k": null}', requests=1)
    put_request(con, 1)
    put_label(con, 1, "a", "pass.correct_refusal")
    put_label(con, 2, "b", "passable")
    gives(
        "label_runs",
        """
        run_id,started_at,requests,joined,k,pass_share,version
        20260102T000000Z-bb,2026-01-31T12:00:00Z,1,0,,,0
        20260101T000000Z-aa,2026-01-31T12:00:00Z,3,2,3,0.5,0
        """,
    )


def test_label_transitions(con, gives):
    later, latest = "20260102T000000Z-bb", "20260103T000000Z-cc"
    for run in (LABELLING, later, latest):
        put_run(con, run)
    for number, case, before, after in [
        (1, "a", "assembly.cut", "pass"),
        (2, "b", "pass", "pass"),
        (3, "c", "pass", None),
        (4, "d", None, "pass"),
    ]:
        for run, label in ((later, before), (latest, after)):
            if label is not None:
                put_label(con, number, case, label, labelling=run)
    put_label(con, 2, "b", "retrieval.below_k")
    gives(
        "label_transitions",
        """
        label_before,label_after,changed,requests,cases
        assembly.cut,pass,true,1,"[""a""]"
        pass,,true,1,"[""c""]"
        ,pass,true,1,"[""d""]"
        pass,pass,false,1,"[""b""]"
        """,
    )
    gives(
        "label_transitions",
        """
        label_before,label_after,changed,requests,cases
        retrieval.below_k,pass,true,1,"[""b""]"
        ,assembly.cut,true,1,"[""a""]"
        ,pass,true,1,"[""c""]"
        """,
        before=LABELLING,
        after=later,
    )


def test_unknowns(con, gives):
    put(con, 1, "a", "unknown.k", detail={"missing": "k", "stopped_at": "retrieval.below_k"})
    put(con, 2, "b", "unknown.k", detail={"missing": "k", "stopped_at": "retrieval.below_k"})
    put(con, 3, "c", "pass")
    gives(
        "unknowns",
        """
        missing,stopped_at,requests,meaning,fix,cases
        k,retrieval.below_k,2,It is not known how many ranked chunks were passed on.,"Record k (@retrieval(k=…)), or give ragfault label --k.","[""a"",""b""]"
        """,
    )


def test_refusals_on_answerable(con, gives):
    put_case(con, "a", "x")
    put_case(con, "b", expect="clarify")
    put(con, 1, "a", "decision.refused_answerable", outcome="refused", retrieved=True)
    put(con, 2, "b", "decision.not_clarified", outcome="refused")
    put(con, 3, "a", "generation.wrong_answer")
    put_verdict(con, 1, "refusal", value=True)
    gives(
        "refusals_on_answerable",
        f"""
        label,case_id,retrieved,query,answer,try_first,request_run_id,request_id
        decision.refused_answerable,a,true,question 1,answer 1,"Loosen the instructions to abstain, or lower the relevance floor; then order and model, one at a time.",,{ONE}
        """,
    )


def test_worst_cases(con, gives):
    put_case(con, "a", "g", "h i")
    put_case(con, "b", "g")
    put(con, 1, "a", "retrieval.below_k", ranked_ids=["x", "y", "g", "z", "i", "h"])
    put(con, 2, "b", "retrieval.not_ranked", ranked_ids=["x"])
    put(con, 3, "b", "pass", ranked_ids=["x", "g"])
    put(con, 4, "b", "unknown.ranking", ranked_ids=["x", None])
    put(con, 5, "b", "unknown.ranking")
    gives(
        "worst_cases",
        f"""
        case_id,group,alternatives,rank,k,distance,depth,label,request_run_id,request_id
        b,1,"[""g""]",,2,,1,retrieval.not_ranked,,{TWO}
        a,2,"[""h"",""i""]",5,2,3,6,retrieval.below_k,,{ONE}
        """,
    )
    gives(
        "worst_cases",
        f"""
        case_id,group,alternatives,rank,k,distance,depth,label,request_run_id,request_id
        b,1,"[""g""]",,2,,1,retrieval.not_ranked,,{TWO}
        """,
        limit="1",
    )


def test_verdict_disagreements(con, gives):
    put_request(con, 1, case_id="a")
    put_request(con, 2, case_id="b")
    put_verdict(con, 1, "answer", value=True)
    put_verdict(con, 1, "answer", value=False, source="human")
    put_verdict(con, 1, "refusal", value=False)
    put_verdict(con, 1, "refusal", value=False, source="human")
    put_verdict(con, 2, "grounded", value=True, source="model", judge="m")
    put_verdict(con, 2, "grounded", value=False, source="model", judge="n")
    put_verdict(con, 2, "grounded", value=None, source="code", judge="c")
    head = "subject,case_id,target,claim_id,human,rule,code,model,judges,query,answer,request_id\n"
    answer = f'answer,a,,,false,true,,,"[""human: no"",""rule: yes""]",question 1,answer 1,{ONE}\n'
    grounded = f'grounded,b,,,,,,,"[""c: cannot tell"",""m: yes"",""n: no""]",question 2,answer 2,{TWO}\n'
    gives("verdict_disagreements", head + answer + grounded)
    gives("verdict_disagreements", head + grounded, subject="grounded")


def put_cells(con):
    put_case(con, "a", "g")
    put_case(con, "b", "g")
    put_case(con, "no", expect="refuse")
    put(con, 1, "a", "retrieval.below_k", retrieved=False, grounded=True)
    put(con, 2, "b", "retrieval.below_k", retrieved=False, grounded=True)
    put(con, 3, "no", "pass.correct_refusal", outcome="correct", run_id="r")


MISSED = "Put the required evidence in the place of what was retrieved; if that helps, change corpus, query or ranking."
KEPT = "None: keep the case against regressions."


def test_next_experiments(con, gives):
    put_cells(con)
    head = "coverage,support,correctness,citation,requests,edge,next_experiment,cases\n"
    kept = f'nothing required,not known,correct,not known,1,,{KEPT},"[""no""]"\n'
    gives(
        "next_experiments",
        f'{head}incomplete,supported,wrong,not known,2,retrieval,"{MISSED}","[""a"",""b""]"\n{kept}',
    )
    gives("next_experiments", head + kept, request_run_id="r")


def test_matrix_cases(con, gives):
    put_cells(con)
    head = "case_id,label,coverage,support,correctness,citation,cell_requests,observation,next_experiment,request_run_id,request_id\n"
    missed = (
        f'retrieval.below_k,incomplete,supported,wrong,not known,2,the required evidence was not retrieved,"{MISSED}",'
    )
    kept = f'no,pass.correct_refusal,nothing required,not known,correct,not known,1,"the system declined, or asked back, as it should",{KEPT},r,{THREE}\n'
    gives("matrix_cases", f"{head}a,{missed},{ONE}\nb,{missed},{TWO}\n{kept}")
    gives("matrix_cases", head + kept, request_run_id="r")


def put_probe(con, number, case, intervention, *, correct, repeat_no=1, step="", **fields):
    """Store a run of a probe of request 1 or 2, whose case it names."""
    row = {
        "trace_id": uuid.UUID(int=number),
        "probe_id": f"p{number}",
        "case_id": case,
        "request_id": uuid.UUID(int={"a": 1, "b": 2}[case]),
        "intervention": intervention,
        "step": step,
        "repeat_no": repeat_no,
        "chunks": [{"id": "g", "text": "t"}],
        "generator": "m:f",
        "generator_id": "m:f 1",
        "answer": f"answer {number}",
        "started_at": NOON,
        "correct": correct,
        "refused": False,
    }
    insert(con, "probe", **{**row, **fields})


def test_probe_results(con, gives):
    put(con, 1, "a", "generation.wrong_answer")
    put(con, 2, "b", "generation.wrong_answer")
    put_probe(con, 11, "a", "gold_only", correct=True)
    put_probe(con, 12, "a", "original", correct=False)
    put_probe(con, 13, "a", "original", correct=True, repeat_no=2)
    put_probe(con, 14, "a", "original", correct=False, repeat_no=3, grounded=True)
    put_probe(con, 15, "b", "original", correct=None, answer=None, failure="timeout", error="slow", refused=None)
    head = "case_id,label,intervention,step,runs,passes,fails,unjudged,failures,grounded,ungrounded,majority,agreement,chunk_ids,answer,generator\n"
    original = f'a,generation.wrong_answer,original,"",3,1,2,0,0,1,0,false,{2 / 3},"[""g""]",answer 12,m:f\n'
    gold_only = 'a,generation.wrong_answer,gold_only,"",1,1,0,0,0,0,0,true,1.0,"[""g""]",answer 11,m:f\n'
    none = 'b,generation.wrong_answer,original,"",1,0,0,0,1,0,0,,,"[""g""]",,m:f\n'
    gives("probe_results", head + original + gold_only + none)
    gives("probe_results", head + none, case_id="b")


def test_probe_readings(con, gives):
    readings = [("a", "unstable", None), ("a", "order_sensitive", "generation.wrong_answer")]
    readings += [
        ("b", "order_sensitive", "generation.wrong_answer"),
        ("b", "parametric", None),
        ("a", "parametric", None),
    ]
    for place, (case, reading, refines) in enumerate(readings):
        insert(
            con,
            "probe_reading",
            request_id=uuid.UUID(int={"a": 1, "b": 2}[case]),
            case_id=case,
            generator_id="m:f 1",
            reading=reading,
            refines=refines,
            meaning=f"meaning of {reading}",
            evidence="original fails",
            next_experiment="one",
            place=place,
            probed_at=NOON,
            read_at=NOON,
        )
    gives(
        "probe_readings",
        """
        reading,refines,cases,meaning,next_experiment,examples
        order_sensitive,generation.wrong_answer,2,meaning of order_sensitive,one,"[""a"",""b""]"
        parametric,,2,meaning of parametric,one,"[""a"",""b""]"
        unstable,,1,meaning of unstable,one,"[""a""]"
        """,
    )

"""The answer, or its claims, are held and judged again."""

import pytest

from judging.stub import Says, good, serving, words
from otel_ragfault.jobs.generators import Chunk
from otel_ragfault.jobs.probing import DoesNotApplyError, JudgeChoice, Material
from otel_ragfault.jobs.probing.holding import hold_answer
from otel_ragfault.jobs.probing.selection import Subject

OPEN = Chunk("a", "Business class is open from 8 hours of flight time.")
MEALS = Chunk("b", "Meals are paid at 48 euros a day.")


def subject(answer, cited=None):
    material = Material("When is business class open?", (OPEN, MEALS))
    return Subject("0" * 32, "0" * 32, None, "case", "citation.wrong", answer, cited, material)


@pytest.mark.parametrize(
    ("answer", "cited", "key", "evidence"),
    [
        (OPEN.text, ("a",), "citations_hold", "1 of 1 hold"),
        (f"{OPEN.text} [1]", None, "citations_hold", "1 of 1 hold"),
        (OPEN.text, ("b",), "citations_fail", "1 of 1 do not hold: s1 cites b: "),
        (f"{OPEN.text} [1] {MEALS.text} [1]", None, "citations_fail", "1 of 2 do not hold: s2 cites a: "),
    ],
    ids=["it holds", "its mark holds", "another chunk", "one of two marks"],
)
def test_citations_of_the_same_answer_are_judged_again(answer, cited, key, evidence):
    read = hold_answer(subject(answer, cited))
    assert read.reading.key == key
    assert read.evidence.startswith(evidence)


@pytest.mark.parametrize(
    ("answer", "cited", "reason"),
    [
        (None, None, "the answer was not recorded"),
        (OPEN.text, None, "the answer cites nothing"),
        (OPEN.text, (), "the answer cites nothing"),
        ("It may well be so in some cases.", ("a",), "words and values do not decide"),
    ],
    ids=["no answer", "not recorded", "nothing", "not decided"],
)
def test_where_citations_tell_nothing_it_says_why(answer, cited, reason):
    with pytest.raises(DoesNotApplyError, match=reason):
        hold_answer(subject(answer, cited))


def test_held_probes_need_no_generator(probe):
    report = probe(None, probes=["hold_answer", "hold_claims"])
    (held,) = report.held
    assert [one.reading.key for one in held.readings] == ["citations_hold"]
    assert (report.generator, report.to_run, report.results) == (None, 0, ())
    (skipped,) = report.skipped
    assert skipped.intervention == "hold_claims"
    assert "name one with --judge-model" in skipped.reason


@pytest.mark.parametrize(
    ("behave", "key", "evidence"),
    [
        (
            lambda number, request: Says(good(request)),
            "judge_agrees",
            "1 of 1 the same in 3 repeats, 100% of pairs agree",
        ),
        (
            lambda number, request: Says(words(request, "no") if number == 1 else good(request)),
            "judge_varies",
            "0 of 1 the same in 3 repeats, 33% of pairs agree (differs on s1)",
        ),
    ],
    ids=["it agrees", "it varies"],
)
def test_a_model_judges_the_same_claims_repeatedly(probe, ask_db, behave, key, evidence):
    with serving(behave) as stub:
        report = probe(None, probes=["hold_claims"], judge=JudgeChoice("m", stub.url, None, 3, concurrency=1))
        asked = len(stub.requests)
        again = probe(None, probes=["hold_claims"], judge=JudgeChoice("m", stub.url, None, 3, concurrency=1))
        assert len(stub.requests) == asked == 3, "no reply is paid twice"
    for one in (report, again):
        ((read,),) = [held.readings for held in one.held]
        assert (read.reading.key, read.evidence.removeprefix("m, claim_support: ")) == (key, evidence)
    assert ask_db("SELECT reading, generator_id FROM probe_reading") == [(key, "(the recorded answer)")]
    assert ask_db("SELECT count(DISTINCT request_id) FROM verdict WHERE source = 'model'") == [(1,)], (
        "other cases are left alone"
    )


def test_an_endpoint_that_fails_is_a_warning(probe):
    with serving(lambda number, request: Says(status=401, error="who?")) as stub:
        report = probe(None, probes=["hold_claims"], judge=JudgeChoice("m", stub.url, None, 3))
    assert report.held == ()
    (warning,) = report.warnings
    assert "the endpoint fails" in warning

"""What results mean: a table of results and the readings that hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.jobs.probing import INTERVENTIONS, READINGS, Probed, Tally, read_probes

SHOWN = {"original": ("a", "g"), "gold_only": ("g",), "no_support": ("a", "b"), "closed_book": ()}


def tally(name, passes=0, fails=0, **more):
    intervention, _, step = name.partition(" ")
    runs = more.pop("runs", passes + fails or 1)
    chunk_ids = more.pop("chunk_ids", SHOWN.get(intervention, ("g", "a")))
    return Tally(
        intervention, step, chunk_ids, runs=runs, passes=passes, fails=fails, answers=more.pop("answers", runs), **more
    )


def passing(*names):
    return [tally(name, passes=1) for name in names]


def failing(*names):
    return [tally(name, fails=1) for name in names]


def read(tallies, label="generation.wrong_answer", expect="answer", required=("g",)):
    return {
        read.reading.key: read.evidence for read in read_probes(Probed(label, expect, frozenset(required), tallies))
    }


@pytest.mark.parametrize(
    ("tallies", "key", "evidence"),
    [
        (failing("original") + passing("gold_only", "gold_first"), "order_sensitive", "original fails, gold_only passes, gold_first passes"),
        (failing("original", "gold_first") + passing("gold_only", "gold_last"), "order_sensitive", "original fails, gold_only passes, gold_last passes"),
        (failing("original", "gold_first", "gold_last") + passing("gold_only"), "distractor_sensitive", "original fails, gold_only passes, gold_first fails, gold_last fails"),
        (failing("original") + passing("gold_only"), "order_or_distractors", "original fails, gold_only passes"),
        (failing("original", "gold_only") + passing("gold_first"), "model_or_prompt", "gold_only fails, original fails"),
        ([tally("original", fails=1, chunk_ids=("g",))], "model_or_prompt", "original fails, and its prompt holds the required passages alone"),
        (passing("original", "gold_only"), "not_reproduced", "original passes, and the recorded answer was labelled generation.wrong_answer"),
        ([tally("original", 1, 2), *passing("gold_only")], "unstable", "original fails (1 of 3 pass)"),
        ([tally("original", fails=3), tally("gold_only", 2, 1)], "unstable", "gold_only passes (2 of 3 pass)"),
    ],
    ids=["first helps", "last helps", "no order helps", "no order tried", "gold alone fails", "gold was alone", "passes now", "original varies", "gold alone varies"],
)  # fmt: skip
def test_a_wrong_answer_is_refined(tallies, key, evidence):
    found = read(tallies)
    assert {name for name in found if by_key(name).refines} == {key}
    assert found[key] == evidence


@pytest.mark.parametrize(
    ("tallies", "key"),
    [
        (passing("gold_only", "gold_first"), "order_sensitive"),
        ([tally("original", runs=2, failures=2, answers=0, error="x"), *passing("gold_only")], "order_or_distractors"),
        ([tally("original", unjudged=1), *passing("gold_only")], "model_or_prompt"),
        ([tally("original", 1, 1)], "not_reproduced"),
    ],
    ids=["original was not run", "original gave no answer", "original was not judged", "original is undecided"],
)
def test_what_is_not_known_refines_nothing_of_that_kind(tallies, key):
    assert key not in read(tallies)


@pytest.mark.parametrize(
    ("tallies", "more", "key", "evidence"),
    [
        ([tally("original", fails=1, chunk_ids=("a", "b")), *passing("gold_only")], {"label": "unknown.verdict"}, "evidence_recovers", "original fails, gold_only passes; the label is unknown.verdict"),
        (failing("original") + passing("gold_only"), {"label": "retrieval.below_k"}, "evidence_recovers", "original fails, gold_only passes; the label is retrieval.below_k"),
        (passing("original", "gold_first") + failing("gold_last"), {"label": "pass"}, "order_fragile", "gold_last fails"),
        (passing("original", "distractors +1") + failing("distractors +2"), {"label": "pass"}, "distractor_limit", "distractors +1 passes, distractors +2 fails"),
        (passing("closed_book", "drop_required g"), {}, "parametric", "closed_book passes, drop_required g passes"),
        ([tally("no_support", fails=2)], {}, "unjustified_answer", "no_support is answered in 2 of 2 runs"),
        ([tally("no_support", fails=2, answers=0, refusals=2)], {}, "declines_without_support", "no_support is answered in 0 of 2 runs"),
        ([tally("original", fails=1)], {"required": (), "expect": "refuse"}, "unjustified_answer", "original is answered in 1 of 1 run"),
        ([tally("original", fails=1, chunk_ids=("a", "b"))], {"label": "retrieval.below_k"}, "unjustified_answer", "original is answered in 1 of 1 run"),
        ([tally("shift_number", fails=1, with_planted=1, planted="11", replaced="8")], {}, "planted_repeated", "shift_number is answered with 11 instead of 8"),
        ([tally("contradiction", fails=1, with_planted=1, planted="11", replaced="8")], {}, "planted_repeated", "contradiction is answered with 11 instead of 8"),
        ([tally("shift_date", passes=1, with_replaced=1, planted="2 May", replaced="1 May")], {}, "old_value_kept", "shift_date is answered with 1 May, the passage said 2 May"),
        ([tally("contradiction", passes=1, with_planted=1, with_replaced=1, with_both=1, planted="11", replaced="8")], {}, "conflict_told", "contradiction is answered with 8 and 11"),
        ([tally("contradiction", passes=1, with_replaced=1, planted="11", replaced="8")], {}, "conflict_passed_over", "contradiction is answered with 8, and 11 is not told"),
        ([tally("original", runs=3, failures=2, fails=1, error="it took longer")], {}, "no_answer", "original: 2 of 3 gave no answer (it took longer)"),
        ([tally("original", unjudged=1)], {}, "not_judged", "original"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else None,
)  # fmt: skip
def test_what_stands_beside_the_label(tallies, more, key, evidence):
    assert read(tallies, **more).get(key) == evidence


@pytest.mark.parametrize(
    ("tallies", "more", "key"),
    [
        (passing("original"), {"label": "pass"}, "not_reproduced"),
        (passing("no_support"), {"expect": "refuse", "required": ()}, "parametric"),
        (passing("original"), {"label": "pass", "required": (), "expect": "refuse"}, "parametric"),
        (failing("original"), {"required": (), "expect": "refuse"}, "model_or_prompt"),
        (failing("original") + passing("gold_only", "gold_first"), {"label": "assembly.cut"}, "order_sensitive"),
        ([tally("original", fails=1, chunk_ids=("a", "b")), *passing("gold_only")], {"label": "unknown.verdict"}, "order_or_distractors"),
        (passing("original", "gold_only"), {"label": "retrieval.below_k"}, "evidence_recovers"),
        ([tally("shift_number", fails=3, with_planted=1, planted="11", replaced="8")], {}, "planted_repeated"),
        ([tally("contradiction", fails=1, planted="11", replaced="8")], {}, "conflict_passed_over"),
    ],
    ids=["a pass is no failure", "a refusal is right", "passes with no evidence to need", "nothing is required", "lost before", "never shown", "passes anyway", "a minority", "neither value"],
)  # fmt: skip
def test_what_does_not_hold(tallies, more, key):
    assert key not in read(tallies, **more)


counts = st.integers(0, 3)


@st.composite
def tallies(draw):
    names = draw(st.lists(st.sampled_from([*INTERVENTIONS][:12]), unique=True))
    found = []
    for name in names:
        passes, fails, unjudged, failures, refusals = (draw(counts) for _ in range(5))
        judged = passes + fails + unjudged
        refusals = min(refusals, judged)
        planted = draw(st.integers(0, judged))
        replaced = draw(st.integers(0, judged))
        found.append(
            Tally(
                name, chunk_ids=("g",), runs=judged + failures or 1, passes=passes, fails=fails, unjudged=unjudged, failures=failures,
                refusals=refusals, answers=judged - refusals, with_planted=planted, with_replaced=replaced,
                with_both=draw(st.integers(0, min(planted, replaced))), planted="11", replaced="8",
            )
        )  # fmt: skip
    return found


@given(
    tallies(),
    st.sampled_from(["generation.wrong_answer", "pass", "retrieval.below_k", "decision.answered_unanswerable"]),
    st.booleans(),
)
def test_at_most_one_reading_refines_and_each_names_its_probes(found, label, required):
    probed = Probed(label, "answer", frozenset("g" if required else ""), found)
    reads = read_probes(probed)
    assert sum(one.reading.refines for one in reads) <= 1
    run = {one.intervention for one in found}
    for one in reads:
        assert any(name in one.evidence for name in run), "evidence names a probe that was run"
    keys = {one.reading.key for one in reads}
    assert not {"unjustified_answer", "declines_without_support"} <= keys
    assert not {"order_fragile", "order_sensitive"} <= keys


def by_key(key):
    return next(reading for reading in READINGS if reading.key == key)


def test_every_reading_says_what_it_means_and_what_is_next():
    assert len({reading.key for reading in READINGS}) == len(READINGS)
    for reading in READINGS:
        assert reading.meaning.endswith(".")
        assert reading.next_experiment.endswith(".")


@pytest.mark.parametrize(
    ("tally_of_runs", "majority", "agreement", "ended"),
    [
        (tally("original", 1, 0), True, 1.0, "passes"),
        (tally("original", 0, 1), False, 1.0, "fails"),
        (tally("original", 2, 1), True, 2 / 3, "passes (2 of 3 pass)"),
        (tally("original", 1, 1), None, 0.5, "undecided (1 of 2 pass)"),
        (tally("original", runs=1, unjudged=1), None, None, "not judged"),
        (tally("original", runs=2, failures=2), None, None, "no answer (0 of 2 pass)"),
    ],
    ids=["one passes", "one fails", "most pass", "as many", "not judged", "no answer"],
)
def test_repeats_have_a_majority_and_a_spread(tally_of_runs, majority, agreement, ended):
    assert (tally_of_runs.majority, tally_of_runs.agreement, tally_of_runs.ended) == (majority, agreement, ended)

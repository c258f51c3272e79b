"""What the rules of a gate say, on tables of labels before and after."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gating.states import gate, state
from otel_ragfault.errors import ConfigError, NothingJoinedError, RagfaultError
from otel_ragfault.jobs.comparing.boundaries import got_past

FALLEN = ["retrieval.below_k"] * 10 + ["pass"] * 30
GOOD = ["pass"] * 40


def answers(result):
    return {rule.figure: rule.answer for rule in result.rules}


def failed(result):
    return [rule.figure for rule in result.rules if rule.answer == "failed"]


def require(**rule):
    return {"require": [rule]}


def keep(**rule):
    return {"no_regression": [rule]}


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        pytest.param({"measure": "passed", "at_least": 0.75}, "passed", id="exactly the limit"),
        pytest.param({"measure": "passed", "at_least": 0.76}, "failed", id="below the limit"),
        pytest.param({"label": "retrieval.below_k", "at_most": 0.25}, "passed", id="share of a label"),
        pytest.param({"label": "retrieval", "at_most": 0.2}, "failed", id="share of a family"),
        pytest.param({"label": "retrieval", "at_most": 9, "of": "count"}, "failed", id="count of a family"),
        pytest.param({"label": "unknown", "at_most": 0, "of": "count"}, "passed", id="no unknown"),
        pytest.param({"boundary": "retrieval", "at_most": 0.2}, "failed", id="share lost at a boundary"),
        pytest.param({"measure": "passed", "at_least": 0.5, "at_most": 0.8}, "passed", id="between two limits"),
        pytest.param({"measure": "passed", "at_least": 0.5, "use": "bound"}, "passed", id="interval above the limit"),
        pytest.param({"measure": "passed", "at_least": 0.7, "use": "bound"}, "not decidable", id="limit inside"),
        pytest.param({"measure": "passed", "at_least": 0.95, "use": "bound"}, "failed", id="interval below the limit"),
        pytest.param({"measure": "grounded", "at_least": 0.1}, "not decidable", id="known of no case"),
    ],
)
def test_thresholds(rule, answer):
    result = gate(None, FALLEN, require(**rule))
    assert [one.answer for one in result.rules] == [answer]
    assert result.passed == (answer == "passed")


def test_a_threshold_looks_at_its_slice_only():
    tags = {f"c{number}": ["hard"] for number in range(1, 21)}
    rule = {"measure": "passed", "at_least": 0.6}
    assert gate(None, FALLEN, require(**rule), tags=tags).passed
    result = gate(None, FALLEN, require(**rule, tag="hard"), tags=tags)
    assert (result.passed, result.rules[0].value, result.rules[0].cases) == (False, 0.5, 20)
    assert result.rules[0].case_ids == [f"c{number}" for number in range(1, 11)]


def test_measures_of_a_ranking_are_thresholds_too():
    cases = [state("pass", values={"recall_groups@5": value}) for value in (1.0, 0.5, 0.0, 1.0)]
    (rule,) = gate(None, cases, require(measure="recall_groups@5", at_least=0.7)).rules
    assert (rule.answer, rule.value, rule.cases) == ("failed", 0.625, 4)


def test_a_case_that_several_requests_asked_counts_with_the_share_of_them():
    before = [state("pass", values={"passed": 1.0}, labels={"pass": 4}, requests=4)] * 40
    noisy = [state("pass", values={"passed": 0.75}, labels={"pass": 3, "retrieval.below_k": 1}, requests=4)] * 40
    rules = {
        "no_regression": [{"measure": "passed"}, {"label": "retrieval"}],
        "require": [{"measure": "passed", "at_least": 0.8}],
    }
    found = gate(before, noisy, rules)
    assert [(rule.figure, rule.answer, rule.value) for rule in found.rules] == [
        ("passed", "failed", 0.75),
        ("passed", "failed", 0.75),
        ("label:retrieval", "failed", 0.25),
    ]
    assert found.rules[0].reason == "is 75%"


def test_what_is_not_known_of_a_case_is_left_out_and_told():
    (rule,) = gate(None, ["pass", "pass", "unknown.answer"], require(measure="passed", at_least=1)).rules
    assert (rule.answer, rule.cases) == ("passed", 2)
    assert "1 case is left out" in rule.reason


def test_a_true_drop_fails_and_is_blamed_on_its_boundary():
    result = gate(GOOD, FALLEN)
    assert failed(result) == ["passed", "boundary:retrieval"]
    assert not result.passed
    assert [(blame.boundary, len(blame.case_ids), blame.labels) for blame in result.blames] == [
        ("retrieval", 10, {"retrieval.below_k": 10})
    ]


def test_a_drop_inside_the_noise_passes_and_says_so():
    result = gate(GOOD, ["retrieval.below_k"] * 3 + ["pass"] * 37, keep(measure="passed"))
    assert result.passed
    assert result.rules[0].answer == "passed"
    assert "inside the noise" in result.rules[0].reason


def test_the_same_run_again_passes():
    result = gate(FALLEN, FALLEN)
    assert result.passed
    assert set(answers(result).values()) == {"passed"}
    assert result.blames == []


@pytest.mark.parametrize(("choice", "passes"), [("pass", True), ("warn", True), ("fail", False)])
def test_eight_cases_decide_nothing_and_the_rule_chooses_what_follows(choice, passes):
    result = gate(
        ["pass"] * 8, ["pass"] * 7 + ["retrieval.below_k"], {**keep(measure="passed"), "when_undecidable": choice}
    )
    (rule,) = result.rules
    assert (rule.answer, rule.effect, result.passed) == ("not decidable", choice, passes)
    assert "with 8 cases" in rule.reason
    assert rule.cases_needed > 8
    own = keep(measure="passed", when_undecidable="fail")
    assert not gate(["pass"] * 8, ["pass"] * 8, {**own, "when_undecidable": "pass"}).passed


def test_eight_cases_that_all_fail_are_a_failure_all_the_same():
    assert not gate(["pass"] * 8, ["generation.wrong_answer"] * 8, keep(measure="passed")).passed


def test_a_figure_that_can_hardly_fall_is_not_decidable_however_many_cases_there_are():
    mostly_wrong = ["generation.wrong_answer"] * 58 + ["pass"] * 2
    (rule,) = gate(mostly_wrong, mostly_wrong, keep(measure="passed")).rules
    assert rule.answer == "not decidable"


@pytest.mark.parametrize(
    ("lost", "tolerance", "answer"),
    [
        pytest.param(40, 0.0, "failed", id="without tolerance"),
        pytest.param(40, 0.1, "failed", id="beyond the tolerance"),
        pytest.param(26, 0.1, "passed", id="beyond the tolerance, inside the noise"),
        pytest.param(18, 0.1, "passed", id="tolerated"),
    ],
)
def test_tolerance_is_part_of_the_test(lost, tolerance, answer):
    after = ["generation.wrong_answer"] * lost + ["pass"] * (200 - lost)
    (rule,) = gate(["pass"] * 200, after, keep(measure="passed", tolerance=tolerance)).rules
    assert rule.answer == answer


def test_a_slice_has_a_rule_of_its_own():
    tags = {f"c{number}": ["hard"] for number in range(1, 31)}
    after = ["generation.wrong_answer"] * 8 + ["pass"] * 192
    tags["c31"] = ["easy"]
    rules = {"no_regression": [{"measure": "passed", "tag": "hard"}, {"measure": "passed", "tag": "easy"}]}
    result = gate(["pass"] * 200, after, rules, tags=tags)
    assert answers(result) == {"passed [hard]": "failed", "passed [easy]": "not decidable"}


def test_a_measure_that_is_no_yes_or_no_is_tested_by_its_own_differences():
    before = [state("pass", values={"ndcg@5": 0.5 + number % 10 / 20}) for number in range(60)]
    same = [
        state("pass", values={"ndcg@5": one.values["ndcg@5"] + (-1) ** number * 0.1})
        for number, one in enumerate(before)
    ]
    fallen = [
        state("pass", values={"ndcg@5": one.values["ndcg@5"] - 0.1 - number % 3 / 50})
        for number, one in enumerate(before)
    ]
    rule = keep(measure="ndcg@5")
    assert gate(before, same, rule).rules[0].answer == "passed"
    result = gate(before, fallen, rule).rules[0]
    assert (result.answer, result.worse) == ("failed", 60)
    assert result.low < result.change < result.high


def test_progress_along_the_pipeline_is_no_regression():
    # The evidence of ten cases comes further than before, and is lost at the next boundary.
    result = gate(["retrieval.below_k"] * 10 + GOOD, ["generation.wrong_answer"] * 10 + GOOD)
    assert result.passed
    assert result.blames == []


def test_falling_back_along_the_pipeline_is_one_though_the_answer_was_wrong_before():
    result = gate(["generation.wrong_answer"] * 10 + GOOD, ["source.not_indexed"] * 10 + GOOD)
    assert failed(result) == ["boundary:source set"]
    assert [blame.boundary for blame in result.blames] == ["source set"]


def test_a_citation_that_is_dropped_is_found_though_every_answer_stays_right():
    result = gate(GOOD, ["citation.missing"] * 10 + ["pass"] * 30)
    assert failed(result) == ["boundary:citation"]


@pytest.mark.parametrize("label", ["unknown.ranking", "error.generation"])
def test_telemetry_that_is_lost_and_errors_are_no_silent_pass(label):
    result = gate(GOOD, [label] * 12 + ["pass"] * 28)
    assert not result.passed
    assert f"label:{label.split('.')[0]}" in failed(result)
    assert result.blames[0].boundary == label.split(".")[0]


def test_the_strict_form_names_each_new_failure():
    before, after = ["pass", "pass", "citation.missing"], ["pass", "retrieval.below_k", "citation.missing"]
    result = gate(before, after, {"no_new_failures": True})
    assert (result.passed, result.rules[-1].case_ids) == (False, ["c2"])
    assert gate(before, before, {"no_new_failures": True}).passed


def test_the_strict_form_does_not_know_what_is_not_judged_any_more():
    result = gate(["pass"] * 2, ["pass", "unknown.answer"], {"no_new_failures": True, "when_undecidable": "fail"})
    assert (result.passed, result.rules[-1].answer) == (False, "not decidable")


@pytest.mark.parametrize(
    ("label", "boundary", "past"),
    [
        pytest.param("retrieval.below_k", "source set", True, id="behind"),
        pytest.param("retrieval.below_k", "retrieval", False, id="there"),
        pytest.param("retrieval.below_k", "generation", None, id="ahead"),
        pytest.param("generation.wrong_answer", "decision", True, id="the decision to answer comes before the answer"),
        pytest.param("decision.refused_answerable", "generation", None, id="a refusal says nothing of the answer"),
        pytest.param("pass", "citation", True, id="pass"),
        pytest.param("pass.correct_refusal", "decision", True, id="a right refusal is a decision"),
        pytest.param("pass.correct_refusal", "retrieval", None, id="and needs no evidence"),
        pytest.param(
            "decision.answered_unanswerable", "generation", None, id="nor does a wrong answer to such a question"
        ),
        pytest.param("unknown.ranking", "retrieval", None, id="unknown"),
        pytest.param("error.generation", "retrieval", None, id="error"),
    ],
)
def test_where_evidence_has_been(label, boundary, past):
    assert got_past(state(label), boundary) is past


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        pytest.param(keep(measure="pased"), "measure 'pased' is not known; did you mean 'passed'?", id="measure"),
        pytest.param(keep(label="retrieval.below"), "did you mean 'retrieval.below_k'?", id="label"),
        pytest.param(
            keep(measure="ndcg@7"), "found the cutoff '7', wanted one of measure_cutoffs (1, 3, 5, 10)", id="cutoff"
        ),
        pytest.param(keep(measure="ndcg@x"), "found the cutoff 'x'", id="no cutoff"),
    ],
)
def test_a_figure_that_there_is_not_is_refused(rules, message):
    with pytest.raises(ConfigError) as caught:
        gate(GOOD, GOOD, rules)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("before", "after", "rules", "error"),
    [
        pytest.param(None, GOOD, {}, RagfaultError, id="no rule and no baseline"),
        pytest.param(None, GOOD, {"no_new_failures": True}, RagfaultError, id="a rule that needs a baseline"),
        pytest.param([], [], {}, NothingJoinedError, id="no case"),
    ],
)
def test_a_gate_in_which_nothing_was_looked_at_does_not_pass(before, after, rules, error):
    with pytest.raises(error):
        gate(before, after, rules)


labels = st.sampled_from(
    ["pass", "retrieval.below_k", "assembly.cut", "generation.wrong_answer", "citation.missing", "unknown.answer"]
)


@settings(deadline=None)
@given(st.lists(labels, min_size=1, max_size=60))
def test_no_gate_fails_on_an_identical_run(run):
    result = gate(
        run, run, {"no_new_failures": True, "no_regression": [{"measure": "passed"}, {"boundary": "retrieval"}]}
    )
    assert result.passed
    assert result.worse == []


@settings(deadline=None)
@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=60))
def test_a_rule_fails_only_where_the_run_is_worse_and_names_cases_that_are(pairs):
    before, after = zip(*pairs, strict=True)
    result = gate(list(before), list(after))
    for rule in result.rules:
        if rule.answer == "failed":
            assert rule.change > 0
            assert rule.adjusted_p <= result.false_alarm_rate
            assert set(rule.case_ids) <= set(result.worse)


def test_a_measure_has_the_names_that_comparisons_know():
    cases = [state("pass", values={"recall_groups@5": 1.0, "mrr": 0.5})] * 4
    for name, value in (("recall@5", 1.0), ("recall_groups@5", 1.0), ("MRR", 0.5), ("reciprocal_rank", 0.5)):
        (rule,) = gate(None, cases, {"require": [{"measure": name, "at_least": 0.4}]}).rules
        assert (rule.figure, rule.value) == (name, value)


@pytest.mark.parametrize(
    ("figure", "says"),
    [
        pytest.param({"measure": "recal@5"}, "did you mean 'recall@5'?", id="a cutoff stays"),
        pytest.param({"measure": "retrieval.belowk"}, "did you mean 'label:retrieval.below_k'?", id="a label"),
        pytest.param(
            {"measure": "passed", "tag": "polcy"}, "no case has the tag 'polcy'; did you mean 'policy'?", id="tag"
        ),
        pytest.param({"measure": "passed", "tag": "x"}, "no case has the tag 'x'; known are policy", id="far tag"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(figure, says):
    with pytest.raises(ConfigError) as caught:
        gate(None, ["pass"] * 2, {"require": [{**figure, "at_least": 0.1}]}, tags={"c1": ["policy"]})
    assert says in str(caught.value)

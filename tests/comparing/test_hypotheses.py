"""Hypotheses that were declared beforehand: their grammar, and their answers by hand."""

import pytest

from comparing.runs import put_pairs, put_side
from otel_ragfault.errors import InputError
from otel_ragfault.jobs.comparing.hypotheses import expectation
from otel_ragfault.model import Config
from otel_ragfault.model.comparing import ComparingConfig

LOW, CUT, PASS = "retrieval.below_k", "assembly.cut", "pass"
KS = (1, 3, 5, 10)


@pytest.mark.parametrize(
    ("text", "name", "direction", "by"),
    [
        pytest.param("retrieval.below_k decreases", "retrieval.below_k", "decreases", 0, id="a label"),
        pytest.param("  passed   increases ", "passed", "increases", 0, id="space does not matter"),
        pytest.param("recall@5 increases by 0.05", "recall_groups@5", "increases", 0.05, id="a short name, an amount"),
        pytest.param("mrr Decreases By 5%", "mrr", "decreases", 0.05, id="in percent, in capitals"),
        pytest.param("reciprocal_rank@3 unchanged", "mrr@3", "unchanged", 0, id="another name of a measure"),
        pytest.param("ndcg is unchanged within .02", "ndcg", "unchanged", 0.02, id="a margin"),
        pytest.param("evidence_in_prompt stays unchanged", "evidence_in_prompt", "unchanged", 0, id="stays"),
        pytest.param("source set decreases", "source set", "decreases", 0, id="a boundary of two words"),
        pytest.param("unknown decreases", "unknown", "decreases", 0, id="a family"),
        pytest.param("unknown.ranking decreases", "unknown.ranking", "decreases", 0, id="what is not known"),
        pytest.param("refused decreases", "refused", "decreases", 0, id="an outcome"),
        pytest.param("latent unchanged", "latent", "unchanged", 0, id="latent faults"),
    ],
)
def test_a_hypothesis_is_read(text, name, direction, by):
    found = expectation(text, KS)
    assert (found.figure.name, found.direction, found.by) == (name, direction, pytest.approx(by))
    assert found.text == text.strip()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "found no hypothesis", id="nothing"),
        pytest.param("passed", "NAME increases, NAME decreases or NAME unchanged was wanted", id="no direction"),
        pytest.param("passed goes up", "found no hypothesis", id="other words"),
        pytest.param("increases", "found no hypothesis", id="no name"),
        pytest.param("pased increases", "did you mean 'passed'?", id="a slip"),
        pytest.param("recall@7 increases", "one of 1, 3, 5, 10 was wanted", id="a rank that is not measured"),
        pytest.param("passed increases within 0.1", "write 'passed increases by 0.05'", id="within an increase"),
        pytest.param("passed unchanged by 0.1", "'within' was wanted", id="unchanged by"),
        pytest.param("passed increases by 5", "above 0 and below 1 was wanted", id="more than everything"),
        pytest.param("passed increases by nan", "found the amount 'nan'", id="not a number"),
        pytest.param("passed increases by -1%", "found the amount '-1%'", id="negative"),
        pytest.param("passed increases by much", "found the amount 'much'", id="no number"),
    ],
)  # fmt: skip
def test_what_is_none_is_refused_in_one_line(text, says):
    with pytest.raises(InputError) as caught:
        expectation(text, KS)
    assert says in str(caught.value)
    assert str(caught.value).startswith("expect ")
    assert "\n" not in str(caught.value)


def pairs(**counts):
    """``lost__pass=6`` is six cases that were lost in retrieval and pass."""
    labels = {"lost": LOW, "cut": CUT, "pass": PASS}
    return {
        f"{name} {number}": tuple(labels[side] for side in name.split("__"))
        for name, count in counts.items()
        for number in range(count)
    }


@pytest.mark.parametrize(
    ("counts", "text", "answer", "reason"),
    [
        pytest.param({"lost__pass": 6, "pass__pass": 2}, f"{LOW} decreases", "yes", "significant", id="six of six: p is 0.03"),
        pytest.param({"lost__pass": 5, "pass__pass": 2}, f"{LOW} decreases", "not decidable", "not significant", id="five of five: p is 0.06"),
        pytest.param({"pass__lost": 6, "lost__lost": 2}, f"{LOW} decreases", "no", "significant the other way", id="it rose"),
        pytest.param({"pass__lost": 2, "pass__pass": 8}, f"{LOW} decreases", "no", "nothing can fall below 0", id="there was none"),
        pytest.param({"pass__pass": 9}, "passed increases", "no", "nothing can rise above 1", id="all passed before"),
        pytest.param({"lost__cut": 6, "pass__pass": 2}, "retrieval decreases", "yes", "significant", id="a boundary"),
        pytest.param({"lost__cut": 6, "pass__pass": 2}, "assembly decreases", "no", "nothing can fall below 0", id="the next boundary"),
        pytest.param({"lost__cut": 6, "pass__pass": 2}, "passed unchanged", "not decidable", "the interval crosses the margin", id="unchanged, of few"),
        pytest.param({"pass__pass": 80}, "passed unchanged", "yes", "the whole interval lies within the margin", id="unchanged, of many"),
        pytest.param({"lost__pass": 40, "pass__pass": 40}, "passed unchanged", "no", "the whole interval lies outside the margin", id="it changed"),
        pytest.param({"lost__pass": 40, "pass__pass": 40}, "passed increases by 30%", "yes", "the whole interval lies beyond the amount", id="by so much"),
        pytest.param({"lost__pass": 40, "pass__pass": 40}, "passed increases by 70%", "no", "the interval ends before the amount", id="not by so much"),
        pytest.param({"lost__pass": 40, "pass__pass": 40}, "passed increases by 50%", "not decidable", "the interval holds the amount", id="about so much"),
        pytest.param({"lost__pass": 40, "pass__pass": 40}, f"{LOW} decreases by 30%", "yes", "the whole interval lies beyond the amount", id="down by so much"),
        pytest.param({"lost__pass": 1}, "passed increases", "not decidable", "fewer than two cases have a value on both sides", id="one case"),
    ],
)  # fmt: skip
def test_an_answer(con, compared, counts, text, answer, reason):
    put_pairs(con, pairs(**counts))
    (found,) = compared(expectations=[text]).hypotheses
    assert (found.answer, found.reason) == (answer, reason)
    assert (found.cases_needed is None) or found.answer == "not decidable"
    assert found.cases == sum(counts.values())


@pytest.mark.parametrize(
    ("counts", "text", "needed"),
    [
        # psi = delta = 5/20: (1.95996 * 0.5 + 0.84162 * sqrt(0.1875)) ** 2 / 0.0625 = 28.95
        pytest.param({"lost__pass": 5, "pass__pass": 15}, f"{LOW} decreases", 29, id="as large a change in more cases"),
        # psi = 0.3, delta = 0.1, as in the test of the formula
        pytest.param({"lost__pass": 4, "pass__lost": 2, "pass__pass": 14}, "passed increases", 234, id="gained and lost"),
        # 1.95996 * sqrt(2) / 0.05 - 2 = 53.4
        pytest.param({"pass__pass": 10}, "passed unchanged", 54, id="no change, within 5 %"),
        pytest.param({"lost__pass": 2, "pass__lost": 2, "pass__pass": 14}, "passed increases", None, id="as many either way"),
        pytest.param({"pass__pass": 10, "lost__lost": 1}, "passed increases", None, id="nothing changed, and no amount"),
        pytest.param({"pass__pass": 10, "lost__lost": 1}, "passed increases by 10%", 26, id="nothing changed, of an amount"),
    ],
)  # fmt: skip
def test_how_many_cases_it_would_take(con, compared, counts, text, needed):
    put_pairs(con, pairs(**counts))
    (found,) = compared(expectations=[text]).hypotheses
    assert (found.answer, found.cases_needed) == ("not decidable", needed)


def test_margin_and_power_are_configured(con, compared):
    put_pairs(con, pairs(pass__pass=10, lost__pass=2))
    wide = Config(comparing=ComparingConfig(margin=0.6))
    sure = Config(comparing=ComparingConfig(power=0.99))
    assert compared(config=wide, expectations=["passed unchanged"]).hypotheses[0].answer == "yes"
    few, many = (
        compared(config=one, expectations=["passed increases"]).hypotheses[0].cases_needed for one in (Config(), sure)
    )
    assert few < many


def test_several_requests_of_a_case_count_by_their_share(con, compared):
    put_pairs(con, {f"c{number}": (LOW, PASS) for number in range(8)})
    put_side(con, "main", {f"c{number}": PASS for number in range(8)}, first=500)
    (found,) = compared(expectations=[f"{LOW} decreases"]).hypotheses
    assert (found.before, found.after, found.answer) == (0.5, 0.0, "yes")

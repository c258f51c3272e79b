"""The table ``[gate]``: what can be said in it, and what a mistake in it is answered with."""

import pytest

from otel_ragfault.errors import ConfigError
from otel_ragfault.model import load_config
from otel_ragfault.model.gate import DEFAULT_NO_REGRESSION


def loaded(tmp_path, toml):
    file = tmp_path / "ragfault.toml"
    file.write_text(toml, encoding="utf-8")
    return load_config(file, env={}).config.gate


def test_rules_are_read_with_their_defaults(tmp_path):
    gate = loaded(
        tmp_path,
        """
        [gate]
        false_alarm_rate = 0.01
        when_undecidable = "fail"
        [[gate.require]]
        measure = "recall_groups@5"
        at_least = 0.8
        tag = "policy"
        [[gate.require]]
        label = "unknown"
        at_most = 3
        of = "count"
        [[gate.no_regression]]
        boundary = "source set"
        tolerance = 0.02
        """,
    )
    assert [rule.name for rule in gate.require] == ["recall_groups@5 [policy]", "label:unknown"]
    assert [rule.name for rule in gate.no_regression] == ["boundary:source set"]
    assert (gate.cutoffs, gate.correction) == ({5}, "tarone")
    assert gate.kept == gate.no_regression
    assert gate.require[0].when_undecidable == "fail"
    assert gate.no_regression[0].when_undecidable is None


@pytest.mark.parametrize(
    ("toml", "kept"),
    [
        pytest.param("", DEFAULT_NO_REGRESSION, id="nothing said"),
        pytest.param("[gate]\ndetect = 0.1", DEFAULT_NO_REGRESSION, id="something else said"),
        pytest.param("[gate]\nno_regression = []", (), id="nothing wanted"),
    ],
)
def test_nothing_must_become_worse_unless_something_is_said(tmp_path, toml, kept):
    assert loaded(tmp_path, toml).kept == kept


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        pytest.param(
            '[[gate.require]]\nmeasure = "passed"\nlabel = "x"\nat_least = 1',
            "gate.require[0].label: found measure and label, wanted exactly one of them",
            id="two figures",
        ),
        pytest.param(
            "[[gate.no_regression]]\ntolerance = 0.1",
            "gate.no_regression[0].measure: found none of measure, label and boundary, wanted exactly one of them",
            id="no figure",
        ),
        pytest.param(
            '[[gate.require]]\nmeasure = "passed"',
            "gate.require[0].at_least: is missing, and so is at_most; give one of them",
            id="no limit",
        ),
        pytest.param(
            '[[gate.require]]\nlabel = "unknown"\nat_most = 3',
            "gate.require[0].of: found a share above 1; for a number of cases give of = 'count'",
            id="a count that is called a share",
        ),
        pytest.param(
            '[[gate.require]]\nlabel = "unknown"\nat_most = 3\nof = "count"\nuse = "bound"',
            "gate.require[0].use: found 'bound' for a count",
            id="interval of a count",
        ),
        pytest.param(
            '[[gate.no_regression]]\nboundary = "retreival"',
            "gate.no_regression[0].boundary: found 'retreival', wanted 'source set', 'retrieval'",
            id="misspelt boundary",
        ),
        pytest.param("[gate]\nno_new_failure = true", "did you mean 'no_new_failures'?", id="misspelt key"),
        pytest.param("[gate]\nfalse_alarm_rate = 0", "gate.false_alarm_rate: found 0", id="no false alarm at all"),
        pytest.param("gate = 3", "gate: found 3 (a number), wanted an object", id="no table"),
    ],
)
def test_a_mistake_is_one_line(tmp_path, toml, message):
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, toml)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("figure", "lower_is_better"),
    [
        pytest.param('measure = "passed"', False, id="measure"),
        pytest.param('measure = "latent"', True, id="latent faults"),
        pytest.param('label = "pass"', False, id="pass"),
        pytest.param('label = "pass.correct_refusal"', False, id="a right refusal"),
        pytest.param('label = "unknown"', True, id="a family of faults"),
        pytest.param('boundary = "citation"', True, id="boundary"),
    ],
)
def test_what_counts_faults_is_better_when_it_is_lower(tmp_path, figure, lower_is_better):
    (rule,) = loaded(tmp_path, f"[[gate.no_regression]]\n{figure}").no_regression
    assert rule.lower_is_better is lower_is_better

"""What a user adds: phrases by language, phrases instead of the constructions, a detector of one's own."""

import sys

import pytest

from otel_ragfault.errors import ConfigError
from otel_ragfault.judging import detect_refusal
from otel_ragfault.judging.refusals.own import load_detector
from otel_ragfault.model import Config, load_config

DETECTOR = """
NUMBER = 3

def refuses(answer):
    return True if "no can do" in answer else None

def fails(answer):
    raise KeyError(answer)

def counts(answer):
    return len(answer)
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder with a module of detectors, as the current one."""
    (tmp_path / "own_detectors.py").write_text(DETECTOR)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "own_detectors", raising=False)
    load_detector.cache_clear()
    yield tmp_path
    load_detector.cache_clear()


def test_an_own_detector_is_asked_first_and_may_leave_an_answer_to_the_rules(own):
    detector = load_detector("own_detectors:refuses")
    assert detect_refusal("no can do", own=detector).reason == "the configured detector"
    assert detect_refusal("I don't know.", own=detector).value is True
    assert detect_refusal("8 hours", own=detector).value is False
    assert detect_refusal("no can do", decision="answer", own=detector).value is False


@pytest.mark.parametrize(
    ("place", "message"),
    [
        pytest.param("no_such_module:refuses", "cannot be imported (ModuleNotFoundError", id="no module"),
        pytest.param("own_detectors:nothing", "cannot be imported (AttributeError", id="no function"),
        pytest.param("own_detectors:NUMBER", "which is no function", id="a number"),
        pytest.param("own_detectors:fails", "failed on 'x' (KeyError", id="fails"),
        pytest.param("own_detectors:counts", "returned 1 (a number), wanted True, False or None", id="no truth value"),
    ],
)
def test_a_detector_that_does_not_work_is_one_clear_line(own, place, message):
    with pytest.raises(ConfigError) as caught:
        detect_refusal("x", own=load_detector(place))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_phrases_may_be_given_by_language(tmp_path):
    (tmp_path / "ragfault.toml").write_text(
        '[extra_refusal_phrases]\nde = ["passe ich"]\nen = ["/^pass\\\\b/", "no dice"]\n'
    )
    config = load_config(start_dir=tmp_path, env={}).config
    assert config.all_refusal_phrases == ("passe ich", "/^pass\\b/", "no dice")
    assert detect_refusal("Da passe ich.", phrases=config.all_refusal_phrases).value is True
    assert detect_refusal("Passengers wait.", phrases=config.all_refusal_phrases).value is False


def test_phrases_instead_of_the_constructions():
    assert detect_refusal("I don't know.", phrases=["no dice"], built_in=False).value is False
    refusal = detect_refusal("No dice, sorry.", phrases=["no dice"], built_in=False)
    assert (refusal.value, refusal.construction) == (True, "a phrase of the configuration")


@pytest.mark.parametrize("place", ["refuses", "a b:c", "a:", ":b", "a:b.c"])
def test_the_place_of_a_detector_is_checked_when_the_configuration_is_read(place):
    with pytest.raises(ValueError, match="wanted module:function"):
        Config(refusal_detector=place)

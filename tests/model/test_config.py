import pytest

from otel_ragfault.errors import ConfigError
from otel_ragfault.model import load_config


def test_defaults_without_any_source(tmp_path):
    loaded = load_config(start_dir=tmp_path, env={})
    assert loaded.config.k is None
    assert loaded.config.packing == "stop"
    assert set(loaded.sources.values()) == {"default"}


def test_flags_beat_the_environment_which_beats_the_file(tmp_path):
    (tmp_path / "ragfault.toml").write_text('k = 1\npacking = "skip"\nsimilarity_floor = 0.5\n')
    loaded = load_config(
        start_dir=tmp_path,
        env={"RAGFAULT_K": "2", "RAGFAULT_SIMILARITY_FLOOR": "1", "RAGFAULT_STOPWORDS": '["A"]'},
        overrides={"k": 3, "packing": None},
    )
    assert (loaded.config.k, loaded.config.packing, loaded.config.similarity_floor, loaded.config.stopwords) == (
        3,
        "skip",
        1.0,
        ("a",),
    )
    assert [loaded.sources[key] for key in ("k", "packing", "similarity_floor", "stopwords", "default_snapshot")] == [
        "flag",
        "file",
        "env",
        "env",
        "default",
    ]


def test_the_nearest_file_is_found_upwards(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "ragfault.toml").write_text("k = 1")
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'x'")
    assert load_config(start_dir=inner, env={}).config.k == 1
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.ragfault]\nk = 2")
    assert load_config(start_dir=inner, env={}).config.k == 2
    (tmp_path / "a" / "ragfault.toml").write_text("\ufeffk = 3")
    assert load_config(start_dir=inner, env={}).config.k == 3


@pytest.mark.parametrize(
    ("toml", "env", "flags", "message"),
    [
        pytest.param("k = 0", {}, {}, "ragfault.toml: k: found 0 (a number), wanted at least 1", id="too small"),
        pytest.param("k = true", {}, {}, "ragfault.toml: k: found true, wanted a whole number", id="boolean"),
        pytest.param("kk = 1", {}, {}, "ragfault.toml: kk: is not a known key; did you mean 'k'?", id="misspelt"),
        pytest.param("k = ", {}, {}, "ragfault.toml: is not TOML", id="not TOML"),
        pytest.param("similarity_floor = nan", {}, {}, "wanted a finite number", id="not a number"),
        pytest.param('stopwords = "a"', {}, {}, "stopwords: found 'a', wanted a list", id="text for a list"),
        pytest.param('refusal_phrases = ["/(/"]', {}, {}, "wanted a regular expression", id="bad pattern"),
        pytest.param(
            "",
            {"RAGFAULT_K": "two"},
            {},
            "environment RAGFAULT_K: found 'two', wanted a whole number",
            id="environment",
        ),
        pytest.param("", {"RAGFAULT_STOPWORDS": "a, b"}, {}, "wanted a JSON list", id="environment list"),
        pytest.param(
            "", {"RAGFAULT_SIMILARTY_FLOOR": "1"}, {}, "did you mean RAGFAULT_SIMILARITY_FLOOR", id="misspelt variable"
        ),
        pytest.param(
            "",
            {},
            {"packing": "shrink"},
            "flag --packing: found 'shrink', wanted 'stop', 'skip', 'shortest' or",
            id="flag",
        ),
    ],
)
def test_a_bad_value_is_one_line(tmp_path, toml, env, flags, message):
    (tmp_path / "ragfault.toml").write_text(toml)
    with pytest.raises(ConfigError) as caught:
        load_config(start_dir=tmp_path, env=env, overrides=flags)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_empty_and_foreign_variables_are_passed_over(tmp_path):
    loaded = load_config(start_dir=tmp_path, env={"RAGFAULT_K": "", "RAGFAULT_REALDATA": "x", "OTHER": "y"})
    assert set(loaded.sources.values()) == {"default"}


def test_a_named_file_has_to_exist(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "absent.toml", env={})


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        pytest.param("[gate]\npassed = 1", "gate.passed: is not a known key", id="nothing like it in the section"),
        pytest.param("[gate]\ndetct = 0.1", "gate.detct: is not a known key; did you mean 'detect'?", id="misspelt"),
        pytest.param(
            '[[gate.require]]\nmeasure = "passed"\nat_leest = 0.1',
            "gate.require[0].at_leest: is not a known key; did you mean 'at_least'?",
            id="of an entry",
        ),
        pytest.param("[gate]\nk = 1", "gate.k: is a known key, but not at this place", id="of another section"),
    ],
)
def test_an_unknown_key_is_held_against_those_of_its_section(tmp_path, toml, message):
    (tmp_path / "ragfault.toml").write_text(toml)
    with pytest.raises(ConfigError) as caught:
        load_config(start_dir=tmp_path, env={})
    assert str(caught.value).removeprefix(f"{tmp_path}/ragfault.toml: ") == message

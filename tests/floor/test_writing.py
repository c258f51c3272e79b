"""A floor in a configuration file: what people wrote there stays, and what was written is read."""

import pytest

from otel_ragfault.errors import ConfigError
from otel_ragfault.jobs.calibrating import floor_toml, write_floor
from otel_ragfault.model import load_config
from otel_ragfault.model.floor import FloorProvenance

FOUND = FloorProvenance(
    floor=0.62,
    interval=(0.58, 0.66),
    operating_point="youden",
    false_rejection=0.05,
    false_acceptance=0.1,
    auc=0.95,
    auc_interval=(0.91, 1.0),
    confidence=0.95,
    database="rag.duckdb",
    runs=("monday",),
    cases=40,
    unanswerable=5,
    requests=45,
    calibrated_at="2026-11-01T10:00:00Z",
    version="0.1.0",
)


def loaded(path):
    return load_config(path, env={}).config


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("ragfault.toml", None),
        ("ragfault.toml", ""),
        ("ragfault.toml", "# ours\nk = 3  # of the reranker\n"),
        ("ragfault.toml", "k = 3\n\n[judging] # people first\nkappa_floor = 0.4\n"),
        ("ragfault.toml", "similarity_floor = 0.3  # a guess\nk = 3\n"),
        ("ragfault.toml", "[judging]\nkappa_floor = 0.4"),
        ("ragfault.toml", "k = 3\r\n# windows\r\n"),
        ("pyproject.toml", '[project]\nname = "x" # ours\n'),
        (
            "pyproject.toml",
            "[tool.ragfault]\nk = 3 # ours\n\n[tool.ragfault.judging]\nkappa_floor = 0.4\n[tool.ruff]\n",
        ),
        ("pyproject.toml", "[tool]\nruff = {line-length = 100}\n"),
    ],
    ids=["none", "empty", "comments", "table", "floor", "table only", "crlf", "project", "project table", "tool"],
)
def test_what_was_there_stays_and_the_floor_is_read(tmp_path, name, before):
    path = tmp_path / name
    if before is not None:
        path.write_bytes(before.encode())
    for _ in range(2):  # written again, it is not there twice
        write_floor(FOUND, path)
        after = path.read_bytes().decode()
        config = loaded(path)
        assert (config.similarity_floor, config.similarity_floor_provenance) == (0.62, FOUND)
        kept = [line.split("similarity_floor")[0] for line in (before or "").splitlines(keepends=True)]
        assert all(line in after for line in kept)
        assert after.count("similarity_floor =") == 1
        assert [path.name for path in tmp_path.iterdir()] == [name]
    if before is not None and "kappa_floor" in before:
        assert config.judging.kappa_floor == 0.4


def test_a_second_calibration_takes_the_place_of_the_first(tmp_path):
    path = tmp_path / "ragfault.toml"
    write_floor(FOUND, path)
    write_floor(FOUND.model_copy(update={"floor": 0.7, "group": "service shop", "runs": ()}), path)
    config = loaded(path)
    assert (config.similarity_floor, config.similarity_floor_provenance.group) == (0.7, "service shop")
    assert config.similarity_floor_provenance.runs == ()


def test_what_would_be_written_is_what_is_written(tmp_path):
    write_floor(FOUND, tmp_path / "ragfault.toml")
    assert (tmp_path / "ragfault.toml").read_text() == floor_toml(FOUND)


@pytest.mark.parametrize(
    ("content", "why"), [(b"k = = 3\n", "is not TOML"), (b"\xff\xfe", "is not TOML")], ids=["broken", "no UTF-8"]
)
def test_a_file_that_is_no_toml_stays_as_it_is(tmp_path, content, why):
    path = tmp_path / "ragfault.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=why):
        write_floor(FOUND, path)
    assert path.read_bytes() == content


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(ConfigError, match="cannot be written"):
        write_floor(FOUND, tmp_path / "no_such_folder" / "ragfault.toml")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "ours.toml").write_text("k = 3\n")
    (tmp_path / "ragfault.toml").symlink_to(tmp_path / "shared" / "ours.toml")
    write_floor(FOUND, tmp_path / "ragfault.toml")
    assert (tmp_path / "ragfault.toml").is_symlink()
    assert loaded(tmp_path / "shared" / "ours.toml").similarity_floor == 0.62


def test_a_provenance_from_the_environment_is_json(tmp_path):
    config = load_config(
        start_dir=tmp_path, env={"RAGFAULT_SIMILARITY_FLOOR_PROVENANCE": FOUND.model_dump_json()}
    ).config
    assert config.similarity_floor_provenance == FOUND

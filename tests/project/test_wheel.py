"""The wheel is complete: installed into a clean environment it does what the checkout does."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import otel_ragfault
from paths import REPOSITORY

# Built and installed once for all tests of this file; the installation fetches the dependencies.
pytestmark = [pytest.mark.wheel, pytest.mark.timeout(900)]

SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def run(*command, cwd):
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "RAGFAULT_", "OTEL_", "COV"))
    }
    result = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, f"{command}: {result.stdout[-2000:]}{result.stderr[-2000:]}"
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, REPOSITORY, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def clean_environment(wheel, tmp_path_factory):
    """The folder of scripts of a new environment that holds the wheel and its dependencies, and nothing else."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder / "venv", with_pip=True)
    scripts = folder / "venv" / SCRIPTS
    pins = REPOSITORY / "constraints.txt"
    run(scripts / "python", "-m", "pip", "install", "--quiet", "--constraint", pins, wheel, cwd=folder)
    return scripts


@pytest.fixture(scope="module")
def packed(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("folder", ["queries", "examples/travel_policy"])
def test_the_wheel_carries_what_the_checkout_keeps_beside_the_package(packed, folder):
    expected = {
        f"otel_ragfault/_bundled/{path.relative_to(REPOSITORY).as_posix()}": path.read_bytes()
        for path in (REPOSITORY / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert any(name.endswith((".sql", "pipeline.py")) for name in expected)
    assert {
        name: text for name, text in packed.items() if name.startswith(f"otel_ragfault/_bundled/{folder}/")
    } == expected


def test_the_wheel_registers_the_command_and_the_plugin_for_pytest(packed):
    (told,) = [text.decode() for name, text in packed.items() if name.endswith(".dist-info/entry_points.txt")]
    assert "[console_scripts]\nragfault = otel_ragfault.cli:main" in told
    assert "[pytest11]\nragfault = otel_ragfault.pytest_plugin" in told


def test_the_wheel_holds_the_package_its_types_and_its_licence_and_no_more(packed):
    modules = {path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / "otel_ragfault").rglob("*.py")}
    assert modules | {"otel_ragfault/py.typed"} <= set(packed)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in packed)
    roots = {name.split("/", 1)[0] for name in packed}
    assert roots == {"otel_ragfault", f"otel_ragfault-{otel_ragfault.__version__}.dist-info"}
    assert not [name for name in packed if name.endswith((".pyc", ".duckdb"))]


def test_the_installed_command_tells_its_version(clean_environment, tmp_path):
    said = run(clean_environment / "ragfault", "--version", cwd=tmp_path)
    assert otel_ragfault.__version__ in said


def test_the_installed_package_imports_from_its_environment_alone(clean_environment, tmp_path):
    where = run(clean_environment / "python", "-c", "import otel_ragfault; print(otel_ragfault.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(clean_environment.parent)


def demo(scripts, folder):
    folder.mkdir()
    figures = json.loads(run(scripts / "ragfault", "demo", "--json", "--dir", "out", cwd=folder))
    return {name: value for name, value in figures.items() if not name.endswith("db")}


def test_the_demo_of_the_wheel_finds_what_that_of_the_checkout_finds(clean_environment, tmp_path):
    installed = demo(clean_environment, tmp_path / "elsewhere")
    assert len(installed["labels"]) == installed["cases"] == 8
    assert installed == demo(Path(sys.executable).parent, tmp_path / "here")

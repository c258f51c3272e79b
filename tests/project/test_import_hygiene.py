"""What importing costs, and that the floors hold; proven in fresh interpreters."""

import subprocess
import sys
from pathlib import Path

import pytest

import otel_ragfault

PACKAGE = Path(otel_ragfault.__file__).parent
HEAVY = ("duckdb", "pyarrow", "pydantic", "click", "rich", "grpc", "google.protobuf", "requests", "numpy", "rank_bm25")
CAPTURE = ("otel_ragfault", "otel_ragfault.capture", "otel_ragfault.semconv")
MODULES = sorted(
    ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if "_bundled" not in path.parts
)
PARTS = [name for name in MODULES if name.count(".") <= 1]


def python(code, cwd):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=cwd, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("module", CAPTURE)
def test_importing_capture_loads_nothing_heavy(module, tmp_path):
    result = python(f"import sys, {module}; print(*sorted(set({HEAVY!r}) & set(sys.modules)))", tmp_path)
    assert (result.stdout.strip(), result.stderr) == ("", "")


@pytest.mark.parametrize("module", PARTS)
def test_each_part_imports_alone_and_prints_nothing(module, tmp_path):
    result = python(f"import {module}", tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_importing_leaves_tracing_and_environment_alone(tmp_path):
    code = (
        "import os; before = dict(os.environ); import otel_ragfault; from opentelemetry import trace; "
        "assert dict(os.environ) == before; print(type(trace.get_tracer_provider()).__name__)"
    )
    assert python(code, tmp_path).stdout.strip() == "ProxyTracerProvider"


def test_the_import_floors_hold():
    command = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run([command, "--no-cache"], cwd=PACKAGE.parent, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr

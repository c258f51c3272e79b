"""The plugin is loaded in every project of an environment: it costs nothing there and breaks nothing."""

import subprocess
import sys

HEAVY = ("duckdb", "pyarrow", "pydantic", "numpy", "opentelemetry", "grpc", "rich", "click")


def python(code, cwd):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=cwd, capture_output=True, text=True, check=False
    )


def test_importing_it_loads_pytest_and_nothing_else_of_weight(tmp_path):
    code = f"import sys, otel_ragfault.pytest_plugin; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    found = python(code, tmp_path)
    assert (found.stdout.strip(), found.stderr) == ("", "")


def test_a_project_that_does_not_use_it_loads_nothing_of_weight_and_sees_nothing_of_it(project):
    (project.path / "pytest.ini").unlink()
    project.test(
        f"""
        import sys, warnings

        def test_plain(tmp_path):
            assert not set({HEAVY!r}) & set(sys.modules)

        def test_fails():
            assert False
        """
    )
    result = project.run_apart("-p", "no:hypothesispytest", "-p", "no:anyio", "--strict-markers", "--strict-config")
    result.assert_outcomes(passed=1, failed=1)
    told = [line for line in result.outlines if not line.startswith("plugins: ")]  # of which it is one, installed
    assert not any("ragfault" in line for line in told)


def test_it_can_be_kept_out(project):
    project.test("def test_rag(ragfault_case): pass")
    result = project.pytester.runpytest_subprocess("-p", "no:ragfault", "-p", "no:otel_ragfault.pytest_plugin")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*fixture 'ragfault_case' not found*"])


def test_its_options_and_its_marker_are_documented(project):
    told = project.run("--help").stdout.str()
    for name in ("--ragfault-update", "--ragfault-db", "ragfault_gold", "ragfault_corpus", "ragfault_baseline"):
        assert name in told
    assert "@pytest.mark.ragfault(gold=" in project.run("--markers").stdout.str()

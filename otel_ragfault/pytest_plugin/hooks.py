"""What pytest calls: options, the marker, a test for each gold case."""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from otel_ragfault.pytest_plugin.settings import Settings

FIXTURE: Final = "ragfault_case"
MARKER: Final = "ragfault"
UPDATE: Final = "--ragfault-update"
DATABASE: Final = "--ragfault-db"
_BASELINE: Final = "ragfault-baseline.json"
_MARKER_HELP: Final = (
    "ragfault(gold=…, corpus=…, snapshot=…, k=…, config=…, cases=…, tags=…): the gold cases of a test that uses "
    "ragfault_case, and what they are held against; paths are relative to the file of the test."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the command line and of the ini file."""
    group = parser.getgroup("ragfault", "which stage of a RAG pipeline lost the answer")
    group.addoption(UPDATE, action="store_true", help="record the labels of this run as the new baseline")
    group.addoption(DATABASE, metavar="DB", help="keep the spans of the cases in this database, for the other commands")
    parser.addini("ragfault_gold", "gold files of tests that use ragfault_case", type="paths")
    parser.addini("ragfault_corpus", "the corpus file that was indexed, if the pipeline has one", type="paths")
    parser.addini("ragfault_snapshot", "the snapshot id of that corpus; what the pipeline says by default")
    parser.addini("ragfault_k", "how many ranked chunks are passed on, where the pipeline does not say so")
    parser.addini("ragfault_config", "the configuration file, instead of the nearest ragfault.toml", type="paths")
    parser.addini("ragfault_baseline", "expected labels, written by --ragfault-update", type="paths")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and what collects the labels of a run."""
    config.addinivalue_line("markers", _MARKER_HELP)
    if not hasattr(config, "workerinput"):  # a worker of xdist reports to the process that does this
        config.pluginmanager.register(_summary(config), "ragfault-summary")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuse a baseline that is none, before any test runs."""
    path = baseline_file(session.config)
    if hasattr(session.config, "workerinput") or not path.exists():
        return
    from otel_ragfault.errors import RagfaultError
    from otel_ragfault.pytest_plugin.baseline import read_baseline

    try:
        read_baseline(path)
    except RagfaultError as error:
        raise pytest.UsageError(f"ragfault: {error}") from None


def baseline_file(config: pytest.Config) -> Path:
    """Return the file of expected labels: that of the ini file, else one beside it."""
    named = tuple(config.getini("ragfault_baseline") or ())
    return Path(named[0]) if named else config.rootpath / _BASELINE


def _summary(config: pytest.Config) -> object:
    from otel_ragfault.pytest_plugin.summary import Summary

    return Summary(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each gold case."""
    if FIXTURE not in metafunc.fixturenames:
        return
    from otel_ragfault.errors import RagfaultError
    from otel_ragfault.pytest_plugin.settings import chosen_cases, settings_of

    try:
        settings: Settings = settings_of(metafunc.definition)
        cases = chosen_cases(settings)
    except RagfaultError as error:
        raise pytest.Collector.CollectError(f"{metafunc.definition.nodeid}: {error}") from None
    parameters = [(settings, case) for case in cases]
    metafunc.parametrize(FIXTURE, parameters, ids=[case.case_id for case in cases], indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where the pipeline raised, put the label before the traceback and into the summary."""
    report = yield
    raised = call.excinfo is not None and not call.excinfo.errisinstance(pytest.fail.Exception)
    if FIXTURE in getattr(item, "fixturenames", ()) and report.when == "call" and report.failed and raised:
        from otel_ragfault.pytest_plugin.summary import put_label_first

        put_label_first(report)
    return report


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let ``-m ragfault`` find every test that uses gold cases."""
    if FIXTURE in getattr(item, "fixturenames", ()) and item.get_closest_marker(MARKER) is None:
        item.add_marker(MARKER)

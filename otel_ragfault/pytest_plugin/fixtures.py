"""The fixtures: a gold case, the spans of a test, a database. Each loads what it needs when a test asks for it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import pytest

from otel_ragfault.pytest_plugin.hooks import DATABASE, UPDATE, baseline_file

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.pytest_plugin.baseline import Expected
    from otel_ragfault.pytest_plugin.bench import Bench, Labelled
    from otel_ragfault.pytest_plugin.capturing import Captured
    from otel_ragfault.pytest_plugin.case import RagfaultCase
    from otel_ragfault.pytest_plugin.settings import Settings
    from otel_ragfault.pytest_plugin.verdict import Judge, Judged

_BENCHES: Final = pytest.StashKey["dict[Settings, Bench]"]()
_BASELINE: Final = pytest.StashKey["dict[str, Expected]"]()


@pytest.fixture
def ragfault_providers() -> Sequence[Any]:
    """Tracer providers of the pipeline beside the global one: none; override this fixture to name some."""
    return ()


@pytest.fixture
def ragfault_spans(ragfault_providers: Sequence[Any], pytestconfig: pytest.Config) -> Iterator["Captured"]:
    """The spans that end during the test, of our decorators, of the global provider and of ``ragfault_providers``."""
    from otel_ragfault.pytest_plugin.capturing import capturing

    with capturing(ragfault_providers) as captured:
        yield captured
    path = pytestconfig.getoption(DATABASE)
    if path is not None and captured.spans:
        from otel_ragfault.pytest_plugin.keeping import keep

        keep(path, captured.spans)


@pytest.fixture
def ragfault_store() -> Iterator["DuckDBPyConnection"]:
    """An empty database of ours in memory, with its schema."""
    from otel_ragfault.store import connect

    con = connect(":memory:", create=True)
    yield con
    con.close()


@pytest.fixture
def ragfault_case(request: pytest.FixtureRequest, ragfault_spans: "Captured") -> "RagfaultCase":
    """One gold case: ``ragfault_case.check(pipeline)`` runs the pipeline on it and fails unless it is a pass."""
    from otel_ragfault.pytest_plugin.case import RagfaultCase

    settings, gold = request.param
    return RagfaultCase(gold, ragfault_spans, _bench(request, settings), _judge(request))


def _bench(request: pytest.FixtureRequest, settings: "Settings") -> "Bench":
    """Return the database in which cases of these settings are labelled, made once in a process."""
    from otel_ragfault.errors import RagfaultError
    from otel_ragfault.pytest_plugin.bench import Bench

    benches = request.config.stash.setdefault(_BENCHES, {})
    if settings not in benches:
        try:
            benches[settings] = Bench(settings)
        except RagfaultError as error:
            raise pytest.fail.Exception(f"ragfault: {error}", pytrace=False) from None  # once, and not as a chain
        request.config.add_cleanup(benches[settings].close)
    return benches[settings]


def _judge(request: pytest.FixtureRequest) -> "Judge":
    from otel_ragfault.pytest_plugin.summary import remember
    from otel_ragfault.pytest_plugin.verdict import judged

    node, config = request.node, request.config
    expected = _baseline(config).get(node.nodeid)

    def judge(found: "Labelled", error: str | None) -> "Judged":
        verdict = judged(found, expected, error, recording=config.getoption(UPDATE))
        remember(node, found, verdict)
        return verdict

    return judge


def _baseline(config: pytest.Config) -> "dict[str, Expected]":
    """Return the baseline as it is when the first test of a process asks for it."""
    from otel_ragfault.errors import RagfaultError
    from otel_ragfault.pytest_plugin.baseline import read_baseline

    if _BASELINE not in config.stash:
        try:
            config.stash[_BASELINE] = read_baseline(baseline_file(config))
        except RagfaultError as error:
            raise pytest.fail.Exception(f"ragfault: {error}", pytrace=False) from None
    return config.stash[_BASELINE]

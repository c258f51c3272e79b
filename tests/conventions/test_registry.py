"""Which convention is asked, in which order, and those of other packages."""

from importlib.metadata import EntryPoint

import pytest

from conventions.shapes import OPENINFERENCE, OPENLLMETRY, span
from otel_ragfault.conventions import registry
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.errors import ConfigError

THEIRS = registry.Convention(
    "theirs", lambda view: view.scope_name == "theirs", lambda view: StageRecord(kind="rerank")
)


@pytest.fixture
def others(monkeypatch):
    """A function that makes entry points the only ones there are."""

    def install(**points):
        found = [EntryPoint(name, value, registry.ENTRY_POINTS) for name, value in points.items()]
        monkeypatch.setattr(registry, "entry_points", lambda group: found if group == registry.ENTRY_POINTS else [])
        registry.conventions.cache_clear()

    yield install
    registry.conventions.cache_clear()


@pytest.mark.parametrize(
    ("scope", "attributes", "convention"),
    [
        ("otel_ragfault", {"ragfault.stage": "request"}, "ragfault"),
        ("anything", {"ragfault.stage": "request", "openinference.span.kind": "CHAIN"}, "ragfault"),
        (OPENINFERENCE + "langchain", {"gen_ai.operation.name": "chat"}, "openinference"),
        ("app", {"openinference.span.kind": "CHAIN"}, "openinference"),
        (OPENLLMETRY + "langchain", {"gen_ai.operation.name": "chat"}, "traceloop"),
        (OPENLLMETRY + "genai.langchain", {}, "otel_genai"),
        ("app", {"gen_ai.operation.name": "chat"}, "otel_genai"),
        ("app", {"case.id": "c"}, "plain"),
        ("app", {"http.route": "/"}, None),
    ],
)
def test_the_convention_is_told_by_scope_then_by_attributes(scope, attributes, convention):
    assert registry.read_span(span(scope, attributes))[0] == convention


def test_a_span_of_none_tells_nothing():
    assert registry.read_span(span("app", {"http.route": "/"})) == (None, None)


def test_names_are_unique_and_the_order_is_from_special_to_general():
    names = [convention.name for convention in registry.conventions()]
    assert len(set(names)) == len(names)
    assert names[0] == "ragfault"
    assert names[-4:] == ["openinference", "traceloop", "otel_genai", "plain"]


def test_those_of_other_packages_are_asked_first(others):
    others(theirs="conventions.test_registry:THEIRS")
    assert registry.conventions()[0].name == "theirs"
    view = span("theirs", {"ragfault.stage": "request"})
    assert registry.read_span(view) == ("theirs", StageRecord(kind="rerank"))


@pytest.mark.parametrize(
    ("value", "said"),
    [("no_such_package:X", "cannot be loaded"), ("conventions.shapes:span", "is a function, not a Convention")],
)
def test_one_that_is_none_is_an_error_that_names_it(others, value, said):
    others(broken=value)
    with pytest.raises(ConfigError, match=f"broken = {value}.*{said}"):
        registry.conventions()

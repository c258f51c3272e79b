import pytest

from conventions.recorded import lines
from jobs.spans import store
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.jobs.doctor import examine
from otel_ragfault.landing.decoding.json import decode_json
from otel_ragfault.model import Config


@pytest.fixture
def con(memory_factory):
    return memory_factory()


@pytest.fixture
def diagnose(con):
    """Store rows of spans, build their requests, examine them."""

    def call(*rows, **settings):
        if rows:
            store(con, *rows)
        build_requests(con)
        return examine(con, Config(**settings))

    return call


@pytest.fixture
def recording(diagnose):
    """Examine a recording."""
    return lambda *names: diagnose(*(row for name in names for line in lines(name) for row in decode_json(line).rows))

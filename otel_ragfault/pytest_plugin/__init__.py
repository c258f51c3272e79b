"""The pytest plugin: every gold case is a test, and a failing one says which stage lost the answer.

pytest loads this in every project of an environment, so that importing it costs nothing: what a test needs is loaded by
the fixtures.

PYTEST_DONT_REWRITE: this word keeps pytest from warning of a package that it finds imported already.
"""

from otel_ragfault.pytest_plugin.fixtures import ragfault_case, ragfault_providers, ragfault_spans, ragfault_store
from otel_ragfault.pytest_plugin.hooks import (
    pytest_addoption,
    pytest_configure,
    pytest_generate_tests,
    pytest_itemcollected,
    pytest_runtest_makereport,
    pytest_sessionstart,
)

__all__ = [
    "pytest_addoption",
    "pytest_configure",
    "pytest_generate_tests",
    "pytest_itemcollected",
    "pytest_runtest_makereport",
    "pytest_sessionstart",
    "ragfault_case",
    "ragfault_providers",
    "ragfault_spans",
    "ragfault_store",
]

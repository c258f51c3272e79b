import pytest


@pytest.fixture
def con(memory_factory):
    return memory_factory()

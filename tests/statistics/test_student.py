"""Quantiles of Student's t distribution are those of scipy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from otel_ragfault.statistics.student import t_quantile


@given(st.floats(0.5, 0.999), st.integers(1, 5_000))
def test_quantiles_are_those_of_scipy(share, degrees):
    assert t_quantile(share, degrees) == pytest.approx(stats.t.ppf(share, degrees), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("degrees", "wanted"), [(1, 12.706), (2, 4.303), (19, 2.093), (100, 1.984), (101, 1.984)])
def test_the_usual_table(degrees, wanted):
    assert t_quantile(0.975, degrees) == pytest.approx(wanted, abs=5e-4)

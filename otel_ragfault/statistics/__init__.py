"""Statistics over cases: intervals of means. Numbers in, numbers out; no database, and nothing beyond numpy."""

from otel_ragfault.statistics.bootstrap import Mean, Resampling, means

__all__ = ["Mean", "Resampling", "means"]

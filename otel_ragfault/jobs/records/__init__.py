"""From the spans of some traces to the records of their requests."""

from otel_ragfault.jobs.records.assemble import assemble
from otel_ragfault.jobs.records.before import Before, take_in_joined

__all__ = ["Before", "assemble", "take_in_joined"]

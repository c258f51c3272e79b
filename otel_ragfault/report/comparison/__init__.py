"""A comparison of two runs as people read it: sections of tables, and the same as Markdown."""

from otel_ragfault.report.comparison.cells import plain
from otel_ragfault.report.comparison.markdown import as_markdown
from otel_ragfault.report.comparison.sections import Section, sections

__all__ = ["Section", "as_markdown", "plain", "sections"]

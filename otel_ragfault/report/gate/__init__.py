"""A gate as people and CI systems read it: Markdown, JUnit XML, SARIF, plain JSON."""

from otel_ragfault.report.gate.extras import Extras, Place, ProbeRow
from otel_ragfault.report.gate.gather import gather_extras
from otel_ragfault.report.gate.junit import gate_junit
from otel_ragfault.report.gate.markdown import gate_markdown
from otel_ragfault.report.gate.plain import gate_json
from otel_ragfault.report.gate.sarif import gate_sarif

__all__ = ["Extras", "Place", "ProbeRow", "gate_json", "gate_junit", "gate_markdown", "gate_sarif", "gather_extras"]

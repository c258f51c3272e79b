"""The ordered fault tree: rules as data, the fields whose absence stops the walk, and the advice for each label.

This floor knows neither the database nor OpenTelemetry; :mod:`otel_ragfault.sql` turns the rules into a statement.
"""

from otel_ragfault.faults.advice import Advice, advice_for, advice_rows
from otel_ragfault.faults.fields import FIELDS
from otel_ragfault.faults.rules import PASS, RULES, Rule, is_pass
from otel_ragfault.faults.stops import Stop, stops

__all__ = ["FIELDS", "PASS", "RULES", "Advice", "Rule", "Stop", "advice_for", "advice_rows", "is_pass", "stops"]

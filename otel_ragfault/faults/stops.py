"""Every way in which the walk can end, numbered so that the earliest over several groups is the minimum.

At the same rule a group that is TRUE wins over one that is NULL: one failing group is enough for the label.
"""

from dataclasses import dataclass
from functools import cache

from otel_ragfault.faults.rules import RULES, Rule

_STRIDE = 16
"""Stops a rule can have: TRUE and one for each field it needs."""


@dataclass(frozen=True, slots=True)
class Stop:
    """An end of the walk: its ``number``, the ``rule`` where it ended, the ``missing`` field or ``None``."""

    number: int
    rule: Rule
    missing: str | None

    @property
    def label(self) -> str:
        """The label that a request gets here."""
        return self.rule.key if self.missing is None else f"unknown.{self.missing}"

    @property
    def boundary(self) -> str | None:
        """The boundary where evidence was lost; ``None`` where that is not known or nothing was lost."""
        return self.rule.boundary if self.missing is None else None


@cache
def stops(rules: tuple[Rule, ...] = RULES) -> tuple[Stop, ...]:
    """Return every stop of ``rules`` in ascending order of its number."""
    found = []
    for position, rule in enumerate(rules):
        first = position * _STRIDE
        found.append(Stop(first, rule, None))
        found.extend(Stop(first + offset, rule, field) for offset, field in enumerate(rule.needs, start=1))
    return tuple(found)

"""The signals that are received."""

from enum import Enum


class Signal(Enum):
    """What a request carries, by the last part of its path."""

    TRACES = "traces"
    LOGS = "logs"

    @property
    def items(self) -> str:
        """What one of them is called, in the plural."""
        return "spans" if self is Signal.TRACES else "log records"

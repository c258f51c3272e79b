"""How intervals are made: with what seed, from how many replicates, with what confidence, and by what method."""

from dataclasses import dataclass
from typing import Literal

Method = Literal["best", "bca", "percentile"]
"""How an interval of a mean change is taken from its replicates; :mod:`otel_ragfault.statistics.paired` says how."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """With what seed, from how many replicates, with what confidence (0.95 is 95 %), by what method."""

    seed: int = 1
    replicates: int = 1_000
    confidence: float = 0.95
    method: Method = "best"

    @property
    def tail(self) -> float:
        """The probability on either side of an interval."""
        return (1 - self.confidence) / 2

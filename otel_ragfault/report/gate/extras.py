"""What a report of a gate shows beside the result: cards, places of gold, probes."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Place:
    """Where the gold of a case is written: a file, and its line from 1."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """The probes of a case with one generator: each with its passes of its runs, and what follows from them."""

    case_id: str
    results: str
    readings: str = ""


@dataclass(frozen=True, slots=True)
class Extras:
    """What is shown beside the result; each may be empty. ``cards`` and ``places`` are by case id."""

    cards: dict[str, str] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    probes: list[ProbeRow] = field(default_factory=list)

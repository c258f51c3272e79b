"""What the quotes of a case became in a snapshot, and what the case requires there in ids."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from otel_ragfault.gold.conjunction import required_groups
from otel_ragfault.gold.finding import Found, shown
from otel_ragfault.model import GoldCase, Problem, Quote
from otel_ragfault.model.evidence import Groups, members


@dataclass(frozen=True, slots=True)
class Placed:
    """A case and where it is written."""

    case: GoldCase
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A quote of a case, by its place in gold: ``claim_id`` is ``None`` for evidence of the case itself."""

    placed: Placed
    claim_id: str | None
    group_no: int
    member_no: int
    quote: Quote

    @property
    def field(self) -> str:
        """The place as a message names it."""
        field = f"evidence[{self.group_no - 1}][{self.member_no - 1}].quote"
        if self.claim_id is None:
            return field
        number = [claim.id for claim in self.placed.case.claims].index(self.claim_id)
        return f"claims[{number}].{field}"


@dataclass(frozen=True, slots=True)
class Resolved:
    """What became of a quote in a snapshot."""

    snapshot_id: str
    asked: Asked
    found: Found

    @property
    def problem(self) -> Problem | None:
        """What a person has to mend in the gold file, if anything."""
        if self.found.state != "ambiguous":
            return None
        reason = (
            f"is in several documents of snapshot {self.snapshot_id!r}, in chunks {shown(self.found.chunks)}; "
            "name the doc_id that it is from"
        )
        return Problem(self.asked.placed.file, self.asked.placed.line, self.asked.field, reason)


@dataclass(frozen=True, slots=True)
class Member:
    """An alternative of a required group, in ids of a snapshot; ``chunk_id`` is ``None`` where nothing satisfies it."""

    case_id: str
    group_no: int
    member_no: int
    chunk_id: str | None
    quote: str | None
    gold_group_no: int
    split: bool
    evidence_known: bool


def asked_quotes(placed: Placed) -> Iterator[Asked]:
    """Yield the quotes of a case, then those of its claims."""
    case = placed.case
    evidence: list[tuple[str | None, Groups]] = [(None, case.evidence)]
    evidence += [(claim.id, claim.evidence) for claim in case.claims]
    for claim_id, groups in evidence:
        for group_no, member_no, member in members(groups):
            if isinstance(member, Quote):
                yield Asked(placed, claim_id, group_no, member_no, member)


def required_members(case: GoldCase, found: dict[tuple[int, int], Found]) -> Iterator[Member]:
    """Yield what a case requires in ids of a snapshot.

    Args:
        case: the case.
        found: what became of its quotes, by group and member number.
    """
    added = len(case.evidence)
    for group_no, group in enumerate(case.evidence, start=1):
        quotes = {m: found[group_no, m] for m, member in enumerate(group, start=1) if isinstance(member, Quote)}
        ids = {member for member in group if isinstance(member, str)}
        named = {
            chunk: member.quote
            for number, member in enumerate(group, start=1)
            if isinstance(member, Quote)
            for way in quotes[number].ways
            for chunk in way
            if chunk not in ids
        }
        ways = _ways(group, quotes.values())
        known = all(one.state not in {"ambiguous", "no_text"} for one in quotes.values())
        clauses = required_groups(ways) or [()]
        for place, clause in enumerate(clauses):
            added += place > 0
            number = added if place else group_no
            for member_no, chunk in enumerate(clause or (None,), start=1):
                quote = None if chunk is None else named.get(chunk)
                yield Member(case.case_id, number, member_no, chunk, quote, group_no, len(clauses) > 1, known)


def _ways(group: Iterable[object], quotes: Iterable[Found]) -> list[frozenset[str]]:
    ways = [frozenset((member,)) for member in group if isinstance(member, str)]
    for found in quotes:
        ways += found.ways
    return ways

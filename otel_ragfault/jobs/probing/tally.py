"""What probes of a request came to, as readings use it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tally:
    """What the repeats of one change came to: a row of the view ``probe_result``.

    Attributes:
        intervention: what was changed.
        step: which of several changes of this kind.
        chunk_ids: what the generator got.
        runs: how often it was run.
        passes: runs that did as gold expects.
        fails: runs that did not.
        unjudged: answers of which neither is known.
        failures: runs without an answer.
        refusals: answers that refuse.
        answers: answers that do not.
        grounded: answers that the chunks are known to say.
        ungrounded: answers that the chunks are known not to say.
        with_planted: answers that give the planted value.
        with_replaced: answers that give the value in whose place it was planted.
        with_both: answers that give both.
        planted: the planted value.
        replaced: the value in whose place it was planted.
        answer: the first answer.
        error: why a run gave none.
    """

    intervention: str
    step: str = ""
    chunk_ids: tuple[str, ...] = ()
    runs: int = 1
    passes: int = 0
    fails: int = 0
    unjudged: int = 0
    failures: int = 0
    refusals: int = 0
    answers: int = 0
    grounded: int = 0
    ungrounded: int = 0
    with_planted: int = 0
    with_replaced: int = 0
    with_both: int = 0
    planted: str | None = None
    replaced: str | None = None
    answer: str | None = None
    error: str | None = None

    @property
    def majority(self) -> bool | None:
        """Whether most judged runs pass; ``None`` where as many fail, or none could be judged."""
        return None if self.passes == self.fails else self.passes > self.fails

    @property
    def agreement(self) -> float | None:
        """The share of judged runs that are with the majority."""
        judged = self.passes + self.fails
        return max(self.passes, self.fails) / judged if judged else None

    @property
    def spreads(self) -> bool:
        """Whether runs of the same change ended differently."""
        return bool(self.passes and self.fails)

    @property
    def name(self) -> str:
        """The change, as evidence names it."""
        return f"{self.intervention} {self.step}".strip()

    @property
    def ended(self) -> str:
        """How it ended, in a word, with the counts where there were several runs."""
        if self.failures == self.runs:
            word = "no answer"
        elif self.majority is None:
            word = "undecided" if self.spreads else "not judged"
        else:
            word = "passes" if self.majority else "fails"
        return word if self.runs == 1 else f"{word} ({self.passes} of {self.runs} pass)"


@dataclass(frozen=True, slots=True)
class Probed:
    """The probes of one request with one generator.

    Attributes:
        label: the recorded label of the request.
        expect: what gold expects.
        required_ids: every id that satisfies what gold requires.
        tallies: what the probes came to.
    """

    label: str
    expect: str
    required_ids: frozenset[str]
    tallies: Sequence[Tally]

    def of(self, *interventions: str) -> Iterator[Tally]:
        """Yield the tallies of some interventions, in the order in which they were run."""
        for name in interventions:
            yield from (one for one in self.tallies if one.intervention == name)

    def one(self, intervention: str) -> Tally | None:
        """Return the only tally of an intervention; ``None`` where it was not run."""
        return next(self.of(intervention), None)

    def majority(self, intervention: str) -> bool | None:
        """Return whether most runs of an intervention pass; ``None`` where that is not known."""
        found = self.one(intervention)
        return None if found is None else found.majority

    @property
    def shows_gold_alone(self) -> bool:
        """Whether the original prompt held required passages only, so that gold alone is what it was."""
        found = self.one("original")
        return found is not None and bool(found.chunk_ids) and self.required_ids.issuperset(found.chunk_ids)

    @property
    def without_support(self) -> list[Tally]:
        """What was asked with chunks none of which gold requires: ``no_support``, else an original of that kind."""
        original = self.one("original")
        is_bare = original is not None and self.required_ids.isdisjoint(original.chunk_ids)
        return [*self.of("no_support"), *(self.of("original") if is_bare else ())]

    @property
    def lacks_evidence(self) -> bool:
        """Whether gold requires nothing, so that any prompt is without support."""
        return not self.required_ids


def listed(tallies: "Iterator[Tally] | Sequence[Tally]") -> str:
    """Return tallies as evidence: ``gold_only passes, original fails``."""
    return ", ".join(f"{one.name} {one.ended}" for one in tallies)


def tally_of(row: Mapping[str, object]) -> Tally:
    """Make a tally of a row of the view ``probe_result``."""
    fields = {name: row[name] for name in Tally.__dataclass_fields__}
    chunk_ids = fields.pop("chunk_ids")
    return Tally(**fields, chunk_ids=tuple(chunk_ids or ()))  # type: ignore[arg-type]

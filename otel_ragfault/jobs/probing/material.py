"""What interventions work on, and what they make."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from otel_ragfault.counting import counted
from otel_ragfault.jobs.generators import Chunk
from otel_ragfault.model import AnswerCheck

STEPS: Final = (1, 2, 4, 8)
"""How many distractors are added, where nothing else is asked for."""


class DoesNotApplyError(Exception):
    """An intervention says nothing here; the message says why, in a few words."""


@dataclass(frozen=True, slots=True)
class Material:
    """A request as probes see it.

    Attributes:
        question: what was asked.
        prompt: the recorded prompt, in order; an element is ``None`` where id or text is not known, and all of it is
            where the prompt was not recorded.
        required: what gold requires: groups of alternatives with their texts; those without one are left out.
        named: the ids that gold names, with or without a text, group by group.
        ranking: the ranked chunks whose texts are known, best first.
        expect: what gold expects: answer, refuse or clarify.
        check: what gold says about the text of the answer.
        expected: other texts of gold that a right answer says: its claims.
        seed: what planted values follow from.
        steps: how many distractors are added.
    """

    question: str
    prompt: tuple[Chunk | None, ...] | None
    required: tuple[tuple[Chunk, ...], ...] = ()
    named: tuple[tuple[str, ...], ...] = ()
    ranking: tuple[Chunk, ...] = ()
    expect: str = "answer"
    check: AnswerCheck = AnswerCheck()  # noqa: RUF009 - it is frozen
    expected: tuple[str, ...] = ()
    seed: int = 1
    steps: tuple[int, ...] = STEPS

    @property
    def shown(self) -> tuple[Chunk, ...]:
        """The recorded prompt with every text.

        Raises:
            DoesNotApplyError: it is not known.
        """
        if self.prompt is None:
            raise DoesNotApplyError("it is not known which chunks were in the prompt")
        known = tuple(chunk for chunk in self.prompt if chunk is not None)
        if len(known) < len(self.prompt):
            missing = counted(len(self.prompt) - len(known), "chunk")
            raise DoesNotApplyError(f"the text of {missing} of the prompt is not known; load the corpus")
        return known

    @property
    def passages(self) -> tuple[Chunk, ...]:
        """One passage for each required group: one that was shown where there is one, else the first; none twice.

        Raises:
            DoesNotApplyError: gold requires none, or a text is not known.
        """
        if not self.named:
            raise DoesNotApplyError("gold requires no evidence")
        for ids, group in zip(self.named, self.required, strict=True):
            if not group:
                raise DoesNotApplyError(f"the text of the required passage {' or '.join(ids) or '(none)'} is not known")
        in_prompt = {chunk.id for chunk in self.prompt or () if chunk is not None}
        chosen = [next((one for one in group if one.id in in_prompt), group[0]) for group in self.required]
        return unique(chosen)

    @property
    def shown_passages(self) -> tuple[Chunk, ...]:
        """The required passages, all of which were in the prompt, in the order of the prompt.

        Raises:
            DoesNotApplyError: one was not.
        """
        shown, passages = self.shown, self.passages
        in_prompt = {chunk.id for chunk in shown}
        absent = [passage.id for passage in passages if passage.id not in in_prompt]
        if absent:
            raise DoesNotApplyError(f"{absent[0]} was not in the prompt")
        return tuple(chunk for chunk in unique(shown) if chunk.id in {passage.id for passage in passages})

    @property
    def required_ids(self) -> frozenset[str]:
        """Every id that satisfies a required group."""
        return frozenset(one for ids in self.named for one in ids)

    @property
    def negatives(self) -> tuple[Chunk, ...]:
        """Hard negatives: ranked chunks, best first, that satisfy nothing that gold requires and were not shown.

        Raises:
            DoesNotApplyError: there is none whose text is known.
        """
        shown = {chunk.id for chunk in self.prompt or () if chunk is not None}
        found = tuple(one for one in unique(self.ranking) if one.id not in self.required_ids and one.id not in shown)
        if not found:
            raise DoesNotApplyError("no further ranked chunk with a known text is there")
        return found


@dataclass(frozen=True, slots=True)
class Variant:
    """What a generator is given: chunks in order, and what was changed.

    Attributes:
        chunks: the chunks.
        changed: what was changed against the recorded prompt, in words.
        step: which of several changes of this kind; empty where there is one.
        planted: the value that was planted.
        replaced: the value that it took the place of, or contradicts.
    """

    chunks: tuple[Chunk, ...]
    changed: str
    step: str = ""
    planted: str | None = None
    replaced: str | None = None


def unique(chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
    """Return chunks without those whose id was there before."""
    return tuple({chunk.id: chunk for chunk in reversed(list(chunks))}.values())[::-1]


def ids_of(chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """Return the ids of chunks."""
    return tuple(chunk.id for chunk in chunks)

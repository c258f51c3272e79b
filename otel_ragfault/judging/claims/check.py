"""What can be told of claims without a model: is a claim found, supported, correct, held by what it cites?

Each answer is yes, no, or nothing: what words and values do not decide is left to people and models.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from otel_ragfault.judging.claims.absence import absent_value, differs_wholly, lacks_value
from otel_ragfault.judging.claims.reading import LONGEST, Statement, statement, statements
from otel_ragfault.judging.claims.saying import denies, given_by, names_value, says
from otel_ragfault.judging.claims.words import unmarked
from otel_ragfault.model.compared import compared_text
from otel_ragfault.model.wording import shown

_AROUND: Final = 300
_OUTER: Final = " .,;:!?\"'"
_Told = tuple[bool | None, str]
_NOTHING: Final[_Told] = (None, "")


class Judged(NamedTuple):
    """A verdict: what was judged, of which claim, yes or no, and why."""

    subject: str
    target: str
    claim_id: str | None
    claim: str
    value: bool
    reason: str


class Cut(NamedTuple):
    """A claim of the answer: its id, its text, what it cites, whether it states something, and citations to nowhere."""

    claim_id: str
    text: str
    cited: Sequence[str] = ()
    states: bool = True
    astray: Sequence[str] | None = None


@dataclass(frozen=True)
class Judgeable:
    """What is known of a request that bears on its claims.

    Attributes:
        answer: what was answered.
        question: what was asked.
        refused: whether the answer is a refusal.
        cut: the claims of the answer.
        cited_ids: what the answer as a whole cites; it counts where no claim cites anything itself.
        expected: claims of gold: id and text.
        quotes: passages that gold names as evidence.
        prompt_ids: the chunks that were shown.
        prompt_text: the prompt as it was sent.
        texts: texts of the chunks that were shown or cited, by id, as far as they are known.
    """

    answer: str
    question: str | None = None
    refused: bool = False
    cut: Sequence[Cut] = ()
    cited_ids: Sequence[str] = ()
    expected: Sequence[tuple[str, str]] = ()
    quotes: Sequence[str] = ()
    prompt_ids: Sequence[str | None] = ()
    prompt_text: str | None = None
    texts: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def asked(self) -> Statement | None:
        """The question as a statement."""
        return None if self.question is None or len(self.question) > LONGEST else statement(self.question)

    @cached_property
    def chunks(self) -> dict[str, tuple[Statement, ...]]:
        """The sentences of each chunk that was shown."""
        return {one: statements(self.texts[one]) for one in self.prompt_ids if one is not None and one in self.texts}

    @cached_property
    def prompt(self) -> str:
        """The prompt as texts are compared; empty where all of its chunks are known by their texts."""
        known = bool(self.prompt_ids) and len(self.chunks) == len(set(self.prompt_ids))
        return "" if known or self.prompt_text is None else compared_text(self.prompt_text)

    def around(self, claim: str) -> tuple[Statement, ...]:
        """Return the sentences of the prompt in which a claim stands letter by letter."""
        needle = compared_text(unmarked(claim)).strip(_OUTER)
        at = self.prompt.find(needle) if needle else -1
        return () if at < 0 else statements(self.prompt[max(0, at - _AROUND) : at + len(needle) + _AROUND])


def judge_claims(request: Judgeable) -> list[Judged]:
    """Return every verdict on the claims of a request that can be told."""
    given = given_by(request.asked)
    gold = [part for text in (*(text for _, text in request.expected), *request.quotes) for part in statements(text)]
    judged = list(_found(request, given))
    marked = any(claim.cited or claim.astray for claim in request.cut)
    for claim in request.cut:
        if claim.states and len(claim.text) <= LONGEST:
            judged += _about(claim, claim.cited if marked else request.cited_ids, request, gold, given)
    return judged


def _found(request: Judgeable, given: frozenset[str]) -> Iterator[Judged]:
    """Does the answer make the claims that gold expects?"""
    answer = statements(request.answer)
    for claim_id, text in request.expected:
        missing = [part for part in statements(text) if not any(says(one, part, given) for one in answer)]
        value: bool | None = None
        reason = ""
        if not missing:
            value, reason = (True, "the answer says it") if statements(text) else _NOTHING
        elif request.refused or not request.answer.strip():
            value, reason = False, "the answer says nothing"
        else:
            absent = [one for part in missing if (one := absent_value(part, answer, request.asked)) is not None]
            value, reason = (False, f"the answer does not give {absent[0]}") if absent else _NOTHING
        if value is not None:
            yield Judged("claim_found", claim_id, None, text, value, reason)


def _about(
    claim: Cut, cited: Sequence[str], request: Judgeable, gold: Sequence[Statement], given: frozenset[str]
) -> Iterator[Judged]:
    """Is a claim of the answer supported, correct, and held by what it cites?"""
    said = statement(claim.text)
    supported, reason = _supported(said, claim, request)
    if supported is not None:
        yield Judged("claim_support", claim.claim_id, None, claim.text, supported, reason)
    correct, reason = _agrees(said, gold, given)
    if correct is not None:
        yield Judged("claim_correct", claim.claim_id, None, claim.text, correct, reason)
    for chunk_id in dict.fromkeys(cited):
        if chunk_id in request.texts:
            held, reason = _held(said, statements(request.texts[chunk_id]), supported=supported is True)
            if held is not None:
                yield Judged("citation", chunk_id, claim.claim_id, claim.text, held, reason)


def _supported(said: Statement, claim: Cut, request: Judgeable) -> _Told:
    """Do the shown chunks say a claim? No, where one gives another value and none gives this one."""
    for chunk_id, sentences in request.chunks.items():
        if any(says(sentence, said) for sentence in sentences):
            return True, f"chunk {shown(chunk_id)} says it"
    if any(says(sentence, said) for sentence in request.around(claim.text)):
        return True, "the prompt says it"
    everything = [sentence for sentences in request.chunks.values() for sentence in sentences]
    for chunk_id, sentences in request.chunks.items():
        if _denied(said, sentences, everything):
            return False, f"chunk {shown(chunk_id)} gives another value"
    return _NOTHING


def _agrees(said: Statement, gold: Sequence[Statement], given: frozenset[str]) -> _Told:
    """Does a claim agree with gold?"""
    if any(says(sentence, said, given) for sentence in gold):
        return True, "gold says it"
    return (False, "gold gives another value") if _denied(said, gold, gold) else _NOTHING


def _held(said: Statement, cited: Sequence[Statement], *, supported: bool) -> _Told:
    """Does the cited chunk say a claim?"""
    if any(says(sentence, said) for sentence in cited):
        return True, "the cited chunk says it"
    if _denied(said, cited, cited):
        return False, "the cited chunk gives another value"
    if differs_wholly(said, cited):
        return False, "the cited chunk shares no word and no value with it"
    if supported and lacks_value(said, cited):
        return False, "another chunk says it, and the cited one lacks its value"
    return _NOTHING


def _denied(said: Statement, sentences: Iterable[Statement], everything: Sequence[Statement]) -> bool:
    """Whether a sentence gives other values, and no sentence names all of those that are claimed."""
    return any(denies(sentence, said) for sentence in sentences) and not all(
        names_value(everything, value) for value in said.values
    )

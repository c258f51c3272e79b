"""What a language brings to the reading of answers: how its refusals, digressions and questions are built."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

NEVER: Final = re.compile(r"(?!)")
"""A pattern that matches nothing, for what a language does not have."""


UNKNOWING: Final = "the speaker does not know"
"""The one construction that is no statement about the source, so that no ``no,`` before it answers the question."""


class Construction(NamedTuple):
    """One way to build a refusal.

    Attributes:
        name: what the reason of a verdict calls it.
        firm: whether it refuses the question as a whole, so that an unannounced remark behind it is no answer.
        pattern: searched in a clause; most are anchored at its start.
    """

    name: str
    firm: bool
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """One language; equal only to itself, so that it is a quick key.

    Attributes:
        name: its code.
        words: its commonest words, by which texts are told to be of it; for scripts without blanks, ``script`` tells.
        script: what only texts of this language hold.
        prepare: brings a text in lower case to the form that the patterns are written for.
        cue: what every refusal holds something of; a clause without it is not searched.
        bare: whole answers that refuse.
        lead: what stands before the main point of a sentence (``based on the context,``); removed at its start.
        sourced: a lead that speaks of the source.
        opening: whole clauses that neither answer nor refuse: greetings, wishes, what was searched.
        split: where a sentence falls into clauses; by a group ``turn`` (set against), ``so`` (follows), or ``end``.
        conceding: a sentence that begins with a clause which only concedes.
        condition: clauses that say under what condition something holds; they never refuse.
        refuses: the constructions.
        follows: constructions that count only behind a clause about the source, by which their pronoun is explained.
        of_topic: constructions that count only behind a clause that tells what the source is about, or that refuses.
        of_source: constructions that count only in a sentence that begins with its source.
        against: what sets a sentence against the one before, wherever it stands in it (``the text does, however, …``).
        conclusion: sentences that conclude, or speak of the whole question; refusing, they undo what stands before.
        explains: a reason from the world: ``the list does not name it, because it is free`` knows the answer.
        about: clauses that tell what the source is about instead of answering.
        tells: clauses that say what the source says; behind a refusal they answer something else.
        redirect: clauses that point to somebody else, offer help or ask for another question.
        offer: questions that offer something.
        you: how a question addresses the user.
        request: clauses that ask for a missing detail without a question mark, or in whatever form.
    """

    name: str
    refuses: tuple[Construction, ...]
    cue: re.Pattern[str]
    bare: re.Pattern[str]
    words: frozenset[str] = frozenset()
    script: re.Pattern[str] = NEVER
    prepare: Callable[[str], str] = str
    lead: re.Pattern[str] = NEVER
    sourced: re.Pattern[str] = NEVER
    opening: re.Pattern[str] = NEVER
    split: re.Pattern[str] = NEVER
    conceding: re.Pattern[str] = NEVER
    condition: re.Pattern[str] = NEVER
    follows: tuple[Construction, ...] = ()
    of_topic: tuple[Construction, ...] = ()
    of_source: tuple[Construction, ...] = ()
    against: re.Pattern[str] = NEVER
    conclusion: re.Pattern[str] = NEVER
    explains: re.Pattern[str] = NEVER
    about: re.Pattern[str] = NEVER
    tells: re.Pattern[str] = NEVER
    redirect: re.Pattern[str] = NEVER
    offer: re.Pattern[str] = NEVER
    you: re.Pattern[str] = NEVER
    request: re.Pattern[str] = NEVER


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return one pattern for any of several."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def firm(name: str, *patterns: str) -> Construction:
    """Return a construction that refuses the question as a whole."""
    return Construction(name, firm=True, pattern=any_of(*patterns))


def loose(name: str, *patterns: str) -> Construction:
    """Return a construction that may also refuse a part only."""
    return Construction(name, firm=False, pattern=any_of(*patterns))

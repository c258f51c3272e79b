"""Does a sentence say what a claim says? Told from words, values and their order, or not told at all.

A sentence says a claim that stands in it word by word, or that is made of the same content words and values, close
together and in the same order but for one part that moved. Whatever may turn one against the other (negations,
``only``, ``at least``, ``by``) has to be the same in both. An answer need not repeat what its question asks about.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from otel_ragfault.judging.claims.reading import Statement
from otel_ragfault.judging.claims.values import Value, agreement, contradicts

_FEWEST_IN_A_RUN: Final = 3
_ENOUGH: Final = 2
_COMPARING: Final = frozenset({"or", "than", "and", "versus", "vs", "both", "compared", "compare", "between"})


def given_by(question: Statement | None) -> frozenset[str]:
    """Return the words that an answer need not repeat; none where the question compares several things."""
    if question is None or _COMPARING & set(question.run.split()):
        return frozenset()
    return question.known


def says(sentence: Statement, claim: Statement, given: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence certainly says what a claim says.

    Args:
        sentence: what may say it.
        claim: what is to be said.
        given: words that the sentence may leave out, because the question has them.
    """
    if sentence.turning != claim.turning or not claim.known - given <= sentence.known or not claim.tokens:
        return False
    if sentence.asks or claim.asks:
        return False
    if claim.unspaced or sentence.unspaced:
        return claim.run == sentence.run
    if _word_by_word(sentence, claim):
        return True
    found = _pairs(sentence, claim, given)
    if found is None or not _is_substance(sentence, claim, found, given):
        return False
    places = [place for place, _ in sorted(found, key=lambda pair: pair[1])]
    return _close(sentence, claim, found) and _in_order(places, strictly=_has_several(claim))


def denies(sentence: Statement, claim: Statement) -> bool:
    """Whether a sentence certainly says something else of the same thing: all is equal but values of one kind."""
    if claim.known != sentence.known or sentence.turning != claim.turning or len(claim.known) < _ENOUGH:
        return False
    if sentence.asks or claim.asks or not (sentence.clear and claim.clear):
        return False
    if not claim.values or len(claim.values) != len(sentence.values):
        return False
    places = [sentence.words.index(word) for word in dict.fromkeys(claim.words)]
    pairs = list(zip(claim.values, sentence.values, strict=True))
    differing = [contradicts(mine, theirs) for mine, theirs in pairs]
    agreeing = [agreement(mine, theirs) > 0 for mine, theirs in pairs]
    decided = all(one or other for one, other in zip(agreeing, differing, strict=True))
    return any(differing) and decided and _in_order(places, strictly=_has_several(claim))


def names_value(statements: Iterable[Statement], value: Value) -> bool:
    """Whether any of the statements names a value."""
    return any(agreement(value, said) for statement in statements for said in statement.values)


def _word_by_word(sentence: Statement, claim: Statement) -> bool:
    long_enough = len(claim.tokens) >= _ENOUGH and claim.run.count(" ") > _FEWEST_IN_A_RUN
    return long_enough and claim.run in sentence.run and all(names_value([sentence], value) for value in claim.values)


def _has_several(claim: Statement) -> bool:
    """Whether a claim has several values or names, which could change places."""
    return max(len(claim.values), len(claim.names & claim.known)) >= _ENOUGH


_Pairs = list[tuple[int, int]]


def _pairs(sentence: Statement, claim: Statement, given: frozenset[str]) -> _Pairs | None:
    """Match the tokens of a claim with those of a sentence, as (place there, place here); None if one is missing."""
    pairs: _Pairs = []
    taken: set[int] = set()
    for here, token in enumerate(claim.tokens):
        place = _place(sentence.tokens, token, taken)
        if place is not None:
            taken.add(place)
            pairs.append((place, here))
        elif not isinstance(token, str) or (token not in given and token not in claim.tokens[:here]):
            return None
    return pairs


def _place(tokens: Sequence[str | Value], token: str | Value, taken: set[int]) -> int | None:
    if isinstance(token, str):
        return next((at for at, other in enumerate(tokens) if other == token and at not in taken), None)
    best, place = 0, None
    for at, other in enumerate(tokens):
        if at not in taken and not isinstance(other, str) and (equal := agreement(token, other)) > best:
            best, place = equal, at
    return place


def _is_substance(sentence: Statement, claim: Statement, found: _Pairs, given: frozenset[str]) -> bool:
    """Whether enough of the claim stands in the sentence itself: two things, or all that the sentence says."""
    weight = 0
    for place, here in found:
        mine, theirs = claim.tokens[here], sentence.tokens[place]
        weight += 1 if isinstance(mine, str) or isinstance(theirs, str) else agreement(mine, theirs)
    if weight >= _ENOUGH and 2 * len(found) >= len(claim.tokens):
        return True
    says_nothing_else = sentence.known <= claim.known | given and len(sentence.values) <= len(claim.values)
    return bool(found) and bool(given) and says_nothing_else


def _close(sentence: Statement, claim: Statement, found: _Pairs) -> bool:
    """Whether little else stands between: no other value, no other name, and few other words."""
    places = {place for place, _ in found}
    between = [sentence.tokens[at] for at in range(min(places), max(places)) if at not in places]
    others = [token for token in between if token not in claim.known]
    if any(not isinstance(token, str) or token in sentence.names for token in others):
        return False
    return len(others) <= len(claim.tokens) // 3


def _in_order(places: list[int], *, strictly: bool) -> bool:
    """Whether places ascend; if not strictly, one run of them may have changed places with the run beside it."""
    order = sorted(places)
    if places == order:
        return True
    if strictly:
        return False
    wrong = [at for at, place in enumerate(places) if place != order[at]]
    moved = places[wrong[0] : wrong[-1] + 1]
    turn = moved.index(min(moved))
    return moved[turn:] + moved[:turn] == sorted(moved)

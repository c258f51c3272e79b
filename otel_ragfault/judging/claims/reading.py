"""A statement as it is compared with others: its values, its content words in their order, what turns it."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from otel_ragfault.judging.claims.spelled import with_digits
from otel_ragfault.judging.claims.values import Value, blanked, values_in
from otel_ragfault.judging.claims.words import (
    TURNING,
    is_content,
    is_unspaced,
    one_word_units,
    stem,
    uncontracted,
    unmarked,
    words,
)
from otel_ragfault.judging.verdicts.claims import claims_of
from otel_ragfault.model.compared import compared_text

LONGEST: Final = 2_000
"""Characters beyond which a sentence is no statement: lists and tables that were never cut."""

_ASKING: Final = ("?", "\uff1f", "\u061f")


@dataclass(frozen=True)
class Statement:
    """One sentence.

    Attributes:
        run: all of its words in their order, with a blank before and behind each.
        tokens: its content words and values, in their order.
        values: its values.
        turning: the words that turn or limit it, sorted, each as often as it stands there.
        names: its words that are written as names.
        clear: whether all of its numbers could be read, in one way only.
        asks: whether it is a question.
        unspaced: whether words of it cannot be told apart.
    """

    run: str
    tokens: tuple[str | Value, ...]
    values: tuple[Value, ...]
    turning: tuple[str, ...]
    names: frozenset[str]
    clear: bool
    asks: bool
    unspaced: bool

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its content words in their order."""
        return tuple(token for token in self.tokens if isinstance(token, str))

    @cached_property
    def known(self) -> frozenset[str]:
        """Its content words, each once."""
        return frozenset(self.words)


@lru_cache(maxsize=16_384)
def statement(text: str) -> Statement:
    """Read one sentence."""
    bare = unmarked(text)
    compared = with_digits(one_word_units(uncontracted(compared_text(bare))))
    values, clear = values_in(compared)
    rest = words(blanked(compared, values))
    placed: list[tuple[int, str | Value]] = [
        (match.start(), stem(match[0])) for match in rest if is_content(match[0])
    ] + [(value.first, value) for value in values]
    placed.sort(key=lambda one: one[0])
    return Statement(
        run=f" {' '.join(match[0] for match in words(compared))} ",
        tokens=tuple(token for _, token in placed),
        values=values,
        turning=tuple(sorted(match[0] for match in rest if match[0] in TURNING)),
        names=_names(bare),
        clear=clear and not is_unspaced(compared),
        unspaced=is_unspaced(compared),
        asks=compared.endswith(_ASKING),
    )


@lru_cache(maxsize=8_192)
def statements(text: str) -> tuple[Statement, ...]:
    """Read a text, sentence by sentence; what is too long to be one is left out."""
    return tuple(statement(claim.text) for claim in claims_of(text) if len(claim.text) <= LONGEST)


def _names(text: str) -> frozenset[str]:
    first = True
    names = set()
    for match in words(text):
        word = match[0]
        if word[0].isupper() and (not first or (len(word) > 1 and word.isupper())):
            names.add(stem(word.casefold()))
        first = False
    return frozenset(names)

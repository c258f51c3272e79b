"""The texts of a snapshot, as quotes are looked for in them. What is derived of a chunk is made when asked for."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from otel_ragfault.gold.canonical import SPACELESS, Canonical, plain
from otel_ragfault.gold.words import Words, read_words

TELLING: Final = 12
"""Characters of the canonical form that do not stand at two places by chance."""

_FEW = 64  # chunks that are looked through without asking for rare words first
_RAREST: Final = 8  # words by which chunks are chosen
_SURE: Final = 2  # of them, however frequent they are
_MANY: Final = 3_000  # chunks that are enough
_ROUGH_WORD = re.compile(rf"[{SPACELESS}]|[^\W_{SPACELESS}]+")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of a snapshot; ``text`` is ``None`` where only its id is known, ``doc_id`` where its document is not."""

    chunk_id: str
    doc_id: str | None
    text: str | None


class Library:
    """Chunks of one snapshot, in the order in which they stand in their documents."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self.chunks: Sequence[Chunk] = sorted(chunks, key=lambda chunk: (chunk.doc_id is None, chunk.doc_id or ""))
        self._canonical: dict[int, Canonical] = {}
        self._words: dict[int, Words] = {}
        self._overlaps: dict[tuple[int, int], int] = {}

    def canonical(self, number: int) -> Canonical:
        """Return the canonical form of a chunk."""
        if number not in self._canonical:
            self._canonical[number] = Canonical(self.chunks[number].text or "")
        return self._canonical[number]

    def words(self, number: int) -> Words:
        """Return the words of a chunk."""
        if number not in self._words:
            self._words[number] = read_words(self.chunks[number].text or "")
        return self._words[number]

    def overlap(self, one: int, other: int) -> int:
        """Return how much of the end of a chunk is the beginning of another, in canonical form; 0: next to nothing."""
        if (one, other) not in self._overlaps:
            before, after = self.canonical(one).text, self.canonical(other).text
            self._overlaps[one, other] = _overlap(before, after)
        return self._overlaps[one, other]

    @cached_property
    def occurrences(self) -> Counter[str]:
        """How often each word occurs in the texts."""
        return Counter(word for number in range(len(self.chunks)) for word in self.words(number).words)

    def scope(self, doc_id: str | None) -> Sequence[int]:
        """Return the chunks that may be of a document: its own, and those whose document is not known."""
        if doc_id is None:
            return range(len(self.chunks))
        return self._by_document.get(doc_id, []) + self._by_document.get(None, [])

    def candidates(self, quote: str, doc_id: str | None) -> Iterator[int]:
        """Yield the chunks of the scope that may hold a part of the quote."""
        scope = self.scope(doc_id)
        if len(scope) <= _FEW:
            yield from (number for number in scope if self.chunks[number].text)
            return
        found = {word: self._with_word.get(word, ()) for word in _rough_words(quote)}
        near: set[int] = set()
        for place, numbers in enumerate(sorted(filter(None, found.values()), key=len)[:_RAREST]):
            if place >= _SURE and len(near) + len(numbers) > _MANY:
                break
            near.update(number + step for number in numbers for step in (-1, 0, 1))
        allowed = set(scope) if doc_id is not None else None
        for number in sorted(near):
            if 0 <= number < len(self.chunks) and (allowed is None or number in allowed) and self.chunks[number].text:
                yield number

    @cached_property
    def _by_document(self) -> dict[str | None, list[int]]:
        numbers: dict[str | None, list[int]] = defaultdict(list)
        for number, chunk in enumerate(self.chunks):
            numbers[chunk.doc_id].append(number)
        return dict(numbers)

    @cached_property
    def _with_word(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = defaultdict(list)
        for number, chunk in enumerate(self.chunks):
            for word in _rough_words(chunk.text or ""):
                numbers[word].append(number)
        return dict(numbers)


def _overlap(before: str, after: str) -> int:
    if len(after) < TELLING:
        return 0
    place = before.find(after[:TELLING])
    while 0 <= place <= len(before) - TELLING:
        if after.startswith(before[place:]) or before[place:].startswith(after):
            return min(len(before) - place, len(after))
        place = before.find(after[:TELLING], place + 1)
    return 0


def _rough_words(text: str) -> set[str]:
    return set(_ROUGH_WORD.findall(plain(text)))

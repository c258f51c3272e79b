"""The texts of a snapshot, as quotes are looked for in them. What is derived of a chunk is made when asked for."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from otel_ragfault.gold.canonical import SPACELESS, Canonical, plain
from otel_ragfault.gold.words import words

_FEW = 64  # chunks that are looked through without asking for rare words first
_RAREST: Final = 8
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
        self._words: dict[int, tuple[str, ...]] = {}

    def canonical(self, number: int) -> Canonical:
        """Return the canonical form of a chunk."""
        if number not in self._canonical:
            self._canonical[number] = Canonical(self.chunks[number].text or "")
        return self._canonical[number]

    def words(self, number: int) -> tuple[str, ...]:
        """Return the words of a chunk."""
        if number not in self._words:
            self._words[number] = words(self.chunks[number].text or "")
        return self._words[number]

    @cached_property
    def occurrences(self) -> Counter[str]:
        """How often each word occurs in the texts."""
        return Counter(word for number in range(len(self.chunks)) for word in self.words(number))

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
        rarest = sorted((numbers for numbers in found.values() if numbers), key=len)[:_RAREST]
        near = {number + step for numbers in rarest for number in numbers for step in (-1, 0, 1)}
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


def _rough_words(text: str) -> set[str]:
    return set(_ROUGH_WORD.findall(plain(text)))

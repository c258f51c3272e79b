"""Which stretch of a quote a chunk holds. A piece that stops inside the quote has to stop at the edge of the chunk."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from otel_ragfault.gold.canonical import APART, Canonical
from otel_ragfault.gold.typos import same_word, slips
from otel_ragfault.gold.words import Words

_HALF = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a quote that a chunk holds.

    Attributes:
        chunk: number of the chunk.
        start: where the stretch begins in the quote.
        end: where it ends.
        at: its place in the chunk.
        score: 1 means letter by letter.
        lead: the rest of the word before it, where the edge of the chunk cuts that word.
        trail: the beginning of the word behind it, where the edge of the chunk cuts that word.
    """

    chunk: int
    start: int
    end: int
    at: int = 0
    score: float = 1.0
    lead: str = ""
    trail: str = ""


def whole_pieces(quote: Canonical, chunk: Canonical, number: int) -> Iterator[Piece]:
    """Yield the places where the chunk holds the whole quote in canonical form."""
    size = len(quote.text)
    place = chunk.text.find(quote.text)
    while place >= 0:
        if chunk.starts_at(place) and chunk.ends_at(place + size):
            yield Piece(number, 0, size, place)
        place = chunk.text.find(quote.text, place + 1)


def exact_pieces(quote: Canonical, chunk: Canonical, number: int) -> Iterator[Piece]:
    """Yield the parts of the quote that the chunk holds in canonical form, but not the whole."""
    size, length = len(quote.text), len(chunk.text)
    start = chunk.text.find(quote.text[0], max(0, length - size + 1))
    while start >= 0:
        if chunk.starts_at(start) and quote.text.startswith(chunk.text[start:]):
            yield Piece(number, 0, length - start, start)
            break
        start = chunk.text.find(quote.text[0], start + 1)
    end = chunk.text.rfind(quote.text[-1], 0, size - 1) + 1
    while end > 0:
        if chunk.ends_at(end) and quote.text.endswith(chunk.text[:end]):
            yield Piece(number, size - end, size)
            break
        end = chunk.text.rfind(quote.text[-1], 0, end - 1) + 1
    if 0 < length < size:
        place = quote.text.find(chunk.text, 1)
        while place >= 0:
            yield Piece(number, place, place + length)
            place = quote.text.find(chunk.text, place + 1)


def joins(quote: Canonical, one: Piece, other: Piece) -> bool:
    """Say whether nothing of the quote is missing between the end of one piece and the start of the other."""
    return other.start <= one.end or (other.start == one.end + 1 and quote.text[one.end] == APART)


def fuzzy_pieces(quote: Words, chunk: Words, number: int, occurrences: Mapping[str, int]) -> Iterator[Piece]:
    """Yield the stretches of the quote, in words, whose words the chunk holds one to one but for slips inside them."""
    places = defaultdict(list)
    for place, word in enumerate(quote.words):
        places[word].append(place)
    votes = Counter(at - place for at, word in enumerate(chunk.words) for place in places.get(word, ()))
    for shift, agreeing in sorted(votes.items()):
        start, end = max(0, -shift), min(len(quote.words), len(chunk.words) - shift)
        if agreeing * _HALF >= end - start:
            piece = _aligned(quote, chunk, number, shift, occurrences)
            if piece is not None:
                yield piece


def _aligned(quote: Words, chunk: Words, number: int, shift: int, occurrences: Mapping[str, int]) -> Piece | None:
    """Return the stretch that stands at a place of the chunk; ``None`` when a word there is another one."""
    start, end = max(0, -shift), min(len(quote.words), len(chunk.words) - shift)
    lead = trail = ""
    if start and chunk.words[0] != quote.words[start] and quote.words[start].endswith(chunk.words[0]):
        start, lead = start + 1, chunk.words[0]
    if end < len(quote.words) and end > start:
        last = chunk.words[-1]
        if last != quote.words[end - 1] and quote.words[end - 1].startswith(last):
            end, trail = end - 1, last
    pairs = list(zip(quote.words[start:end], chunk.words[start + shift : end + shift], strict=True))
    if not pairs or not all(same_word(quoted, found, occurrences) for quoted, found in pairs):
        return None
    if end == len(quote.words) and not _closes(chunk, end + shift - 1, quote.closed.get(end - 1, "")):
        return None
    wrong = sum(slips(quoted, found) for quoted, found in pairs)
    score = 1 - wrong / sum(len(quoted) for quoted, _ in pairs)
    return Piece(number, start, end, start + shift, score, lead, trail)


def _closes(chunk: Words, place: int, marks: str) -> bool:
    """Say whether these marks are behind a word of the chunk too; at the edge of the chunk they may be cut off."""
    return place == len(chunk.words) - 1 or set(marks) <= set(chunk.closed.get(place, ""))


def fuzzy_joins(quote: Words, one: Piece, other: Piece) -> bool:
    """Say whether no word is missing between two pieces; a word that the cut went through has to be there in both."""
    if other.start <= one.end:
        return True
    return other.start == one.end + 1 and one.trail + other.lead == quote.words[one.end]

"""Which stretch of a quote a chunk holds. A piece that stops inside the quote has to stop at the edge of the chunk."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from otel_ragfault.gold.canonical import APART, Canonical
from otel_ragfault.gold.typos import same_word, slips

_HALF = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a quote, from ``start`` up to ``end``, that a chunk holds; ``score`` 1 means letter by letter.

    ``at`` is its place in the chunk.
    """

    chunk: int
    start: int
    end: int
    at: int = 0
    score: float = 1.0


def exact_pieces(quote: Canonical, chunk: Canonical, number: int) -> Iterator[Piece]:
    """Yield the stretches of the quote that the chunk holds in canonical form, whole ones first."""
    size, length = len(quote.text), len(chunk.text)
    place = chunk.text.find(quote.text)
    while place >= 0:
        if place in chunk.starts and place + size in chunk.ends:
            yield Piece(number, 0, size, place)
        place = chunk.text.find(quote.text, place + 1)
    before = [start for start in chunk.starts if length - start < size and quote.text.startswith(chunk.text[start:])]
    if before:
        yield Piece(number, 0, length - min(before), min(before))
    after = [end for end in chunk.ends if end < size and quote.text.endswith(chunk.text[:end])]
    if after:
        yield Piece(number, size - max(after), size)
    if 0 < length < size:
        place = quote.text.find(chunk.text, 1)
        while place >= 0:
            yield Piece(number, place, place + length)
            place = quote.text.find(chunk.text, place + 1)


def joins(quote: Canonical, one: Piece, other: Piece) -> bool:
    """Say whether nothing of the quote is missing between the end of one piece and the start of the other."""
    return other.start <= one.end or (other.start == one.end + 1 and quote.text[one.end] == APART)


def fuzzy_pieces(
    quote: tuple[str, ...], chunk: tuple[str, ...], number: int, occurrences: Mapping[str, int]
) -> Iterator[Piece]:
    """Yield the stretches of the quote, in words, whose words the chunk holds one to one but for slips inside them."""
    places = defaultdict(list)
    for place, word in enumerate(quote):
        places[word].append(place)
    votes = Counter(at - place for at, word in enumerate(chunk) for place in places.get(word, ()))
    for shift, agreeing in sorted(votes.items()):
        start, end = max(0, -shift), min(len(quote), len(chunk) - shift)
        if agreeing * _HALF < end - start:
            continue
        pairs = list(zip(quote[start:end], chunk[start + shift : end + shift], strict=True))
        if all(same_word(quoted, found, occurrences) for quoted, found in pairs):
            wrong = sum(slips(quoted, found) for quoted, found in pairs)
            size = sum(len(quoted) for quoted, _ in pairs)
            yield Piece(number, start, end, start + shift, 1 - wrong / size)

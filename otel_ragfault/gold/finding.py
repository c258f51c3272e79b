"""Find a quote among the chunks of a snapshot: letter by letter first, then but for slips inside its words."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from otel_ragfault.gold.canonical import Canonical
from otel_ragfault.gold.covers import Cover, neighbouring_covers
from otel_ragfault.gold.library import TELLING, Library
from otel_ragfault.gold.pieces import Piece, exact_pieces, fuzzy_joins, fuzzy_pieces, joins, whole_pieces
from otel_ragfault.gold.words import read_words

State = Literal["exact", "fuzzy", "unresolved", "ambiguous", "no_text"]

_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a quote in a snapshot.

    Attributes:
        state: ``exact``, ``fuzzy``; ``unresolved``: it is in none of the texts; ``ambiguous``: it is in several
            documents and does not say which one it means; ``no_text``: it was not found, and texts are missing.
        ways: each way to show the whole quote, as ids of chunks that are needed together.
        score: 1 for letter by letter, less for slips.
        split: whether no chunk holds it alone.
        chunks: the chunks in which it, or a part of it, was found.
    """

    state: State
    ways: tuple[frozenset[str], ...] = ()
    score: float | None = None
    split: bool = False
    chunks: tuple[str, ...] = ()


def find_quote(library: Library, quote: str, doc_id: str | None, threshold: float) -> Found:
    """Look for a quote.

    Args:
        library: the chunks of a snapshot.
        quote: the passage as written in gold.
        doc_id: the document it is from, if that is known.
        threshold: how alike a text has to be, from 0 to 1, if it is not equal.
    """
    for state, covers in (("exact", _exact), ("fuzzy", _fuzzy)):
        ways = [way for way in covers(library, quote, doc_id) if _score(way) >= threshold]
        if ways:
            return _told(library, "exact" if state == "exact" else "fuzzy", ways, doc_id)
    scope = library.scope(doc_id)
    return Found("no_text" if any(library.chunks[number].text is None for number in scope) else "unresolved")


def _exact(library: Library, quote: str, doc_id: str | None) -> list[Cover]:
    canonical = Canonical(quote)
    if not canonical.says_something:
        return []
    chunks = list(library.candidates(quote, doc_id))
    whole = [piece for number in chunks for piece in whole_pieces(canonical, library.canonical(number), number)]
    if whole:
        return [(piece,) for piece in whole]
    pieces = [piece for number in chunks for piece in exact_pieces(canonical, library.canonical(number), number)]

    def fit(one: Piece, other: Piece) -> bool:
        overlap = library.overlap(one.chunk, other.chunk)
        return joins(canonical, one, other) and overlap in {0, one.end - other.start}

    return _covers(library, pieces, len(canonical.text), fit, TELLING)


def _fuzzy(library: Library, quote: str, doc_id: str | None) -> list[Cover]:
    quoted = read_words(quote)
    pieces = [
        piece
        for number in library.candidates(quote, doc_id)
        for piece in fuzzy_pieces(quoted, library.words(number), number, library.occurrences)
    ]
    size = len(quoted.words)
    whole = [piece for piece in pieces if piece.start == 0 and piece.end == size]
    if whole:
        return [(piece,) for piece in whole]

    def fit(one: Piece, other: Piece) -> bool:
        return fuzzy_joins(quoted, one, other) and (
            other.start < one.end or not library.overlap(one.chunk, other.chunk)
        )

    return _covers(library, pieces, size, fit, size)


def _covers(
    library: Library, pieces: Sequence[Piece], size: int, joined: Callable[[Piece, Piece], bool], telling: int
) -> list[Cover]:
    """Return the sets of neighbours that hold the whole together."""
    of_document: dict[str | None, list[Piece]] = defaultdict(list)
    for piece in pieces:
        of_document[library.chunks[piece.chunk].doc_id].append(piece)
    covers = [cover for group in of_document.values() for cover in neighbouring_covers(group, size, joined)]
    if covers:
        return covers
    telltale = {
        document: [piece for piece in group if piece.end - piece.start >= telling]
        for document, group in of_document.items()
    }
    return [cover for group in telltale.values() for cover in neighbouring_covers(group, size, joined, anywhere=True)]


def _score(cover: Cover) -> float:
    return min(piece.score for piece in cover)


def _told(library: Library, state: State, covers: Sequence[Cover], doc_id: str | None) -> Found:
    of_document: dict[str, list[Cover]] = defaultdict(list)
    for cover in covers:
        of_document[_document(library, state, cover, covers)].append(cover)
    if doc_id is not None and f"d{doc_id}" in of_document:  # what may be of the document gives way to what is
        of_document = defaultdict(list, {"": of_document[f"d{doc_id}"]})
    kept = [cover for group in of_document.values() for cover in group]
    chunks = _ids(library, (piece for cover in kept for piece in cover))
    split = len(kept[0]) > 1
    if len(of_document) > 1:
        return Found("ambiguous", (), None, split, chunks)
    ways = dict.fromkeys(frozenset(_ids(library, cover)) for cover in kept)
    return Found(state, tuple(ways), max(map(_score, kept)), split, chunks)


def _ids(library: Library, pieces: Iterable[Piece]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(library.chunks[piece.chunk].chunk_id for piece in pieces))


def _document(library: Library, state: State, cover: Cover, covers: Sequence[Cover]) -> str:
    """Name the document that a cover is from. Chunks without one are of the same when their texts overlap there."""
    first = cover[0]
    doc_id = library.chunks[first.chunk].doc_id
    if doc_id is not None:
        return f"d{doc_id}"
    if len(cover) > 1:
        return "split"
    kin = first.chunk
    for other in covers:
        if library.chunks[other[0].chunk].doc_id is None and _overlap(library, state, other[0], first):
            kin = min(kin, other[0].chunk)
    return f"c{kin}"


def _overlap(library: Library, state: State, one: Piece, other: Piece) -> bool:
    def read(number: int) -> Sequence[str]:
        return library.words(number).words if state == "fuzzy" else library.canonical(number).text

    if one.at < other.at:
        one, other = other, one
    rest, after = read(one.chunk)[one.at - other.at :], read(other.chunk)
    shorter = min(len(rest), len(after))
    return one.chunk == other.chunk or (read(one.chunk) != after and rest[:shorter] == after[:shorter])


def shown(chunks: Sequence[str]) -> str:
    """Name a few chunks for a message."""
    more = f" and {len(chunks) - _SHOWN} more" if len(chunks) > _SHOWN else ""
    return ", ".join(repr(chunk) for chunk in chunks[:_SHOWN]) + more

"""Sets of neighbouring chunks that together hold a quote which no chunk holds alone."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from otel_ragfault.gold.pieces import Piece

Cover = tuple[Piece, ...]

_REACH = 3  # chunks further on that still count as neighbours, since overlapping chunks may be passed over
_MOST = 64
_LONGEST = 12  # chunks


def neighbouring_covers(
    pieces: Sequence[Piece], size: int, joins: Callable[[Piece, Piece], bool], *, anywhere: bool = False
) -> list[Cover]:
    """Return the smallest sets of pieces that cover the whole quote, of chunks that follow each other.

    Args:
        pieces: what each chunk of one document holds; chunks are numbered in their order.
        size: the length of the quote.
        joins: whether nothing is missing between two pieces.
        anywhere: take the chunks in any order, for a corpus whose order is lost.
    """
    found: list[Cover] = []
    for cover in _chains(pieces, size, joins, anywhere=anywhere):
        if not any(_covers((*cover[:i], *cover[i + 1 :]), size, joins) for i in range(len(cover))):
            found.append(cover)
        if len(found) == _MOST:
            break
    return found


def _follows(pieces: Sequence[Piece], last: Piece, piece: Piece) -> bool:
    """Say whether a chunk comes soon after another; those between have to overlap with both."""
    between = range(last.chunk + 1, piece.chunk)
    return last.chunk < piece.chunk <= last.chunk + _REACH and all(
        any(one.chunk == chunk and one.start <= last.end and one.end >= piece.start for one in pieces)
        for chunk in between
    )


def _covers(cover: Cover, size: int, joins: Callable[[Piece, Piece], bool]) -> bool:
    return (
        bool(cover)
        and cover[0].start == 0
        and cover[-1].end == size
        and all(joins(one, other) for one, other in pairwise(cover))
    )


def _chains(
    pieces: Sequence[Piece], size: int, joins: Callable[[Piece, Piece], bool], *, anywhere: bool
) -> Iterator[Cover]:
    pending: list[Cover] = [(piece,) for piece in reversed(pieces) if piece.start == 0 and piece.end < size]
    steps = 0
    while pending and steps < _MOST * _MOST:
        steps += 1
        chain = pending.pop()
        last = chain[-1]
        for piece in pieces:
            if piece.start == 0 or piece.end <= last.end or not joins(last, piece):
                continue
            if not anywhere and not _follows(pieces, last, piece):
                continue
            if piece.end == size:
                yield (*chain, piece)
            elif len(chain) < _LONGEST:
                pending.append((*chain, piece))

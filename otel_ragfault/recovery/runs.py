"""Where parts of a chunk stand in a text: runs of equal characters, found through shingles of words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

SHINGLE: Final = 4
"""Words of a shingle: that many in a row in both texts are worth a look."""

_SLICES = 6  # pieces of a chunk to decide whether to look
_SLICE = 48  # characters of a piece: some words without the ones at its edges
_SAMPLES = 12  # the same for texts without spaces
_ANCHORS = 48  # to look
_PLACES = 4  # of one shingle
_SPACELESS = 12  # characters a word on average from which on a text has no words (Chinese, Japanese, Thai)
_PROBE = 10
_LONG = 3  # shingles: a run that leaves no doubt
_SLIP = 3  # by how many characters neighbouring runs may overlap
_STRETCH = 2

Shingles = set[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Run:
    """Equal characters: from ``start`` to ``end`` of the chunk, from ``place`` on in the text."""

    start: int
    end: int
    place: int

    @property
    def size(self) -> int:
        """How many characters."""
        return self.end - self.start

    @property
    def place_end(self) -> int:
        """Where the run ends in the text."""
        return self.place + self.end - self.start


def shingles(text: str) -> Shingles:
    """Return every four words in a row of a flat text."""
    return set(_in_fours(text.split(" ")))


def may_be_whole(chunk: str, said: set[str]) -> bool:
    """Say whether words from the middle of the chunk are all said in the text: the first look at most chunks."""
    middle = len(chunk) // 2
    return said.issuperset(chunk[max(0, middle - _SLICE) : middle + _SLICE].split()[1:-1])


def is_plausible(chunk: str, text: str, known: Shingles) -> bool:
    """Say whether a part of the chunk may stand in the text: cheap, and right for a quarter of a long one or more."""
    size = len(chunk)
    if size < _SLICES * _SLICE:
        words = chunk.split()
        return not known.isdisjoint(_in_fours(words)) or _shares_characters(chunk, words, text)
    wordless = True
    for start in range(0, size - _SLICE + 1, (size - _SLICE) // (_SLICES - 1)):
        words = chunk[start : start + _SLICE].split()
        if len(words) > SHINGLE + 1:  # those at the edges are cut
            if tuple(words[1 : SHINGLE + 1]) in known:
                return True
            wordless = False
    return wordless and _shares_characters(chunk, chunk.split(), text)


def _in_fours(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(words, words[1:], words[2:], words[3:], strict=False)


def _shares_characters(chunk: str, words: Sequence[str], text: str) -> bool:
    if not has_no_words(chunk, words):
        return False
    step = max(1, (len(chunk) - _PROBE) // _SAMPLES)
    return any(chunk[start : start + _PROBE] in text for start in range(0, len(chunk) - _PROBE + 1, step))


def has_no_words(chunk: str, words: Sequence[str]) -> bool:
    """Say whether a text is written without spaces."""
    return len(chunk) > _SPACELESS * len(words)


def best_chain(chunk: str, text: str, known: Shingles) -> tuple[Run, ...]:
    """Return the runs that make up most of the chunk, in the same order in both; empty if there are none."""
    chain: list[Run] = []
    for run in sorted(_found(chunk, _anchors(chunk, known), text), key=lambda run: (-run.size, run.place)):
        if not chain or (_fits(run, chain) and _is_near(run, chain[0], len(chunk))):
            chain.append(run)
    return tuple(sorted(chain, key=lambda run: run.start))


def _found(chunk: str, anchors: Iterator[tuple[int, str]], text: str) -> set[Run]:
    found: set[Run] = set()
    for start, anchor in anchors:
        end = start + len(anchor)
        if any(run.start <= start and end <= run.end and run.size >= _LONG * len(anchor) for run in found):
            continue
        place = text.find(anchor)
        for _ in range(_PLACES):
            if place < 0:
                break
            found.add(_extended(chunk, start, text, place))
            place = text.find(anchor, place + 1)
    return found


def _anchors(chunk: str, known: Shingles) -> Iterator[tuple[int, str]]:
    words = chunk.split(" ")
    if has_no_words(chunk, words):
        for start in range(0, len(chunk) - _PROBE + 1, max(1, len(chunk) // _ANCHORS)):
            yield start, chunk[start : start + _PROBE]
        return
    step = max(1, len(words) // _ANCHORS)
    start = 0
    for number in range(len(words) - SHINGLE + 1):
        if number % step == 0 and tuple(words[number : number + SHINGLE]) in known:
            yield start, " ".join(words[number : number + SHINGLE])
        start += len(words[number]) + 1


def _extended(chunk: str, start: int, text: str, place: int) -> Run:
    left = _common(chunk[:start][::-1], text[max(0, place - start) : place][::-1])
    right = _common(chunk[start:], text[place : place + len(chunk) - start])
    return Run(start - left, start + right, place - left)


def _common(one: str, other: str) -> int:
    """Return how many characters two texts share from their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _fits(run: Run, chain: list[Run]) -> bool:
    return all(
        (run.end <= one.start + _SLIP and run.place_end <= one.place + _SLIP)
        or (one.end <= run.start + _SLIP and one.place_end <= run.place + _SLIP)
        for one in chain
    )


def _is_near(run: Run, longest: Run, size: int) -> bool:
    return abs(run.place - longest.place) <= _STRETCH * size


def covered(chain: tuple[Run, ...]) -> int:
    """Return how many characters of the chunk the runs make up."""
    return sum(run.size for run in chain) - sum(max(0, one.end - two.start) for one, two in pairwise(chain))

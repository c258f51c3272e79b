"""Which chunks reached the prompt, by their texts.

First whole chunks, then chunks of which a part survived, then chunks that were rewritten a little. Every place in the
prompt belongs to one chunk: the longer one, then the one of which more is there, then the better ranked one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rapidfuzz import fuzz

from otel_ragfault.recovery.flat import clean, lined
from otel_ragfault.recovery.partial import is_cut, is_long, is_marked
from otel_ragfault.recovery.runs import (
    Run,
    Shingles,
    best_chain,
    covered,
    has_no_words,
    is_plausible,
    may_be_whole,
    shingles,
)

How = Literal["exact", "truncated", "fuzzy"]

DEFAULT_THRESHOLD: Final = 0.85
"""How much of a rewritten chunk has to be found."""

_GONE = "\0"
_TINY_WORDS = 5
_TINY_SIZE = 40
_TINY_SPACELESS = 16  # in characters, for scripts without spaces
_MOST_PLACES = 1_000
_MOST_PARTS = 500  # best ranked chunks of which a part may be there: each takes up to a millisecond
_PIECE = 24
_HALF = 2
_FULL = 100.0
_LEAST_RUNS = 0.3  # of a chunk, before it is worth an alignment
_TRIES = 8  # near-duplicates that were cut alike all want the first place
_SHORT = 8
_ALIKE = 70.0


@dataclass(frozen=True, slots=True)
class PromptMatch:
    """A chunk in the prompt.

    Attributes:
        id: the chunk.
        position: where it begins, in characters of the prompt with single spaces.
        share: how much of the chunk is there, from 0 to 1; for ``fuzzy`` how alike the texts are.
        how: ``exact``, ``truncated`` or ``fuzzy``.
    """

    id: str
    position: int
    share: float
    how: How


@dataclass(slots=True)
class _Chunk:
    """Chunks with one text: their ids in the order of the ranking, as far as they have no place yet."""

    text: str
    rank: int
    ids: list[str]

    @property
    def is_tiny(self) -> bool:
        """Whether the text is so short that it may be said by chance."""
        if len(self.text) >= _TINY_SIZE:
            return False
        words = self.text.split(" ")
        return len(self.text) < _TINY_SPACELESS if has_no_words(self.text, words) else len(words) < _TINY_WORDS


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    end: int
    share: float
    how: How
    weight: float


_Looks = list[tuple[str, int, str]]
"""Id, rank and cleaned text of chunks that are not looked at closely yet."""


def match_prompt(
    chunks: Sequence[tuple[str, str]], prompt: str, *, threshold: float = DEFAULT_THRESHOLD
) -> list[PromptMatch]:
    """Find the chunks that stand in a prompt, in the order of the prompt.

    Args:
        chunks: id and text of each, best ranked first. Of several with the same text the better ranked come first, and
            others only where the text stands again.
        prompt: the text sent to the model.
        threshold: how alike a rewritten chunk has to be, from 0 to 1.
    """
    spoken = clean(prompt).split()
    text, said = " ".join(spoken), set(spoken)
    possible: _Looks = []
    partial: _Looks = []
    for rank, (name, raw) in enumerate(chunks):
        content = clean(raw)
        (possible if may_be_whole(content, said) else partial).append((name, rank, content))
    whole = _grouped(possible)
    found, free = _whole(whole, text, prompt)
    known = shingles(free)
    rest = [chunk for chunk in whole if chunk.ids and is_plausible(chunk.text, free, known)]
    rest += _grouped([look for look in partial if is_plausible(look[2], free, known)])
    if rest := sorted((chunk for chunk in rest if not chunk.is_tiny), key=lambda chunk: chunk.rank)[:_MOST_PARTS]:
        _parts(rest, free, lined(prompt), threshold, found)
    return sorted((match for match, _ in found), key=lambda match: match.position)


def _grouped(chunks: _Looks) -> list[_Chunk]:
    found: dict[str, _Chunk] = {}
    for name, rank, content in chunks:
        text = " ".join(content.split())
        if text in found:
            found[text].ids.append(name)
        elif text:
            found[text] = _Chunk(text, rank, [name])
    return list(found.values())


# --- whole chunks ----------------------------------------------------------------------------------------------------

_Found = list[tuple[PromptMatch, int]]
"""Matches with the place where each ends."""


def _whole(chunks: list[_Chunk], text: str, prompt: str) -> tuple[_Found, str]:
    """Return the chunks that are there whole, and the text with their places made unreadable."""
    found: _Found = []
    free = text
    for chunk in sorted(chunks, key=lambda chunk: (-len(chunk.text), chunk.rank)):  # a part of another comes after it
        for start in _places(chunk, text, prompt):
            end = start + len(chunk.text)
            if _GONE in free[start:end] and any(_clash(start, end, match.position, stop) for match, stop in found):
                continue
            found.append((PromptMatch(chunk.ids.pop(0), start, 1.0, "exact"), end))
            free = _without(free, start, end)
            if not chunk.ids:
                break
    return found, free


def _places(chunk: _Chunk, text: str, prompt: str) -> Iterator[int]:
    lines = lined(prompt) if chunk.is_tiny else None
    for start in _occurrences(chunk.text, text):
        if lines is None or _stands_alone(lines[:start], lines[start + len(chunk.text) :]):
            yield start


def _occurrences(wanted: str, text: str) -> Iterator[int]:
    """Find a long text by a piece of its middle, which takes a fraction of the time."""
    offset = len(wanted) // 2
    piece = wanted[offset : offset + _PIECE]
    place = text.find(piece)
    for _ in range(_MOST_PLACES):
        if place < 0:
            return
        if place >= offset and text.startswith(wanted, place - offset):
            yield place - offset
        place = text.find(piece, place + 1)


def _stands_alone(before: str, behind: str) -> bool:
    """Say whether no word stands beside it on its line: a few words are easily said."""
    return not before.rstrip(" ")[-1:].isalnum() and not behind.lstrip(" ")[:1].isalnum()


def _clash(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Say whether two places are one: neighbours that were cut with an overlap may share less than half of theirs."""
    common = min(end, other_end) - max(start, other_start)
    return common > 0 and common * _HALF >= min(end - start, other_end - other_start)


def _without(text: str, start: int, end: int) -> str:
    """Return the text with a place that belongs to a chunk made unreadable."""
    return f"{text[:start]}{_GONE * (end - start)}{text[end:]}"


# --- parts of chunks -------------------------------------------------------------------------------------------------


def _parts(chunks: list[_Chunk], free: str, lines: str, threshold: float, found: _Found) -> None:
    for _ in range(_TRIES):
        known, claimed = shingles(free), len(found)
        offers = [(place, chunk) for chunk in chunks if (place := _offer(chunk, free, lines, threshold, known))]
        chunks = []
        for place, chunk in sorted(offers, key=lambda offer: (-offer[0].weight, offer[1].rank)):
            if _GONE in free[place.start : place.end]:  # somebody else's by now
                chunks.append(chunk)
                continue
            found.append((PromptMatch(chunk.ids.pop(0), place.start, place.share, place.how), place.end))
            free = _without(free, place.start, place.end)
        if len(found) == claimed:
            return


def _offer(chunk: _Chunk, free: str, lines: str, threshold: float, known: Shingles) -> _Place | None:
    """Return the place of a chunk of which a part is there: cut, else rewritten, else cut without a sign of it."""
    chain = best_chain(chunk.text, free, known)
    if not chain:
        return None
    runs = [chain, (max(chain, key=lambda run: run.size),)]
    for cut in runs:
        marked = is_cut(chunk.text, cut) and is_marked(chunk.text, cut, free, lines)
        if marked and not _goes_on(chunk.text, cut, free):
            return _truncated(chunk.text, cut)
    rewritten = _fuzzy(chunk.text, chain, free, threshold)
    if rewritten is not None:
        return rewritten
    return next(
        (_truncated(chunk.text, cut) for cut in runs if is_cut(chunk.text, cut) and is_long(chunk.text, cut)), None
    )


def _goes_on(chunk: str, chain: tuple[Run, ...], free: str) -> bool:
    """Say whether what is missing of the chunk stands before or behind the runs all the same, in other words."""
    first, last = chain[0], chain[-1]
    before, behind = chunk[: first.start], chunk[last.end :]
    around = (
        free[max(0, first.place - len(before)) : first.place],
        free[last.place_end : last.place_end + len(behind)],
    )
    return any(
        len(part) > _SHORT and fuzz.ratio(part, shown) > _ALIKE
        for part, shown in zip((before, behind), around, strict=True)
    )


def _truncated(chunk: str, chain: tuple[Run, ...]) -> _Place:
    size = covered(chain)
    return _Place(chain[0].place, chain[-1].place_end, size / len(chunk), "truncated", size)


def _fuzzy(chunk: str, chain: tuple[Run, ...], free: str, threshold: float) -> _Place | None:
    """Compare the chunk with what stands around its runs, up to where the rest of it should be."""
    first, last = chain[0], chain[-1]
    if covered(chain) < _LEAST_RUNS * len(chunk):
        return None
    start = max(0, first.place - first.start, free.rfind(_GONE, 0, first.place) + 1)
    end = min(len(free), last.place_end + len(chunk) - last.end)
    stop = free.find(_GONE, last.place_end, end)
    end = end if stop < 0 else stop
    score = fuzz.ratio(chunk, free[start:end], score_cutoff=threshold * _FULL)
    if score <= 0 or _GONE in free[first.place : last.place_end]:
        return None
    return _Place(start, end, score / _FULL, "fuzzy", score / _FULL * len(chunk))

"""Whether equal runs show a chunk that was cut, and not just the same words.

A question often repeats a few words of its evidence. A part counts as the chunk's when it is long, or when it begins or
ends as the chunk does and the text around it shows that something was put there or cut off: the end of a line, an
ellipsis, another chunk.
"""

import re
from itertools import pairwise
from typing import Final

from otel_ragfault.recovery.runs import Run, covered

_LEAST_SIZE = 24
_LEAST_WORDS = 5
_LEAST_SHARE = 0.15
_LONG_SIZE = 60
_LONG_SHARE = 0.5
_VERY_LONG_SIZE = 160
_NO_WORDS = 12
_EDGE = 2  # characters by which a run may miss the edge of the chunk
_LEAST_CUT = 12  # characters; less was not cut but rewritten
_GAP = 24  # characters that may stand where a middle part was taken out: an ellipsis, a note

_CUT_AFTER: Final = re.compile(r"[ .]*(?:\n|\0|\.\.\.|[\[(<{\"'`|*#=_]|-{2,})")
_CUT_BEFORE: Final = re.compile(r"(?:\n|\0|\.\.\.|\d[.)]|[\])>}\"'`|*#=_:]|-{2,})[ ]*\Z")
_LOOK = 8


def is_cut(chunk: str, chain: tuple[Run, ...]) -> bool:
    """Say whether runs may be what is left of a chunk that was cut at its ends or had middle parts taken out."""
    if any(_is_rewritten(one, two) for one, two in pairwise(chain)):
        return False
    longest = max(chain, key=lambda run: run.size)
    return longest.size >= _LEAST_SIZE and _has_words(chunk, longest) and covered(chain) >= _LEAST_SHARE * len(chunk)


def is_long(chunk: str, chain: tuple[Run, ...]) -> bool:
    """Say whether runs are so long that nothing around them has to show that something was cut."""
    longest = max(run.size for run in chain)
    return longest >= _VERY_LONG_SIZE or (longest >= _LONG_SIZE and covered(chain) >= _LONG_SHARE * len(chunk))


def is_marked(chunk: str, chain: tuple[Run, ...], free: str, lines: str) -> bool:
    """Say whether runs begin or end as the chunk does, and the text around them shows where it was put and cut.

    Args:
        chunk: the chunk, flat.
        chain: the runs, in order.
        free: the prompt, flat, other chunks made unreadable.
        lines: the prompt with its line feeds, character by character as ``free``.
    """
    first, last = chain[0], chain[-1]
    begins, ends = first.start <= _EDGE, len(chunk) - last.end <= _EDGE
    if not (begins or ends or covered(chain) >= _LONG_SHARE * len(chunk)):
        return False
    return _marked_before(first.place, free, lines) and _marked_behind(last.place_end, free, lines)


def _is_rewritten(one: Run, two: Run) -> bool:
    """Something else stands between two runs than what a cut leaves behind."""
    put_in, taken_out = two.place - one.place_end, two.start - one.end
    return taken_out < _LEAST_CUT or put_in > _GAP or put_in * 2 > taken_out


def _has_words(chunk: str, longest: Run) -> bool:
    part = chunk[longest.start : longest.end]
    words = len(part.split())
    return words >= _LEAST_WORDS or len(part) > _NO_WORDS * words


def _marked_before(place: int, free: str, lines: str) -> bool:
    """Say whether a place is where something begins: a line, a quotation, what stands behind another chunk."""
    while free[place : place + 1] == " ":  # the blank may be a line feed
        place += 1
    begin = max(0, place - _LOOK)
    look = _seen(free[begin:place], lines[begin:place])
    return place == 0 or _CUT_BEFORE.search(look) is not None


def _marked_behind(place: int, free: str, lines: str) -> bool:
    """Say whether a place is where something ends, in the same way."""
    while place > 0 and free[place - 1] == " ":
        place -= 1
    look = _seen(free[place : place + _LOOK], lines[place : place + _LOOK])
    return not look or _CUT_AFTER.match(look) is not None


def _seen(free: str, lines: str) -> str:
    """Line feeds where lines end, and unreadable characters where another chunk stands."""
    return "".join("\n" if line == "\n" else one for one, line in zip(free, lines, strict=True))

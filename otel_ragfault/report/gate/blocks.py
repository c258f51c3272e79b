"""A Markdown document made of blocks that may be shortened, so that the whole stays below a limit."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from otel_ragfault.counting import counted


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a document: a head, rows that may be left out from the end, and a tail.

    Blocks of a lower ``rank`` get their room first. A block without rows that fit is left out with its head. ``one``
    and ``many`` say what a row is, as :func:`otel_ragfault.counting.counted` takes them.
    """

    head: str
    rows: Sequence[str] = ()
    tail: str = ""
    rank: int = 0
    one: str = "row"
    many: str | None = None
    fixed: bool = field(default=False)

    def text(self, rows: int, note: str = "") -> str:
        """Return the block with so many of its rows."""
        parts = [self.head, *self.rows[:rows], *([note] if note else []), *([self.tail] if self.tail else [])]
        return "\n".join(part for part in parts if part)

    def note(self, left_out: int) -> str:
        """Return the line that tells what was left out; an empty line before it ends a table."""
        return f"\n… {counted(left_out, self.one, self.many)} left out here: the limit of the comment is reached.\n"


def document(blocks: Sequence[Block], limit: int) -> str:
    """Return the blocks as one text of at most ``limit`` bytes in UTF-8, and so of no more characters.

    Blocks keep their order. What has to be left out is told at its place, or at the end for a whole block.
    """
    reserve = _size(_at_end([block for block in blocks if not block.fixed])) + 2
    room = limit - reserve - sum(_size(block.text(0)) + 2 for block in blocks if block.fixed)
    shown: dict[int, int] = {}
    for place in sorted(range(len(blocks)), key=lambda place: blocks[place].rank):
        block = blocks[place]
        if block.fixed:
            continue
        rows, size = _fitting(block, room)
        if rows or not block.rows:
            shown[place] = rows
            room -= size
    parts, missing = [], []
    for place, block in enumerate(blocks):
        if block.fixed:
            parts.append(block.text(0))
        elif place in shown:
            left_out = len(block.rows) - shown[place]
            parts.append(block.text(shown[place], block.note(left_out) if left_out else ""))
        else:
            missing.append(block)
    if missing:
        parts.append(_at_end(missing))
    return "\n\n".join(parts) + "\n"


def _at_end(blocks: Sequence[Block]) -> str:
    what = ", ".join(counted(len(block.rows), block.one, block.many) for block in blocks)
    return f"Left out, because the limit of the comment is reached: {what}."


def _fitting(block: Block, room: int) -> tuple[int, int]:
    """Return how many rows fit into the room, and the size of the block with them."""
    whole = block.text(len(block.rows))
    if _size(whole) + 2 <= room:
        return len(block.rows), _size(whole) + 2
    size = _size(block.text(0, block.note(len(block.rows)))) + 2
    rows = 0
    for row in block.rows:
        if size + _size(row) + 1 > room:
            break
        size += _size(row) + 1
        rows += 1
    return rows, size


def _size(text: str) -> int:
    return len(text.encode())

"""Tables for people: ruled on a terminal, aligned plain text in a pipe. Nothing is cut off in either.

A terminal that is too narrow for the columns gets a line a value.
"""

import shutil
import sys
from collections.abc import Sequence
from typing import Final, Literal

from rich.cells import cell_len

from otel_ragfault.cli.output import say
from otel_ragfault.report.visible import visible

Align = Literal["left", "right"]

_WIDEST: Final = 60  # a longer cell pushes its own row to the right, not every other row
_WORD: Final = 12
_GAP: Final = "  "


def say_table(names: Sequence[str], rows: Sequence[Sequence[str]], align: Sequence[Align] | None = None) -> None:
    """Print a table. Cells are texts; what could move the cursor or reorder a line is made visible.

    Args:
        names: the headings.
        rows: a cell for each heading.
        align: for each column; left by default.
    """
    sides: Sequence[Align] = align or ["left"] * len(names)
    heading = [visible(name) for name in names]
    body = [[visible(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        _plain(heading, body, sides)
    elif _is_readable(heading, body, shutil.get_terminal_size().columns):
        _ruled(heading, body, sides)
    else:
        _records(heading, body)


def _is_readable(heading: list[str], body: list[list[str]], width: int) -> bool:
    """Tell whether a ruled table fits, or at least leaves each column the width of a word."""
    natural = sum(max(map(cell_len, column)) + len(_GAP) for column in zip(heading, *body, strict=True))
    return natural <= width or len(heading) * _WORD <= width


def _records(heading: list[str], body: list[list[str]]) -> None:
    """Print a line a value, and an empty line between rows."""
    width = max(map(cell_len, heading))
    for number, row in enumerate(body):
        if number:
            say()
        for name, cell in zip(heading, row, strict=True):
            say(f"{_padded(name, width, 'left')}{_GAP}{cell}")


def _ruled(heading: list[str], body: list[list[str]], sides: Sequence[Align]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, side in zip(heading, sides, strict=True):
        table.add_column(Text(name), justify=side, overflow="fold")
    for row in body:
        table.add_row(*map(Text, row))  # Text: brackets in data are no markup
    Console().print(table)


def _plain(heading: list[str], body: list[list[str]], sides: Sequence[Align]) -> None:
    widths = [min(_WIDEST, max(map(cell_len, column))) for column in zip(heading, *body, strict=True)]
    for row in (heading, ["-" * width for width in widths], *body):
        cells = [_padded(cell, width, side) for cell, width, side in zip(row, widths, sides, strict=True)]
        say(_GAP.join(cells).rstrip())


def _padded(cell: str, width: int, side: Align) -> str:
    space = " " * (width - cell_len(cell))
    return space + cell if side == "right" else cell + space

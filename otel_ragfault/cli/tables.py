"""Tables for people: ruled on a terminal, aligned plain text in a pipe. Nothing is cut off in either."""

import sys
from collections.abc import Sequence
from typing import Final, Literal

from rich.cells import cell_len

from otel_ragfault.cli.output import say, visible

Align = Literal["left", "right"]

_WIDEST: Final = 60  # a longer cell pushes its own row to the right, not every other row
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
    if sys.stdout.isatty():
        _ruled(heading, body, sides)
    else:
        _plain(heading, body, sides)


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

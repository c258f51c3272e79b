"""Batches that could not be kept yet, in memory, up to a bound."""

from collections import deque
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Callable

_SPANS_A_WRITE = 10_000


class Backlog:
    """A queue of batches that holds at most ``bound`` spans when nothing is being written.

    The oldest spans stay: they belong to requests whose other spans may have been stored.
    """

    def __init__(self, bound: int) -> None:
        self.bound = bound
        self.spans = 0
        self._batches: deque[pa.Table] = deque()

    def add(self, batch: pa.Table) -> None:
        """Put a batch at the end."""
        if batch.num_rows:
            self._batches.append(batch)
            self.spans += batch.num_rows

    def drain(self, write: "Callable[[pa.Table], None]") -> None:
        """Write everything, oldest first, in pieces of bounded size; what ``write`` raises on stays."""
        while self._batches:
            piece, count = self._piece()
            write(piece)
            for _ in range(count):
                self._batches.popleft()
            self.spans -= piece.num_rows

    def _piece(self) -> tuple[pa.Table, int]:
        taken: list[pa.Table] = []
        rows = 0
        for batch in self._batches:
            if taken and rows + batch.num_rows > _SPANS_A_WRITE:
                break
            taken.append(batch)
            rows += batch.num_rows
        return pa.concat_tables(taken), len(taken)

    def trim(self) -> int:
        """Drop the newest spans beyond the bound; return how many."""
        excess = dropped = max(0, self.spans - self.bound)
        while excess:
            last = self._batches.pop()
            if last.num_rows > excess:
                self._batches.append(last.slice(0, last.num_rows - excess))
            excess -= min(excess, last.num_rows)
        self.spans -= dropped
        return dropped

    def clear(self) -> int:
        """Drop everything; return how many spans that were."""
        dropped, self.spans = self.spans, 0
        self._batches.clear()
        return dropped

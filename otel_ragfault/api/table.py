"""A result as rows, as Arrow, or as a data frame of the library that is installed."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from otel_ragfault.api.markup import box, note, table
from otel_ragfault.counting import counted
from otel_ragfault.errors import MissingPackageError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

_SHOWN: Final = 30


class Table:
    """Rows with named columns, in the order of the result. ``unseen`` are columns that a page does not show."""

    def __init__(self, data: pa.Table, title: str = "", *, unseen: Sequence[str] = ()) -> None:
        self._data = data
        self._title = title
        self._unseen = unseen

    @classmethod
    def of(cls, rows: Sequence[dict[str, Any]], columns: Sequence[str], title: str = "") -> "Table":
        """Return rows as a table; ``columns`` are those of a result without rows too."""
        data = {name: [row.get(name) for row in rows] for name in columns}
        return cls(pa.table(data), title)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._data.column_names)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries.

        >>> Table.of([{"label": "pass", "requests": 2}], ["label", "requests"]).rows()
        [{'label': 'pass', 'requests': 2}]
        """
        found: list[dict[str, Any]] = self._data.to_pylist()
        return found

    def arrow(self) -> pa.Table:
        """Return the Arrow table itself.

        >>> Table.of([{"label": "pass"}], ["label"]).arrow().num_rows
        1
        """
        return self._data

    def pandas(self) -> "pd.DataFrame":
        """Return a data frame of pandas.

        Raises:
            MissingPackageError: pandas is not installed.
        """
        _installed("pandas")
        frame: pd.DataFrame = self._data.to_pandas()
        return frame

    def polars(self) -> "pl.DataFrame":
        """Return a data frame of polars.

        Raises:
            MissingPackageError: polars is not installed.
        """
        frame: pl.DataFrame = _installed("polars").from_arrow(self._data)
        return frame

    def __len__(self) -> int:
        return int(self._data.num_rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows())

    def __getitem__(self, column: str) -> list[Any]:
        """Return the values of a column.

        >>> Table.of([{"label": "pass"}, {"label": "assembly.cut"}], ["label"])["label"]
        ['pass', 'assembly.cut']
        """
        values: list[Any] = self._data.column(column).to_pylist()
        return values

    def __repr__(self) -> str:
        return f"<Table {self._title or 'of'} {counted(len(self), 'row')}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        names = [name for name in self.columns if name not in self._unseen]
        cells = [list(row.values()) for row in self._data.select(names).slice(0, _SHOWN).to_pylist()]
        left = len(self) - len(cells)
        more = (
            [note(f"… {counted(left, 'more row')}; .rows(), .arrow(), .pandas() and .polars() have all")]
            if left
            else []
        )
        return box(self._title or counted(len(self), "row"), table(names, cells), *more)


def _installed(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingPackageError(
            f"{name} is not installed; it was wanted for a data frame; run: pip install {name}; .rows() needs nothing"
        ) from error

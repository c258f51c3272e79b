"""Find and read the SQL files of ``queries/``.

A folder is a subject (``schema``, ``records``, ``facts``, ``buckets``, ``metrics``); a file defines what it is named
after and opens with a header: its purpose, then ``Grain:``, and where it has them ``Parameters:``.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from otel_ragfault.resources import bundled

_PARAMETER = re.compile(r"(?<![:\w$])\$([a-z_][a-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class Query:
    """One SQL file: ``name`` without suffix, ``header`` without comment marks, ``text`` as written."""

    name: str
    header: str
    text: str

    @property
    def title(self) -> str:
        """The first line of the header."""
        return self.header.split("\n", 1)[0]

    @property
    def body(self) -> str:
        """The statement without its header and without a final semicolon."""
        lines = self.text.splitlines()
        start = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("--")), len(lines))
        return "\n".join(lines[start:]).strip().rstrip(";")

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the bound parameters (``$k`` is ``k``), sorted."""
        return tuple(sorted(set(_PARAMETER.findall(self.body))))


def _header(text: str) -> str:
    lines = []
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").removeprefix(" "))
    return "\n".join(lines)


def _read(path: Path) -> Query:
    text = path.read_text(encoding="utf-8")
    return Query(path.stem, _header(text), text)


@cache
def read_query(folder: str, name: str) -> Query:
    """Return the query ``queries/<folder>/<name>.sql``.

    Raises:
        FileNotFoundError: there is no such file.
    """
    return _read(bundled("queries") / folder / f"{name}.sql")


@cache
def folder_queries(folder: str) -> tuple[Query, ...]:
    """Return every query of a folder, by name."""
    return tuple(_read(path) for path in sorted((bundled("queries") / folder).glob("*.sql")))


@cache
def ordered_queries(folder: str) -> tuple[Query, ...]:
    """Return the queries of a folder in the order that its ``_order.txt`` gives."""
    order = (bundled("queries") / folder / "_order.txt").read_text(encoding="utf-8").splitlines()
    names = [line.strip() for line in order if line.strip() and not line.startswith("#")]
    return tuple(read_query(folder, name) for name in names)

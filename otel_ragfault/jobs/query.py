"""Ask the database: named queries of ``queries/buckets/`` and ``queries/metrics/``, or SQL that a person wrote.

The connection has to be one that :func:`otel_ragfault.store.connect` opened for reading: DuckDB itself then refuses
writes and other files. What is checked here is that there is one statement and that it asks for rows.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import duckdb

from otel_ragfault.errors import QueryError
from otel_ragfault.model.wording import did_you_mean, shown
from otel_ragfault.sql import Query, folder_queries

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection, Statement
    from duckdb.sqltypes import DuckDBPyType

FOLDERS: Final = ("buckets", "metrics")
"""The folders whose queries have a name that people use."""

_ROWS_AT_A_TIME: Final = 1_000
_ASKING: Final = frozenset({"SELECT", "EXPLAIN", "MULTI"})  # MULTI is PIVOT without IN; DESCRIBE and SHOW are SELECT
_NANOSECONDS: Final = "timestamp_ns"
_TEXT: Final = "VARCHAR"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a result: its name as the query gave it, which need not be unique, and its type."""

    name: str
    type: "DuckDBPyType"


class Rows:
    """A result: ``columns``, and an iterator over its rows as tuples of Python values.

    It is read from the connection, whose next statement ends it. A TIMESTAMP_NS arrives as ISO 8601 text with nine
    digits, because no Python value holds them.
    """

    def __init__(self, columns: tuple[Column, ...], con: "DuckDBPyConnection") -> None:
        self.columns = columns
        self._con = con

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while True:
            with _explained():
                rows = self._con.fetchmany(_ROWS_AT_A_TIME)
            if not rows:
                return
            yield from rows

    def objects(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries, for queries whose column names are unique."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self]


def named_queries() -> dict[str, Query]:
    """Return every named query, by name."""
    return {query.name: query for folder in FOLDERS for query in folder_queries(folder)}


def find_query(name: str) -> Query:
    """Return a named query.

    Raises:
        QueryError: there is none of this name.
    """
    queries = named_queries()
    if name in queries:
        return queries[name]
    guess = did_you_mean(name, queries)
    hint = f"did you mean {guess!r}?" if guess else f"known are {', '.join(queries)}"
    raise QueryError(f"no named query {shown(name)}; {hint} (ragfault query --list; --sql takes SQL)")


def run_named(con: "DuckDBPyConnection", name: str, parameters: Mapping[str, str] | None = None) -> Rows:
    """Run a named query. A parameter that is not given is NULL, and the query's header says what that means.

    Raises:
        QueryError: there is no such query or parameter, a value does not fit, or the query fails.
    """
    query = find_query(name)
    return run_sql(con, query.body, named_parameters(query, parameters or {}))


def named_parameters(query: Query, given: Mapping[str, str]) -> dict[str, str | None]:
    """Return a value for every parameter of a named query.

    Raises:
        QueryError: a parameter is given that it does not have.
    """
    for name in given:
        if name not in query.parameters:
            raise QueryError(f"{query.name} has no parameter {shown(name)}; {_known(query.parameters)}")
    return {name: given.get(name) for name in query.parameters}


def run_sql(con: "DuckDBPyConnection", sql: str, parameters: Mapping[str, str | None] | None = None) -> Rows:
    """Run one statement that asks for rows.

    Args:
        con: a database opened for reading.
        sql: the statement, with parameters as ``$name``.
        parameters: a value for each.

    Raises:
        QueryError: it is not one statement, it does more than ask, parameters do not fit, or it fails.
    """
    statement = _asking_statement(con, sql)
    bound = _bound(statement, parameters or {})
    with _explained():
        con.execute(statement, bound)
    columns = tuple(Column(name, kind) for name, kind, *_ in con.description or ())
    if all(column.type.id != _NANOSECONDS for column in columns):
        return Rows(columns, con)
    with _explained():
        con.execute(_with_nanoseconds(sql, columns), bound)
    return Rows(tuple(_as_text(column) for column in columns), con)


def arrow_table(con: "DuckDBPyConnection", sql: str, parameters: Mapping[str, str | None] | None = None) -> "pa.Table":
    """Run one statement that asks for rows; return them as Arrow. Errors are those of :func:`run_sql`."""
    statement = _asking_statement(con, sql)
    bound = _bound(statement, parameters or {})
    with _explained():
        relation = con.sql(statement, params=bound)
        return _with_plain_uuids(relation.to_arrow_table(), relation.types)


def _with_plain_uuids(table: "pa.Table", types: "list[DuckDBPyType]") -> "pa.Table":
    """Return the table with UUIDs, which Arrow gets as text, as 32 hex digits: as every other format has them."""
    import pyarrow.compute as pc

    for number, kind in enumerate(types):
        if kind.id == "uuid":
            plain = pc.replace_substring(table.column(number), "-", "")
            table = table.set_column(number, table.column_names[number], plain)
    return table


def _asking_statement(con: "DuckDBPyConnection", sql: str) -> "Statement":
    with _explained():
        statements = con.extract_statements(sql)
    if len(statements) != 1:
        found = f"{len(statements)} statements" if statements else "no statement"
        raise QueryError(f"found {found}, wanted one that asks for rows; give a single SELECT")
    kind = statements[0].type.name
    if kind not in _ASKING:
        raise QueryError(
            f"found {kind}, wanted a statement that only asks: SELECT, WITH, FROM, PIVOT, DESCRIBE, SHOW, SUMMARIZE or "
            "EXPLAIN; to change the database, open it with duckdb"
        )
    return statements[0]


def _bound(statement: "Statement", given: Mapping[str, str | None]) -> dict[str, str | None]:
    wanted = tuple(sorted(statement.named_parameters))
    if any(name.isdecimal() for name in wanted):
        raise QueryError("found the parameter ?, wanted a name such as $case; name it, and give its value by that name")
    for name in wanted:
        if name not in given:
            raise QueryError(f"parameter ${name} has no value; give one: --param {name}=VALUE")
    for name in given:
        if name not in wanted:
            raise QueryError(f"the statement has no parameter {shown(name)}; {_known(wanted)}")
    return dict(given)


def _known(parameters: tuple[str, ...]) -> str:
    return f"it has {', '.join(parameters)}" if parameters else "it has none"


def _with_nanoseconds(sql: str, columns: tuple[Column, ...]) -> str:
    """Return the statement with its TIMESTAMP_NS columns as text. Columns are named by number: names may repeat."""
    names = [f"column{number}" for number in range(len(columns))]
    wanted = [
        f"strftime({name}, '%Y-%m-%dT%H:%M:%S.%n') || 'Z'" if column.type.id == _NANOSECONDS else name
        for name, column in zip(names, columns, strict=True)
    ]
    return f"SELECT {', '.join(wanted)}\nFROM (\n{_without_end(sql)}\n) AS asked({', '.join(names)})"


def _without_end(sql: str) -> str:
    """Return a single statement up to its final semicolon. DuckDB's offsets count bytes."""
    text = sql.encode()
    for offset, kind in duckdb.tokenize(sql):
        if kind == duckdb.token_type.operator and text[offset : offset + 1] == b";":
            return text[:offset].decode()
    return sql


def _as_text(column: Column) -> Column:
    return Column(column.name, duckdb.sqltype(_TEXT)) if column.type.id == _NANOSECONDS else column


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what DuckDB says about a statement into one line; what is a fault of DuckDB itself passes through."""
    try:
        yield
    except (duckdb.InternalError, duckdb.IOException, duckdb.OutOfMemoryException):
        raise
    except duckdb.Error as error:
        reason = " ".join(str(error).split("\n\nLINE ", 1)[0].split())
        raise QueryError(f"the query cannot be run: {reason}; correct it (tables: --sql 'SHOW TABLES')") from error

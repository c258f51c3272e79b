"""A retriever's whole result: the items in it, in order, and their one JSON form."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import zip_longest
from typing import Any

import orjson

from otel_ragfault.capture._documents import ID_NAMES, LONGEST_BARE_ID, document_text, read_document
from otel_ragfault.capture._failures import Guard, count_failure
from otel_ragfault.capture._text import View, dumps
from otel_ragfault.capture._values import call, number, peek

_LISTS = (
    "documents",
    "matches",
    "results",
    "hits",
    "points",
    "nodes",
    "source_nodes",
    "chunks",
    "docs",
    "items",
    "value",
    "data",
)
_PARALLEL_SCORES = ("distances", "scores", "similarities")
_DEEPEST = 4  # {"result": {"hits": {"hits": […]}}}

_RANKING = Guard("ranking")


def ranking_json(result: Any, view: View) -> str | None:
    """Writes ``[{"id": …, "score": …}, …]`` in the order of the result; ``None`` if no ranking can be seen in it."""
    if type(result) is list and result and not view.texts:
        fast = _uniform(result)
        if fast is not None:
            return fast
    with _RANKING:
        items = items_of(result)
        if items is not None:
            return dumps([row_of(item, view) for item in items])
    return None


def row_of(item: Any, view: View) -> dict[str, Any]:
    """Returns what is recorded of one item."""
    found = read_document(item)
    row: dict[str, Any] = {"id": found.id, "score": found.score}
    if view.texts and view.content:
        text = view.show(document_text(item, found))
        if text is not None:
            row["content"] = text
    return row


def items_of(result: Any, depth: int = _DEEPEST) -> Iterable[Any] | None:
    """Returns the items of a result without consuming anything; ``None`` if it holds none that can be seen."""
    if result is None or isinstance(result, str | bytes | int | float):
        return None if result is None else (result,)
    if isinstance(result, Mapping):
        return _items_of_mapping(result, depth)
    if isinstance(result, tuple) and not hasattr(result, "_fields"):
        return _items_of_tuple(result, depth)
    if isinstance(result, Sequence | AbstractSet) and not hasattr(result, "_fields"):
        return result
    return _items_of_object(result, depth)


def _uniform(items: list[Any]) -> str | None:
    """Writes the common shapes, all items alike, at a fifth of the cost; ``None`` if they are not."""
    first = type(items[0])
    try:
        if first is tuple:
            rows = [{"id": i, "score": s} for i, s in items if type(s) is float and type(i) is str]
        elif first is dict:
            rows = [
                {"id": item["id"], "score": item["score"]}
                for item in items
                if type(item) is dict and type(item["score"]) is float and type(item["id"]) is str
            ]
        elif first is str:
            rows = [{"id": i, "score": None} for i in items if type(i) is str and len(i) <= LONGEST_BARE_ID]
        else:
            return None
        return orjson.dumps(rows).decode() if len(rows) == len(items) else None
    except (LookupError, TypeError, ValueError, orjson.JSONEncodeError):
        return None  # another shape, or a text that is not valid Unicode: the careful way reads it


def _items_of_mapping(result: Mapping[Any, Any], depth: int) -> Iterable[Any] | None:
    ids = peek(result, ("ids", "chunk_ids"))
    if ids is not None:
        return _from_columns(ids, peek(result, _PARALLEL_SCORES), peek(result, ("documents", "texts")))
    if peek(result, ID_NAMES) is not None:
        return (result,)
    inner = peek(result, (*_LISTS, "result", "response"))
    if inner is not None and depth:
        return items_of(inner, depth - 1)
    if result and all(number(value) is not None for value in result.values()):
        return list(result.items())  # {id: score}
    return None if result else ()


def _items_of_object(result: Any, depth: int) -> Iterable[Any] | None:
    """Looks into arrays, data frames, response objects, and other sized collections, in this order."""
    if hasattr(result, "columns"):
        frame = call(result, "to_dicts") or _records(result)  # polars, pandas
        return frame if isinstance(frame, list) else None
    if hasattr(result, "dtype") and hasattr(result, "tolist"):
        plain = result.tolist()
        return plain if isinstance(plain, list) else (result,)
    inner = peek(result, _LISTS)
    if inner is not None and depth and not isinstance(inner, str | bytes | int | float):
        return items_of(inner, depth - 1)
    if hasattr(type(result), "__len__") and hasattr(type(result), "__iter__") and not hasattr(result, "_fields"):
        return list(result)
    found = read_document(result)
    if found.id is not None:
        return (result,)
    count_failure("ranking.unreadable", f"no items seen in {type(result).__name__}; tell them with extract=")
    return None


def _records(frame: Any) -> Any:
    return frame.to_dict("records") if hasattr(frame, "to_dict") else None


def _from_columns(ids: Any, scores: Any, texts: Any) -> Iterable[Any] | None:
    """Zips the columns of one query, as Chroma returns them; several queries are several rankings, not one."""
    columns = [_column(values) for values in (ids, scores, texts)]
    if isinstance(columns[0], list):
        return [
            {"id": i, "score": s, "text": t}
            for i, s, t in zip_longest(*(column or () for column in columns), fillvalue=None)
        ]
    count_failure("ranking.several", "ids of several queries in one result; tell the one ranking with extract=")
    return None


def _column(values: Any) -> list[Any] | None:
    values = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(values, list | tuple):
        return None
    if values and all(isinstance(value, list) or hasattr(value, "tolist") for value in values):
        return _column(values[0]) if len(values) == 1 else None
    return list(values)


def _items_of_tuple(result: tuple[Any, ...], depth: int) -> Iterable[Any] | None:
    """Tells a tuple of items from the other things that functions return as tuples.

    ``(ids, scores)`` in two lists of one length, either way round; ``(documents, anything)``; one ``(id, score)``.
    """
    lists = [half for half in result if _column(half) is not None and not isinstance(half, tuple)]
    if not lists:
        is_pair = len(result) == 2 and [isinstance(number(one), float) for one in result].count(True) == 1  # noqa: PLR2004
        return (result,) if is_pair else result
    if len(lists) == 1 and len(result) > 1:
        return items_of(lists[0], depth - 1) if depth else None
    if len(lists) == len(result):
        if all(len(row) == 2 and not _numbers(row) and number(row[1]) is not None for row in lists):  # noqa: PLR2004
            return result  # pairs that are lists
        columns = [_column(half) or [] for half in lists]
        if len(columns) == 2 and len(columns[0]) == len(columns[1]) and any(map(_numbers, columns)):  # noqa: PLR2004
            return list(zip(*columns, strict=True))
    count_failure("ranking.several", "several lists in one result; tell the one ranking with extract=")
    return None


def _numbers(values: Iterable[Any]) -> bool:
    return all(number(value) is not None for value in values)

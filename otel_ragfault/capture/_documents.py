"""One retrieved item, whatever its shape: its id, its score, its text."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from otel_ragfault.capture._failures import Guard, count_failure
from otel_ragfault.capture._values import call, id_text, number, peek, score_value

ID_NAMES = ("id", "chunk_id", "doc_id", "document_id", "node_id", "id_", "_id", "uid", "uuid", "passage_id")
SCORE_NAMES = (
    "score",
    "relevance_score",
    "similarity",
    "similarity_score",
    "_score",
    "distance",
    "_distance",
    "@search.score",
)
_TEXT_NAMES = ("page_content", "content", "text", "document", "passage", "body")
_INNER_NAMES = ("node", "document", "doc", "chunk", "item", "entity")
_META_NAMES = ("metadata", "meta", "payload", "_source", "properties")
_META_ID_NAMES = ("chunk_id", "id", "_id", "doc_id", "document_id", "node_id")

LONGEST_BARE_ID = 256
"""A bare string beyond this that holds white space is a passage, not an id, and is not shown as one."""

_DOCUMENT = Guard("document")


class Document(NamedTuple):
    """What is recorded of one retrieved item."""

    id: str | None
    score: float | None
    text: Any = None


NOTHING = Document(None, None)


def read_document(item: Any) -> Document:
    """Reads an item of a ranking; what it lacks is ``None``, and no item makes it raise."""
    with _DOCUMENT:
        if isinstance(item, str):
            return _bare(item)
        if isinstance(item, tuple | list) and not hasattr(item, "_fields"):
            return _row(item)
        if item is None or isinstance(item, bytes | int | float) or number(item) is not None:
            return Document(id_text(item), None)
        found = _described(item)
        return found if found.id is not None else found._replace(id=_own_text(item))
    return NOTHING


def _bare(text: str) -> Document:
    """Takes a string for an id unless it is evidently a passage, which must not leak as one."""
    if len(text) > LONGEST_BARE_ID and any(map(str.isspace, text)):
        count_failure("document.passage_without_id", "a long text came without an id; tell the id with extract=")
        return Document(None, None, text)
    return Document(id_text(text), None)


def _row(row: "tuple[Any, ...] | list[Any]") -> Document:
    """Reads ``(id, score)``, ``(score, id)``, ``(object, score)``, ``(score, object)`` and longer database rows."""
    if len(row) == 2:  # noqa: PLR2004  # a pair
        return _pair(row[0], row[1])
    if not row:
        return NOTHING
    scores = [value for value in map(number, row[1:]) if isinstance(value, float)]
    texts = [value for value in row[1:] if isinstance(value, str)]
    own = read_document(row[0])
    return Document(own.id, score_value(scores[0]) if len(scores) == 1 else own.score, next(iter(texts), own.text))


def _pair(first: Any, second: Any) -> Document:
    left, right = number(first), number(second)
    if right is not None and not (isinstance(left, float) and isinstance(right, int)):
        return read_document(first)._replace(score=score_value(right))
    if isinstance(left, float) and second is not None and not isinstance(second, bool):
        return read_document(second)._replace(score=score_value(left))
    if left is not None and second is not None and not isinstance(second, bool | str):
        return read_document(second)  # (rank, object): a count is not a score
    own = read_document(first)
    if isinstance(second, str) and own.text is None:
        return own._replace(text=second)
    return own


def _described(item: Any) -> Document:
    """Reads an object or a mapping with names: its own members, then those of what it wraps, then its metadata.

    It looks further only while something is missing: on the objects of a database mapper each look may be a query.
    """
    own_id, own_score = peek(item, ID_NAMES), peek(item, SCORE_NAMES)
    if own_id is None or own_score is None:
        for place, names in _places(item):
            own_id = peek(place, names) if own_id is None else own_id
            own_score = peek(place, SCORE_NAMES) if own_score is None else own_score
    return Document(id_text(own_id), score_value(own_score))


def _places(item: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yields where an item may keep its id, score and text if not in itself, with the names that ids have there."""
    inner = peek(item, _INNER_NAMES)
    if inner is not None and not isinstance(inner, str):
        yield inner, ID_NAMES
    for holder in (item, inner):
        meta = None if holder is None or isinstance(holder, str) else peek(holder, _META_NAMES)
        if meta is not None and not isinstance(meta, str):
            yield meta, _META_ID_NAMES


def document_text(item: Any, found: Document) -> str | None:
    """Returns the text of an item, looking as far as :func:`read_document` does, and asking ``get_content()``."""
    if isinstance(found.text, str):
        return found.text
    if isinstance(item, tuple | list) and not hasattr(item, "_fields"):
        item = next((one for one in item if one is not None and number(one) is None), None)
    if item is None or isinstance(item, str | bytes):
        return None
    for place in (item, *(place for place, _ in _places(item))):
        text = peek(place, _TEXT_NAMES)
        if not isinstance(text, str):
            text = call(place, "get_content")
        if isinstance(text, str):
            return text
    return None


def _own_text(item: Any) -> str | None:
    """Takes a UUID, an ObjectId, a path and their like for the id that they are; never a thing with members."""
    if hasattr(type(item), "keys") or hasattr(item, "__dict__") or hasattr(item, "_fields"):
        return None
    return id_text(item)

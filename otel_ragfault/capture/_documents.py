"""One retrieved item, whatever its shape: its id, its score, its text."""

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
    """Reads an object or a mapping with names: its own members first, then what it wraps, then its metadata."""
    inner = peek(item, _INNER_NAMES)
    inner = None if isinstance(inner, str) else inner
    meta = peek(item, _META_NAMES)
    if meta is None and inner is not None:
        meta = peek(inner, _META_NAMES)
    own_id = peek(item, ID_NAMES)
    own_score = peek(item, SCORE_NAMES)
    text = peek(item, _TEXT_NAMES)
    if inner is not None:
        own_id = peek(inner, ID_NAMES) if own_id is None else own_id
        own_score = peek(inner, SCORE_NAMES) if own_score is None else own_score
        text = text if isinstance(text, str) else peek(inner, _TEXT_NAMES)
    if meta is not None:
        own_id = peek(meta, _META_ID_NAMES) if own_id is None else own_id
        own_score = peek(meta, SCORE_NAMES) if own_score is None else own_score
        text = peek(meta, _TEXT_NAMES) if text is None else text
    return Document(id_text(own_id), score_value(own_score), text)


def document_text(item: Any, found: Document) -> str | None:
    """Returns the text of an item, asking ``get_content()`` where that is how it is told."""
    if isinstance(found.text, str):
        return found.text
    told = call(item[0] if isinstance(item, tuple) and item else item, "get_content")
    return told if isinstance(told, str) else None


def _own_text(item: Any) -> str | None:
    """Takes a UUID, an ObjectId, a path and their like for the id that they are; never a thing with members."""
    if hasattr(type(item), "keys") or hasattr(item, "__dict__") or hasattr(item, "_fields"):
        return None
    return id_text(item)

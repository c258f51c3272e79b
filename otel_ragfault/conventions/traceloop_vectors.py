"""Vector databases in OpenLLMetry: one event a result, in the order of the ranking.

Chroma writes distances, Pinecone scores and metadata as a Python repr, Milvus distances as text with the number of the
query. Qdrant and Weaviate record no results.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from otel_ragfault import semconv
from otel_ragfault.conventions.parsing import (
    CONTENT_OFF,
    count_of,
    decode,
    first,
    name_of,
    number_of,
    python_literal,
    text_of,
)
from otel_ragfault.conventions.record import Hit
from otel_ragfault.conventions.span import SpanView

_QUERY_RESULT = "db.query.result"
_SEARCH_RESULT = "db.search.result"
_RESULTS = (_QUERY_RESULT, _SEARCH_RESULT)
_QUERY_NUMBER = "db.search.query.id"
_SYSTEM = "db.system"
_OPERATION = "db.operation"
_MILVUS = "milvus"
_SEARCHES = {
    "chroma": ("query",),
    _MILVUS: ("search", "hybrid_search"),
    "pinecone": ("query",),
    "qdrant": ("search", "query", "query_points", "search_batch"),
    "weaviate": ("query", "do", "near_text", "near_vector", "hybrid"),
}
_TOP_K = ("db.chroma.query.n_results", "db.milvus.search.limit", "db.vector.query.top_k")
_QUERIES = ("db.chroma.query.embeddings_count", "db.chroma.query.texts_count", "db.milvus.search.data_count")
_TEXT_KEYS = ("text", "page_content")
SEVERAL = "several_queries"
"""A problem: one span ran several searches, and their results cannot be told apart."""


def is_search(view: SpanView) -> bool:
    """Tell whether the span searched a vector database."""
    if any(event.get("name") in _RESULTS for event in view.events):
        return view.attributes.get(_SYSTEM) != _MILVUS or view.attributes.get(_OPERATION) != "query"
    system = view.attributes.get(_SYSTEM)
    operation = view.attributes.get(_OPERATION, view.name.rpartition(".")[2])
    searches = _SEARCHES.get(system.lower(), ()) if isinstance(system, str) else ()
    return operation in searches


def ranking(view: SpanView, problems: list[str]) -> dict[str, Any]:
    """Read the results of one search."""
    results = [_attributes(event) for event in view.events if event.get("name") in _RESULTS]
    fields = {"top_k": count_of(first(view.attributes, _TOP_K))}
    if view.dropped_events:
        problems.append("dropped.ranking")
    elif not results:
        # No result and nothing recorded look the same.
        problems.extend([] if view.failed else [CONTENT_OFF])
    elif _several(view, results):
        problems.append(SEVERAL)
    else:
        return fields | {"hits": tuple(_hit(result) for result in results), "score_kind": _score_kind(results)}
    return fields


def _several(view: SpanView, results: Sequence[Mapping[str, Any]]) -> bool:
    numbers = {str(result.get(_QUERY_NUMBER)) for result in results}
    if len(numbers) > 1:
        return True
    if view.attributes.get(_OPERATION) == "hybrid_search":  # counts the parts of one search
        return False
    return any((count_of(view.attributes.get(name)) or 0) > 1 for name in _QUERIES)


def _hit(result: Mapping[str, Any]) -> Hit:
    for prefix in (_QUERY_RESULT, _SEARCH_RESULT):
        score = first(result, (f"{prefix}.score", f"{prefix}.distance"))
        chunk_id = result.get(f"{prefix}.id")
        if chunk_id is not None or score is not None:
            return Hit(name_of(chunk_id), number_of(score), _text(result, prefix))
    return Hit(None, None, _text(result, _QUERY_RESULT))


def _text(result: Mapping[str, Any], prefix: str) -> str | None:
    text = text_of(result.get(f"{prefix}.document"))
    if text is not None:
        return text
    for name in (f"{prefix}.metadata", f"{prefix}.entity"):
        value = result.get(name)
        if isinstance(value, str) and value.startswith("{"):
            found, cut = decode(value)
            said = python_literal(value) if cut else found
            if isinstance(said, dict):
                return text_of(first(said, _TEXT_KEYS))
    return None


def _score_kind(results: Sequence[Mapping[str, Any]]) -> str | None:
    """Return ``distance`` for Chroma. What those of Pinecone and Milvus are depends on the metric of the index."""
    return semconv.SCORE_DISTANCE if all(f"{_QUERY_RESULT}.distance" in result for result in results) else None


def _attributes(event: Mapping[str, Any]) -> Mapping[str, Any]:
    attributes = event.get("attributes")
    return attributes if isinstance(attributes, dict) else {}

"""Documents of any shape into hits: GenAI documents, LangChain documents, LlamaIndex nodes and their reprs."""

import re
from collections.abc import Mapping
from typing import Any, Final

from otel_ragfault.conventions.parsing import decode, name_of, number_of, text_of
from otel_ragfault.conventions.record import Hit

CHUNK_ID: Final = "chunk_id"
"""Key of LangChain metadata under which applications name the chunk themselves."""

_SCORE_KEYS = ("relevance_score", "score")
_NODE_REPR = re.compile(r"<?NodeWithScore\(node=\w+\(id_=(.*)\), score=([^()]*)\)>?", re.DOTALL)

Hits = tuple[Hit, ...] | None


def genai_hits(documents: object) -> Hits:
    """Read ``[{"id", "score", "content"?}, …]``; ``None`` when it is no list of objects."""
    if not isinstance(documents, list) or not all(isinstance(document, dict) for document in documents):
        return None
    return tuple(
        Hit(name_of(document.get("id")), number_of(document.get("score")), _content(document)) for document in documents
    )


def _content(document: Mapping[str, Any]) -> str | None:
    for key in ("content", "text", "page_content"):
        text = text_of(document.get(key))
        if text is not None:
            return text
    return None


def langchain_hits(documents: object) -> Hits:
    """Read LangChain documents, plain or as constructors; ``None`` when it is something else.

    The id is the ``chunk_id`` that the application put into the metadata, else ``Document.id``: vector stores fill
    the latter with a random one where the application sets none.
    """
    if not isinstance(documents, list):
        return None
    hits = [_langchain_hit(document) for document in documents]
    return None if None in hits else tuple(hit for hit in hits if hit is not None)


def _langchain_hit(document: object) -> Hit | None:
    if isinstance(document, dict) and isinstance(document.get("kwargs"), dict):
        document = document["kwargs"]
    if not isinstance(document, dict) or "page_content" not in document:
        return None
    metadata = document.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    chunk_id = name_of(metadata.get(CHUNK_ID)) or name_of(document.get("id"))
    return Hit(chunk_id, metadata_score(metadata), text_of(document["page_content"]))


def metadata_score(metadata: Mapping[str, Any]) -> float | None:
    """Return the score that a reranker left in the metadata of a document."""
    for key in _SCORE_KEYS:
        score = number_of(metadata.get(key))
        if score is not None:
            return score
    return None


def node_hits(nodes: object) -> Hits:
    """Read LlamaIndex nodes with scores, each an object or the JSON text of one; ``None`` when one cannot be read."""
    if not isinstance(nodes, list):
        return None
    hits = [_node_hit(node) for node in nodes]
    return None if None in hits else tuple(hit for hit in hits if hit is not None)


def _node_hit(item: object) -> Hit | None:
    if isinstance(item, str):
        if item.startswith("<"):
            return node_repr_hit(item)
        item = decode(item)[0]
    node = item.get("node") if isinstance(item, dict) else None
    if not isinstance(item, dict) or not isinstance(node, dict):
        return None
    text = text_of(node.get("text"))
    if text is None and isinstance(node.get("text_resource"), dict):
        text = text_of(node["text_resource"].get("text"))
    return Hit(name_of(node.get("id_", node.get("id"))), number_of(item.get("score")), text)


def node_repr_hit(value: object) -> Hit | None:
    """Read ``<NodeWithScore(node=TextNode(id_=…), score=…)>``."""
    match = _NODE_REPR.fullmatch(value) if isinstance(value, str) else None
    return Hit(name_of(match[1]), number_of(match[2])) if match else None


def in_text(hits: tuple[Hit, ...], text: str) -> Hits:
    """Return the documents in the order in which a text holds them; ``None`` unless it holds every one whole."""
    places = []
    for hit in hits:
        place = text.find(hit.text) if hit.text else -1
        if place < 0:
            return None
        places.append(place)
    order = sorted(range(len(hits)), key=lambda index: (places[index], index))
    return tuple(hits[index] for index in order) or None

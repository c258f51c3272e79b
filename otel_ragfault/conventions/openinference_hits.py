"""Rankings of OpenInference: ``<prefix>N.document.{id,score,content,metadata}`` keys into hits.

SDKs discard attributes beyond a limit, Python the oldest first, so that the top of a ranking is what goes. A ranking
of a span that lost attributes, or with an index missing, is not known: it is never a shorter one.
"""

from typing import Any, Final, NamedTuple

from otel_ragfault.conventions import bedrock, openinference_langchain
from otel_ragfault.conventions.parsing import (
    REDACTED,
    REDACTED_CONTENT,
    decode,
    flattened,
    maybe_json,
    name_of,
    number_of,
    text_of,
    whole,
)
from otel_ragfault.conventions.parsing_documents import CHUNK_ID, metadata_score
from otel_ragfault.conventions.record import Hit
from otel_ragfault.conventions.span import SpanView

_DOCUMENTS: Final = "retrieval.documents."
_OUTPUT = "output.value"
_DROPPED = "dropped.ranking"


class HitsRead(NamedTuple):
    """Hits as far as a span tells them, and why not further."""

    hits: tuple[Hit, ...] | None = None
    problems: tuple[str, ...] = ()


def ranked(view: SpanView) -> HitsRead:
    """Read what a retriever returned; LangChain's ids are in its output only."""
    found = documents_at(view, _DOCUMENTS)
    if found.problems and found.hits is None:
        return found
    if found.hits is None:
        return HitsRead(_recorded_empty(view))
    if all(hit.id is not None for hit in found.hits):
        return found
    return _with_ids(view, found)


def _with_ids(view: SpanView, found: HitsRead) -> HitsRead:
    """Complete hits without ids from the documents in the output, rank by rank, where both list as many."""
    hits, cut = openinference_langchain.documents_returned(view)
    if cut:
        return found._replace(problems=(*found.problems, "cut.ranking_ids"))
    if hits is None or found.hits is None or len(hits) != len(found.hits):
        return found
    completed = (
        Hit(
            known.id if known.id is not None else told.id,
            known.score if known.score is not None else told.score,
            known.text,
        )
        for known, told in zip(found.hits, hits, strict=True)
    )
    return found._replace(hits=tuple(completed))


def documents_at(view: SpanView, prefix: str) -> HitsRead:
    """Read the documents under a prefix; neither hits nor problems without any."""
    found = flattened(view.attributes, prefix)
    if not found:
        return HitsRead(None, (_DROPPED,)) if view.dropped_attributes else HitsRead()
    documents = whole(found)
    if documents is None or view.dropped_attributes:
        return HitsRead(None, (_DROPPED,))
    hidden = any(document.get("document.content") == REDACTED for document in documents)
    return HitsRead(tuple(_hit(document) for document in documents), (REDACTED_CONTENT,) if hidden else ())


def _hit(document: dict[str, Any]) -> Hit:
    chunk_id = name_of(document.get("document.id"))
    score = number_of(document.get("document.score"))
    metadata = document.get("document.metadata")
    if metadata is not None and (chunk_id is None or score is None or bedrock.names_chunks(metadata)):
        parsed = decode(metadata)[0]
        if isinstance(parsed, dict):
            chunk_id = bedrock.chunk_id(parsed) or chunk_id or name_of(parsed.get(CHUNK_ID))
            score = metadata_score(parsed) if score is None else score
    return Hit(chunk_id, score, text_of(document.get("document.content")))


def _recorded_empty(view: SpanView) -> tuple[Hit, ...] | None:
    """Tell a recorded empty result, which leaves no key, from none."""
    output = maybe_json(view.attributes.get(_OUTPUT))
    if isinstance(output, dict):
        output = output.get("documents")
    return () if output == [] else None

"""Knowledge bases of Amazon Bedrock: what their spans call a document, and where the id of the chunk is.

``retrieve`` returns a ranking. ``retrieve_and_generate`` answers by itself: the question goes in, the answer comes out
and the documents are what the answer cites; the prompt and the ranking stay with Bedrock. The OpenTelemetry
instrumentation gives the URI of the source file as the id, which all chunks of a file share.
"""

from collections.abc import Mapping
from typing import Any, Final

from otel_ragfault.conventions.parsing import decode, name_of
from otel_ragfault.conventions.record import Hit
from otel_ragfault.conventions.span import SpanView

IDS_NOT_CHUNKS: Final = "ids_not_chunks"
"""A problem: the recorded ids name files, so that the ids of the hits are not known; their number and scores are."""

OPENINFERENCE_SCOPE: Final = "openinference.instrumentation.bedrock"

_OTEL_SCOPE = "opentelemetry.instrumentation.genai.bedrock"
_KNOWLEDGE_BASE = "aws.bedrock.knowledge_base.id"
_CHUNK_ID = "x-amz-bedrock-kb-chunk-id"
_ANSWERS = "retrieve_and_generate"


def is_otel(view: SpanView) -> bool:
    """Tell whether the OpenTelemetry instrumentation of Bedrock wrote the span."""
    return view.scope_name == _OTEL_SCOPE or _KNOWLEDGE_BASE in view.attributes


def answers_from_knowledge_base(attributes: Mapping[str, Any]) -> bool:
    """Tell whether a chat span is a ``retrieve_and_generate``: its input is the question, not a prompt."""
    return _KNOWLEDGE_BASE in attributes


def answers_by_itself(view: SpanView) -> bool:
    """Tell whether an OpenInference span is a ``retrieve_and_generate``: its documents are citations."""
    return view.scope_name == OPENINFERENCE_SCOPE and _ANSWERS in view.name


def without_ids(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Return the hits with their scores alone."""
    return tuple(Hit(None, hit.score, hit.text) for hit in hits)


def names_chunks(metadata: object) -> bool:
    """Tell, without parsing it, whether the JSON text of some metadata may hold the id of a chunk."""
    return isinstance(metadata, str) and _CHUNK_ID in metadata


def chunk_id(found: object) -> str | None:
    """Return the id of the chunk from the metadata of a document, where Bedrock tells it."""
    inner = found.get("metadata") if isinstance(found, dict) else None
    if isinstance(inner, dict) and _CHUNK_ID in inner:
        return name_of(inner[_CHUNK_ID])
    return name_of(found.get(_CHUNK_ID)) if isinstance(found, dict) else None


def number_of_results(parameters: object) -> object:
    """Return how many results were asked for, from ``llm.invocation_parameters``."""
    value, _ = decode(parameters)
    for key in ("retrieval_configuration", "vectorSearchConfiguration", "numberOfResults"):
        value = value.get(key) if isinstance(value, dict) else None
    return value

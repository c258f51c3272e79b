"""LangChain in OpenInference: retrieved documents have no id key, but the output of the span lists them with ids."""

from typing import Any

from otel_ragfault.conventions.parsing import decode
from otel_ragfault.conventions.parsing_documents import Hits, in_text, langchain_hits
from otel_ragfault.conventions.span import SpanView

_INPUT = "input.value"
_OUTPUT = "output.value"
_DOCUMENT_TEXT = '"page_content"'


def documents_returned(view: SpanView) -> tuple[Hits, bool]:
    """Return the documents in the output of a retriever, and whether the output was cut."""
    output = view.attributes.get(_OUTPUT)
    if isinstance(output, str) and _DOCUMENT_TEXT not in output:
        return None, False
    found, cut = decode(output)
    return langchain_hits(found.get("documents") if isinstance(found, dict) else found), cut


def documents_taken(view: SpanView) -> dict[str, Any]:
    """Read the documents that a step of a chain took; they are a prompt where it made a text that holds them all."""
    given = view.attributes.get(_INPUT)
    if not isinstance(given, str) or _DOCUMENT_TEXT not in given:
        return {}
    found, _ = decode(given)
    hits = langchain_hits(found)
    if not hits:
        return {}
    output = view.attributes.get(_OUTPUT)
    return {"input_hits": hits, "prompt_hits": in_text(hits, output) if isinstance(output, str) else None}

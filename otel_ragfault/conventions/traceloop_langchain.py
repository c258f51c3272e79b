"""LangChain in OpenLLMetry: retrievers without ids, whose ids the next task shows in what it took.

Releases before 0.50 have no span of the retriever: what ``format_docs`` took is then all there is.
"""

from typing import Any

from otel_ragfault import semconv
from otel_ragfault.conventions.parsing import CONTENT_OFF, decode, stage
from otel_ragfault.conventions.parsing_documents import in_text, langchain_hits
from otel_ragfault.conventions.parsing_request import question_in
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView

_RETRIEVE = "vector_db_retrieve"
_INPUT = "traceloop.entity.input"
_OUTPUT = "traceloop.entity.output"
_DOCUMENT_TEXT = "page_content"


def read(view: SpanView, fields: dict[str, Any]) -> StageRecord | None:
    """Read a retriever or a task; ``fields`` are what the span says of the request."""
    if view.attributes.get(semconv.GEN_AI_OPERATION_NAME) == _RETRIEVE:
        return _retrieval(view, fields)
    given = view.attributes.get(_INPUT)
    if isinstance(given, str) and _DOCUMENT_TEXT not in given:  # parsing is dear, and most tasks take no documents
        return stage(None, **fields)
    taken, _ = decode(given)
    hits = langchain_hits(taken.get("inputs")) if isinstance(taken, dict) else None
    if not hits:
        return stage(None, **fields)
    made, _ = decode(view.attributes.get(_OUTPUT))
    text = made.get("outputs") if isinstance(made, dict) else None
    prompt_hits = in_text(hits, text) if isinstance(text, str) else None
    return stage(None, **fields, input_hits=hits, prompt_hits=prompt_hits)


def _retrieval(view: SpanView, fields: dict[str, Any]) -> StageRecord | None:
    taken, cut = decode(view.attributes.get(_INPUT))
    given, cut_output = decode(view.attributes.get(_OUTPUT))
    hits = langchain_hits(given.get("documents")) if isinstance(given, dict) else None
    problems = ["cut.query"] if cut else []
    if cut_output or (given is not None and hits is None):
        problems.append("cut.ranking")
    elif hits is None and view.dropped_attributes:
        problems.append("dropped.ranking")
    elif hits is None and taken is None and not cut and not view.failed:
        problems.append(CONTENT_OFF)
    return stage("retrieval", problems, **fields, query=question_in(taken), hits=hits)

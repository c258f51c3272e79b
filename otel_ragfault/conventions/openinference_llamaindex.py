"""LlamaIndex in OpenInference: the name of a span is ``<Class>.<method>``, and methods nest.

``_retrieve`` repeats ``retrieve`` without documents, ``predict`` shows the template of the ``chat`` inside it. A model
that completes texts has no messages: prompt and answer are in what ``complete`` took and returned. A reranker is a
plain chain whose nodes are written as reprs: ids and scores, no texts.
"""

from typing import Any

from otel_ragfault.conventions import llamaindex
from otel_ragfault.conventions.parsing import REDACTED, REDACTED_CONTENT, decode, stage, text_of
from otel_ragfault.conventions.parsing_documents import Hits, node_hits
from otel_ragfault.conventions.parsing_request import question_in
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView

SCOPE = "openinference.instrumentation.llama_index"

_JSON = "application/json"
_INNER_RETRIEVERS = ("_retrieve", "_aretrieve")
_PREDICTIONS = ("predict", "apredict", "structured_predict", "astructured_predict")
_COMPLETIONS = ("complete", "acomplete", "stream_complete", "astream_complete")
_POSTPROCESSORS = ("postprocess_nodes", "_postprocess_nodes", "apostprocess_nodes", "_apostprocess_nodes")
_ENGINES = ("query", "aquery", "chat", "achat", "stream_chat", "astream_chat")
_NOTHING_FOUND = "Empty Response"


def is_ours(view: SpanView) -> bool:
    """Tell whether LlamaIndex wrote the span."""
    return view.scope_name == SCOPE


def _method(view: SpanView) -> str:
    return view.name.rpartition(".")[2]


def is_inner_retriever(view: SpanView) -> bool:
    """Tell whether the span is the inner of two that stand for one retrieval."""
    return is_ours(view) and _method(view) in _INNER_RETRIEVERS


def is_prediction(view: SpanView) -> bool:
    """Tell whether the span is the outer of two that stand for one call of a model."""
    return is_ours(view) and _method(view) in _PREDICTIONS


def is_completion(view: SpanView) -> bool:
    """Tell whether the span is a call of a model that continues a text."""
    return is_ours(view) and _method(view) in _COMPLETIONS


def is_postprocessor(view: SpanView) -> bool:
    """Tell whether the span is a reranker or a filter of nodes."""
    return is_ours(view) and _method(view) in _POSTPROCESSORS


def is_engine(view: SpanView) -> bool:
    """Tell whether the span answers a question, also inside a span of the application."""
    return is_ours(view) and "Engine." in view.name and _method(view) in _ENGINES


def decision(view: SpanView, answer: str | None) -> str | None:
    """Return ``refuse`` for the answer that LlamaIndex itself gives, without a model, when no node is left."""
    return "refuse" if is_ours(view) and answer == _NOTHING_FOUND else None


def completion(view: SpanView, problems: list[str]) -> tuple[str | None, str | None]:
    """Return the prompt that a completion took, and the text that it returned."""
    return _said(view, "input.value", "prompt", "prompt_text", problems), _said(
        view, "output.value", "text", "answer", problems
    )


def _said(view: SpanView, name: str, key: str, field: str, problems: list[str]) -> str | None:
    """Return the text under a key of an input or output, or a plain output; a streamed one is written so."""
    value = view.attributes.get(name)
    if value == REDACTED:
        problems.append(REDACTED_CONTENT)
        return None
    if view.attributes.get(name.replace(".value", ".mime_type")) != _JSON:
        return text_of(value)
    found, cut = decode(value)
    if cut:
        problems.append(f"cut.{field}")
    return text_of(found.get(key)) if isinstance(found, dict) else None


def rerank(view: SpanView, fields: dict[str, Any]) -> StageRecord | None:
    """Read a postprocessor."""
    problems: list[str] = []
    taken, cut_input = decode(view.attributes.get("input.value"))
    taken = taken if isinstance(taken, dict) else {}
    if cut_input:
        problems.append("cut.candidates")
    given, returned = node_hits(taken.get("nodes")), _returned(view, problems)
    return stage(
        "rerank",
        problems,
        **fields,
        query=question_in({key: value for key, value in taken.items() if key != "nodes"}),
        input_hits=given,
        hits=returned,
        top_k=llamaindex.taken_by_filter(given, returned),
    )


def _returned(view: SpanView, problems: list[str]) -> Hits:
    given, cut = decode(view.attributes.get("output.value"))
    hits = node_hits(given)
    if cut or (hits is None and given is not None):
        problems.append("cut.ranking")
    elif hits is None and view.dropped_attributes:
        problems.append("dropped.ranking")
    return hits

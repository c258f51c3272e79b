"""Haystack's own tracing: a span for the pipeline and one for each component, inputs and outputs as JSON.

Told by the names of spans and attributes, because the scope is whatever tracer the application made. What a component
is follows from the names of its inputs and outputs, which are recorded even when ``HAYSTACK_CONTENT_TRACING_ENABLED``
is off. Documents of components are flattened: metadata lies beside ``id``, ``content`` and ``score``, and an ``id``
that is no text shows that metadata took its place.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from otel_ragfault import semconv
from otel_ragfault.conventions.parsing import count_of, name_of, number_of, text_of
from otel_ragfault.conventions.parsing_messages import is_internal
from otel_ragfault.conventions.reading import (
    CUT,
    calls_tool,
    head,
    lost,
    mapping,
    message_text,
    messages_text,
    one_name,
    parsed,
    record,
    told,
)
from otel_ragfault.conventions.record import Hit, Kind, StageRecord
from otel_ragfault.conventions.span import SpanView

_TYPE: Final = "haystack.component.type"
_INPUT: Final = "haystack.component.input"
_OUTPUT: Final = "haystack.component.output"
_INPUT_TYPES: Final = "haystack.component.input_types"
_OUTPUT_SPEC: Final = "haystack.component.output_spec"
_PIPELINE_INPUT: Final = "haystack.pipeline.input_data"
_PIPELINE_OUTPUT: Final = "haystack.pipeline.output_data"
_PIPELINE_METADATA: Final = "haystack.pipeline.metadata"
_PIPELINE_SPANS = ("haystack.pipeline.run", "haystack.async_pipeline.run")

_QUESTIONS = ("query", "question")
_SEARCHES = {"query", "queries", "query_embedding", "query_sparse_embedding", "query_image"}
_SOURCE_INDEX = "source_index"


def claims(span: SpanView) -> bool:
    """Return whether Haystack's tracer wrote the span."""
    return span.name.startswith("haystack.") or _TYPE in span.attributes


def read(span: SpanView) -> StageRecord | None:
    """Return what the span tells."""
    if span.name in _PIPELINE_SPANS or _PIPELINE_INPUT in span.attributes:
        return _pipeline(span)
    if _TYPE not in span.attributes:
        return None
    name = text_of(span.attributes[_TYPE]) or ""
    given, returned = parsed(span.attributes.get(_INPUT)), parsed(span.attributes.get(_OUTPUT))
    inputs = mapping(parsed(span.attributes.get(_INPUT_TYPES))) or mapping(given)
    outputs = mapping(parsed(span.attributes.get(_OUTPUT_SPEC))) or mapping(returned)
    if "answers" in outputs:
        return _answers(span, returned)
    kind = _kind(name, set(inputs), set(outputs))
    if kind == "assembly":
        return _assembly(span, given, returned)
    if kind == "generation":
        return _generation(span, given, returned)
    return _ranking(span, kind, given, returned) if kind else None


def _kind(name: str, inputs: set[str], outputs: set[str]) -> Kind | None:
    if "replies" in outputs:
        return "generation"
    if "prompt" in outputs:
        return "assembly"
    if "documents" not in outputs:
        return None
    if "documents" in inputs:  # splitters, cleaners and embedders take and give documents, too
        return "rerank" if "Rank" in name or "Joiner" in name or "query" in inputs else None
    return "retrieval" if "Retriever" in name or not _SEARCHES.isdisjoint(inputs) else None


def _ranking(span: SpanView, kind: Kind, given: Any, returned: Any) -> StageRecord | None:
    inputs = mapping(given)
    ranked = _documents(mapping(returned).get("documents"))
    collided = ranked is not None and any(found.id is None for found in ranked)
    return record(
        {
            "kind": kind,
            "query": text_of(inputs.get("query")),
            "hits": ranked,
            "input_hits": _documents(inputs.get("documents")) if kind == "rerank" else None,
            "top_k": count_of(inputs.get("top_k")),
            "score_kind": _score_kind(span, inputs) if kind == "retrieval" else None,
            "problems": (lost(span, "ranking", returned) if ranked is None else ())
            + (("collision.ranking",) if collided else ())
            + (("cut.query",) if given is CUT else ()),
        }
    )


def _score_kind(span: SpanView, inputs: Mapping[str, Any]) -> str | None:
    """BM25 unless scaled; other retrievers' scores depend on how the document store was made."""
    name = text_of(span.attributes.get(_TYPE)) or ""
    return semconv.SCORE_BM25 if "BM25" in name and inputs.get("scale_score") is not True else None


def _documents(value: Any) -> tuple[Hit, ...] | None:
    if not isinstance(value, list) or any(isinstance(item, list) for item in value):  # a joiner takes several lists
        return None
    return tuple(_hit(mapping(item)) for item in value)


def _hit(document: Mapping[str, Any]) -> Hit:
    content = document.get("content")
    return Hit(
        text_of(document.get("id")), number_of(document.get("score")), content if isinstance(content, str) else None
    )


def _assembly(span: SpanView, given: Any, returned: Any) -> StageRecord | None:
    prompt = mapping(returned).get("prompt")
    prompt_text = messages_text(prompt)
    lists = [found for found in map(_variable, mapping(given).values()) if found]
    chunks = lists[0] if len(lists) == 1 else None
    problems: tuple[str, ...] = ()
    if given is CUT or given is None:
        problems += lost(span, "prompt_ids", given)
    if prompt_text is None:
        problems += lost(span, "prompt_text", returned)
    return record(
        {
            "kind": "assembly",
            "prompt_ids": tuple(found.id for found in chunks) if chunks and _rendered(chunks, prompt_text) else None,
            "prompt_hits": chunks,
            "prompt_text": prompt_text,
            "problems": tuple(dict.fromkeys(problems)),
        }
    )


def _variable(value: Any) -> tuple[Hit, ...] | None:
    """Return a template variable that holds documents."""
    if isinstance(value, list) and value and all("id" in mapping(item) and "content" in item for item in value):
        return _documents(value)
    return None


def _rendered(chunks: tuple[Hit, ...], prompt: str | None) -> bool:
    """Say whether all chunks stand in the prompt in this order: a template may take only some of them, or turn them."""
    if prompt is None:
        return True
    flat = " ".join(prompt.split())
    place = 0
    for chunk in chunks:
        if chunk.text is None:
            continue
        wanted = " ".join(chunk.text.split())
        found = flat.find(wanted, place)
        if found < 0:
            return False
        place = found + len(wanted)
    return True


def _generation(span: SpanView, given: Any, returned: Any) -> StageRecord | None:
    inputs, outputs = mapping(given), mapping(returned)
    prompt_text = messages_text(inputs.get("messages")) or text_of(inputs.get("prompt"))
    first = head(outputs.get("replies"))
    answer = message_text(first, answer=True)
    meta = mapping(mapping(first).get("meta")) or mapping(head(outputs.get("meta")))
    usage = mapping(meta.get("usage"))
    problems = lost(span, "prompt_text", given) if prompt_text is None else ()
    if first is None:
        problems += lost(span, "answer", returned)
    return record(
        {
            "kind": "generation",
            "prompt_text": prompt_text,
            "answer": answer,
            "internal": (not answer and calls_tool(first)) or is_internal(prompt_text) or None,
            "finish_reasons": one_name(meta.get("finish_reason")),
            "response_model": name_of(meta.get("model")),
            "input_tokens": count_of(usage.get("prompt_tokens")),
            "output_tokens": count_of(usage.get("completion_tokens")),
            "problems": tuple(dict.fromkeys(problems)),
        }
    )


def _answers(span: SpanView, returned: Any) -> StageRecord | None:
    """What the answer builder tells of the request: the answer, and which documents it cites."""
    first = mapping(head(mapping(returned).get("answers")))
    return record(
        {
            "query": text_of(first.get("query")),
            "answer": text_of(first.get("data")),
            "cited": _cited(first.get("documents")),
            "problems": () if first else lost(span, "citations", returned),
        }
    )


def _cited(documents: Any) -> tuple[str, ...] | None:
    """Return the referenced documents in the order of their numbers; ``None`` unless references were looked for."""
    if not isinstance(documents, list):
        return None
    metas = [(mapping(item), mapping(mapping(item).get("meta"))) for item in documents]
    if not any("referenced" in meta for _, meta in metas):
        return None
    referenced = [
        (count_of(meta.get(_SOURCE_INDEX)) or 0, found)
        for document, meta in metas
        if meta.get("referenced") is True and (found := text_of(document.get("id")))
    ]
    return tuple(found for _, found in sorted(referenced, key=lambda pair: pair[0]))


def _pipeline(span: SpanView) -> StageRecord | None:
    given, returned = parsed(span.attributes.get(_PIPELINE_INPUT)), parsed(span.attributes.get(_PIPELINE_OUTPUT))
    questions = {found for found in _questions(given) if found}
    answers = [found for found in _final(returned) if found is not None]
    problems = lost(span, "answer", returned) if not answers else ()
    return record(
        {
            **told(parsed(span.attributes.get(_PIPELINE_METADATA))),
            "kind": "request",
            "query": questions.pop() if len(questions) == 1 else None,
            "answer": answers[0] if answers else None,
            "problems": problems + (("cut.query",) if given is CUT else ()),
        }
    )


def _questions(given: Any) -> Iterator[str | None]:
    for inputs in mapping(given).values():
        for name in _QUESTIONS:
            yield text_of(mapping(inputs).get(name))


def _final(returned: Any) -> Iterator[str | None]:
    for outputs in mapping(returned).values():
        for name in ("answers", "replies"):
            found = mapping(outputs).get(name)
            if isinstance(found, list) and found:
                yield (
                    text_of(mapping(found[0]).get("data")) if name == "answers" else message_text(found[0], answer=True)
                )

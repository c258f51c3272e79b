"""OpenInference: the kind of a span is told, lists are flattened into zero-based keys, and the key index is the rank.

What its instrumentations of LangChain, LlamaIndex and Bedrock do differently is in the modules named after them.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from otel_ragfault.conventions import bedrock, openinference_langchain, openinference_llamaindex
from otel_ragfault.conventions.openinference_hits import HitsRead, documents_at, ranked
from otel_ragfault.conventions.openinference_llm import generation
from otel_ragfault.conventions.parsing import (
    CONTENT_OFF,
    REDACTED,
    REDACTED_CONTENT,
    count_of,
    decode,
    first,
    identity,
    name_of,
    stage,
    text_of,
)
from otel_ragfault.conventions.parsing_request import answer_in, question_in
from otel_ragfault.conventions.record import Hit, StageRecord
from otel_ragfault.conventions.span import SpanView

_SCOPE = "openinference."
_KIND = "openinference.span.kind"
_INPUT = "input.value"
_OUTPUT = "output.value"
_JSON = "application/json"
_METADATA = "metadata"
_PROMPT_NAME = ("prompt.id", "prompt.name")
_PROMPT_VERSION = "llm.prompt_template.version"
_MODEL = "llm.model_name"
_PARAMETERS = "llm.invocation_parameters"
_INPUT_DOCUMENTS: Final = "reranker.input_documents."
_OUTPUT_DOCUMENTS: Final = "reranker.output_documents."
_REQUEST_NAMES = ("Pipeline.run", "AsyncPipeline.run", "Pipeline.run_async", "AsyncPipeline.run_async")


def claims(view: SpanView) -> bool:
    """Tell whether the span is OpenInference's, by its scope or by the attribute that all of its spans carry."""
    return view.scope_name.startswith(_SCOPE) or _KIND in view.attributes


def read(view: SpanView) -> StageRecord | None:
    """Read a span by its kind."""
    kind = view.attributes.get(_KIND)
    fields = _identity(view.attributes)
    if bedrock.answers_by_itself(view):
        return _answered_by_bedrock(view, fields)
    if isinstance(kind, str) and kind in _READERS:
        return _READERS[kind](view, fields)
    if openinference_llamaindex.is_postprocessor(view):
        return openinference_llamaindex.rerank(view, fields)
    if kind in ("CHAIN", "AGENT") and _is_request(view):
        return _request(view, fields)
    return stage(None, **fields | openinference_langchain.documents_taken(view))


def _identity(attributes: Mapping[str, Any]) -> dict[str, Any]:
    metadata = attributes.get(_METADATA)
    parsed = decode(metadata)[0] if metadata is not None else None
    fields = identity(attributes, parsed) if isinstance(parsed, dict) else identity(attributes)
    named = name_of(first(attributes, _PROMPT_NAME))
    if named is not None:
        fields["prompt_name"] = named
    version = name_of(attributes.get(_PROMPT_VERSION))
    if version is not None:
        fields["prompt_version"] = version
    return fields


def _is_request(view: SpanView) -> bool:
    """Tell whether the span stands for a whole question: the outermost one, an agent, an engine or a pipeline."""
    return (
        not view.has_parent
        or view.attributes.get(_KIND) == "AGENT"
        or view.name in _REQUEST_NAMES
        or openinference_llamaindex.is_engine(view)
    )


def _request(view: SpanView, fields: dict[str, Any]) -> StageRecord | None:
    problems: list[str] = []
    query = _value(view, _INPUT, "query", problems)
    answer = _value(view, _OUTPUT, "answer", problems)
    asked, answered = question_in(query), answer_in(answer)
    # A chain that fills an index is outermost, too, but neither asks nor answers.
    told = asked is not None or answered is not None or problems or view.failed
    decision = openinference_llamaindex.decision(view, answered)
    return stage("request" if told else None, problems, **fields, query=asked, answer=answered, decision=decision)


def _value(view: SpanView, name: str, field: str, problems: list[str]) -> object:
    """Return an input or output: plain text, or the structure in it where the type says JSON."""
    value = view.attributes.get(name)
    if value == REDACTED:
        problems.append(REDACTED_CONTENT)
        return None
    if view.attributes.get(name.replace(".value", ".mime_type")) != _JSON:
        return value
    found, cut = decode(value)
    if cut:
        problems.append(f"cut.{field}")
    return found


def _query(view: SpanView, problems: list[str]) -> str | None:
    return question_in(_value(view, _INPUT, "query", problems))


def _generation(view: SpanView, fields: dict[str, Any]) -> StageRecord | None:
    problems: list[str] = []
    told = generation(view, problems)
    return stage("generation", problems, **fields | told)


def _retrieval(view: SpanView, fields: dict[str, Any]) -> StageRecord | None:
    problems: list[str] = []
    query = _query(view, problems)
    if openinference_llamaindex.is_inner_retriever(view):
        return stage("retrieval", problems, **fields, query=query, twin=True)
    found = ranked(view)
    problems.extend(found.problems)
    if found.hits is None and query is None and not problems and not view.failed:
        problems.append(CONTENT_OFF)
    top_k: object = None
    if view.scope_name == bedrock.OPENINFERENCE_SCOPE:
        top_k = bedrock.number_of_results(view.attributes.get(_PARAMETERS))
    return stage(
        "retrieval",
        problems,
        **fields,
        query=query,
        hits=found.hits,
        score_kind=_score_kind(view, found.hits),
        top_k=count_of(top_k),
    )


def _score_kind(view: SpanView, hits: tuple[Hit, ...] | None) -> str | None:
    """Return what the scores are where the class of the retriever says so."""
    if not hits or all(hit.score is None for hit in hits):
        return None
    if "BM25" in view.name:
        return "bm25"
    return "similarity" if "EmbeddingRetriever" in view.name or view.name.startswith("VectorIndexRetriever") else None


def _rerank(view: SpanView, fields: dict[str, Any]) -> StageRecord | None:
    attributes = view.attributes
    problems: list[str] = []
    query = text_of(attributes.get("reranker.query"))
    output = documents_at(view, _OUTPUT_DOCUMENTS)
    given = documents_at(view, _INPUT_DOCUMENTS)
    problems.extend(output.problems or given.problems)
    if output == given == HitsRead() and query is None and not view.failed:
        problems.append(CONTENT_OFF)
    return stage(
        "rerank",
        problems,
        **fields,
        query=query if query is not None else _query(view, problems),
        hits=output.hits,
        input_hits=given.hits,
        top_k=count_of(attributes.get("reranker.top_k")),
    )


def _answered_by_bedrock(view: SpanView, fields: dict[str, Any]) -> StageRecord | None:
    """Read a ``retrieve_and_generate``: a request of its own, or the generation inside the application's."""
    problems: list[str] = []
    cited = ranked(view)
    ids = [hit.id for hit in cited.hits or ()]
    if cited.problems:
        problems.append("dropped.citations")
    return stage(
        "generation" if view.has_parent else "request",
        problems,
        **fields,
        query=_query(view, problems),
        answer=answer_in(_value(view, _OUTPUT, "answer", problems)),
        cited=tuple(name for name in ids if name) if cited.hits is not None and all(ids) else None,
        request_model=name_of(view.attributes.get(_MODEL)),
    )


_READERS: Final[Mapping[str, Callable[[SpanView, dict[str, Any]], StageRecord | None]]] = {
    "RETRIEVER": _retrieval,
    "RERANKER": _rerank,
    "LLM": _generation,
}

"""LlamaIndex's own OTel integration: spans without attributes, everything in events named after LlamaIndex's classes.

Fields of an event are flattened with dots; what is no plain value is JSON text (``"null"`` for nothing). Rerankers fire
no event unless they are structured ones: what came out of them is what ``synthesize`` was given.
"""

from collections.abc import Mapping
from typing import Any, Final

from otel_ragfault.conventions import llamaindex
from otel_ragfault.conventions.parsing import count_of, name_of, text_of
from otel_ragfault.conventions.parsing_messages import is_internal
from otel_ragfault.conventions.reading import (
    head,
    hits,
    lost,
    mapping,
    message_text,
    messages_text,
    one_name,
    parsed,
    record,
)
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView

_SCOPES: Final = ("llamaindex.opentelemetry", "llama_index.")
_Events = Mapping[str, Mapping[str, Any]]


def claims(span: SpanView) -> bool:
    """Return whether LlamaIndex's own integration wrote the span."""
    return span.scope_name.startswith(_SCOPES)


def read(span: SpanView) -> StageRecord | None:
    """Return what the span tells."""
    events = {str(event.get("name")): mapping(event.get("attributes")) for event in map(mapping, span.events)}
    for reader in (_retrieval, _rerank, _chat, _completion, _predict, _synthesis, _response, _query):
        fields = reader(span, events)
        if fields:
            return record(fields)
    return record({"kind": "rerank"}) if llamaindex.is_rerank(span.name) else None


def _both(events: _Events, stem: str) -> Mapping[str, Any]:
    """Return the attributes of a pair of events, the later ones over the earlier."""
    return {**events.get(f"{stem}StartEvent", {}), **events.get(f"{stem}EndEvent", {})}


def _text(value: Any) -> str | None:
    return None if value == "null" else text_of(value)


def _retrieval(span: SpanView, events: _Events) -> dict[str, Any]:
    told = _both(events, "Retrieval")
    if not told:
        return {}
    nodes = parsed(told.get("nodes"))
    ranked = hits(nodes)
    return {
        "kind": "retrieval",
        "query": _text(told.get("str_or_query_bundle.query_str")) or _text(told.get("str_or_query_bundle")),
        "hits": ranked,
        "twin": llamaindex.is_twin(span.name) or None,
        "problems": lost(span, "ranking", nodes) if ranked is None else (),
    }


def _rerank(span: SpanView, events: _Events) -> dict[str, Any]:
    told = _both(events, "ReRank")
    if not told:
        return {}
    nodes = parsed(events.get("ReRankEndEvent", {}).get("nodes"))
    ranked = hits(nodes)
    return {
        "kind": "rerank",
        "query": _text(told.get("query.query_str")) or _text(told.get("query")),
        "hits": ranked,
        "input_hits": hits(parsed(events.get("ReRankStartEvent", {}).get("nodes"))),
        "top_k": count_of(told.get("top_n")),
        "problems": lost(span, "ranking", nodes) if ranked is None else (),
    }


def _chat(span: SpanView, events: _Events) -> dict[str, Any]:
    told = _both(events, "LLMChat")
    if not told:
        return {}
    messages, blocks = parsed(told.get("messages")), parsed(told.get("response.message.blocks"))
    prompt_text = messages_text(messages) if isinstance(messages, list) else None
    answer = message_text({"blocks": blocks}, answer=True)
    if answer is None:
        answer = _text(told.get("response.message.content"))
    return _model(span, told, prompt_text, answer, (messages, blocks))


def _completion(span: SpanView, events: _Events) -> dict[str, Any]:
    told = _both(events, "LLMCompletion")
    if not told:
        return {}
    return _model(span, told, _text(told.get("prompt")), _text(told.get("response.text")), (None, None))


def _model(
    span: SpanView, told: Mapping[str, Any], prompt_text: str | None, answer: str | None, raw: tuple[Any, Any]
) -> dict[str, Any]:
    choice = mapping(head(parsed(told.get("response.raw.choices"))))
    problems = lost(span, "prompt_text", raw[0]) if prompt_text is None else ()
    problems += lost(span, "answer", raw[1]) if answer is None else ()
    return {
        "kind": "generation",
        "prompt_text": prompt_text,
        "answer": answer,
        "finish_reasons": one_name(choice.get("finish_reason")),
        "request_model": name_of(told.get("model_dict.model_name")),
        "response_model": name_of(told.get("response.raw.model")),
        "response_id": name_of(told.get("response.raw.id")),
        "input_tokens": count_of(told.get("response.raw.usage.prompt_tokens")),
        "output_tokens": count_of(told.get("response.raw.usage.completion_tokens")),
        "internal": is_internal(prompt_text) or llamaindex.chooses({}, answer) or None,
        "problems": tuple(dict.fromkeys(problems)),
    }


def _predict(_span: SpanView, events: _Events) -> dict[str, Any]:
    """The template's span around a chat."""
    told = _both(events, "LLMPredict")
    if not told:
        return {}
    template = {"metadata": {"prompt_type": told.get("template.metadata.prompt_type")}}
    answer = _text(told.get("output"))
    return {
        "kind": "generation",
        "answer": answer,
        "prompt_template": _text(told.get("template.template"))
        or _text(told.get("template.default_template.template")),
        "internal": llamaindex.chooses(template, answer) or None,
        "twin": True,
    }


def _synthesis(span: SpanView, events: _Events) -> dict[str, Any]:
    told = _both(events, "Synthesize")
    if not told:
        return {}
    nodes = parsed(told.get("response.source_nodes"))
    chunks = llamaindex.source_hits(nodes)
    return {
        "kind": "assembly",
        "prompt_hits": chunks,
        "problems": lost(span, "prompt_ids", nodes) if chunks is None else (),
    }


def _response(_span: SpanView, events: _Events) -> dict[str, Any]:
    """The texts that were packed into the prompt, several chunks in one."""
    packed = parsed(_both(events, "GetResponse").get("text_chunks"))
    found = [chunk for chunk in packed if isinstance(chunk, str)] if isinstance(packed, list) else []
    return {"kind": "assembly", "prompt_text": "\n\n".join(found)} if found else {}


def _query(span: SpanView, events: _Events) -> dict[str, Any]:
    told = _both(events, "Query") or _both(events, "AgentChatWithStep") or _both(events, "StreamChat")
    if not told:
        return {}
    answer = _text(told.get("response.response")) or _text(told.get("response"))
    return {
        "kind": "request",
        "query": _text(told.get("query.query_str")) or _text(told.get("query")) or _text(told.get("user_msg")),
        "answer": answer,
        "problems": lost(span, "answer", None) if answer is None else (),
    }

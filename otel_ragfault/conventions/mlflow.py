"""MLflow's native spans: every value is JSON, even a plain word (``'"RETRIEVER"'``); kinds in ``mlflow.spanType``.

Written for LangChain and LlamaIndex alike; LlamaIndex runs hold nested twins (``_retrieve`` inside ``retrieve``,
``chat`` inside ``predict``), put scores in the metadata and name rerankers by their method. Spans without any
``mlflow.`` attribute come from ``MLFLOW_ENABLE_OTEL_GENAI_SEMCONV`` and are read by ``mlflow_genai``.
"""

from collections.abc import Mapping
from typing import Any, Final

from otel_ragfault.conventions import llamaindex, mlflow_genai
from otel_ragfault.conventions.parsing import count_of, name_of, text_of
from otel_ragfault.conventions.parsing_messages import is_internal
from otel_ragfault.conventions.reading import (
    CUT,
    calls_tool,
    formatted,
    head,
    hits,
    lost,
    mapping,
    message_text,
    messages_text,
    one_name,
    parsed,
    record,
    told,
)
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView

SCOPE: Final = "mlflow."
_PREFIX: Final = "mlflow."
_TYPE: Final = "mlflow.spanType"
_INPUTS: Final = "mlflow.spanInputs"
_OUTPUTS: Final = "mlflow.spanOutputs"
_MODEL: Final = "mlflow.llm.model"
_USAGE: Final = "mlflow.chat.tokenUsage"
_PROMPTS: Final = "mlflow.linkedPrompts"
_METADATA: Final = "metadata"

_GENERATIONS = {"LLM", "CHAT_MODEL"}
_NO_REQUEST = {"EMBEDDING", "PARSER", "TOOL", "EVALUATOR", "GUARDRAIL"}
_QUESTIONS = ("query", "question", "input", "str_or_query_bundle", "query_bundle", "user_msg", "message")


def claims(span: SpanView) -> bool:
    """Return whether MLflow wrote the span."""
    return span.scope_name.startswith(SCOPE) or _TYPE in span.attributes


def read(span: SpanView) -> StageRecord | None:
    """Return what the span tells."""
    if not any(name.startswith(_PREFIX) for name in span.attributes):
        return mlflow_genai.read(span)
    shared = told(parsed(span.attributes.get(_METADATA)))
    return record({**shared, **_stage(span, text_of(parsed(span.attributes.get(_TYPE))))})


def _stage(span: SpanView, kind: str | None) -> dict[str, Any]:
    given, returned = parsed(span.attributes.get(_INPUTS)), parsed(span.attributes.get(_OUTPUTS))
    if kind == "RETRIEVER":
        return _retrieval(span, given, returned)
    if kind == "RERANKER" or llamaindex.is_rerank(span.name):
        return _rerank(span, given, returned)
    if kind in _GENERATIONS:
        return _generation(span, given, returned)
    if llamaindex.is_synthesis(span.name):
        return {"kind": "assembly", "prompt_hits": llamaindex.source_hits(mapping(given).get("nodes"))}
    if not span.has_parent and kind not in _NO_REQUEST:
        return _request(span, given, returned)
    return {**_message(given), **formatted(given, returned)}


def _retrieval(span: SpanView, given: Any, returned: Any) -> dict[str, Any]:
    ranked = hits(returned)
    return {
        "kind": "retrieval",
        "query": question(given),
        "hits": ranked,
        "twin": llamaindex.is_twin(span.name) or None,
        "problems": (lost(span, "ranking", returned) if ranked is None else ())
        + (("cut.query",) if given is CUT else ()),
    }


def _rerank(span: SpanView, given: Any, returned: Any) -> dict[str, Any]:
    inputs = mapping(given)
    ranked, nodes = hits(returned), hits(inputs.get("nodes"))
    return {
        "kind": "rerank",
        "query": question(given),
        "hits": ranked,
        "input_hits": nodes or hits(inputs.get("documents")),
        "top_k": count_of(inputs.get("top_n")) or llamaindex.taken_by_filter(nodes, ranked),
        "problems": lost(span, "ranking", returned) if ranked is None else (),
    }


def _generation(span: SpanView, given: Any, returned: Any) -> dict[str, Any]:
    inputs, reply = mapping(given), _reply(returned)
    template = mapping(inputs.get("prompt"))
    prompt_text = messages_text(inputs.get("messages") or inputs.get("prompts") or text_of(inputs.get("prompt")))
    usage = mapping(parsed(span.attributes.get(_USAGE)))
    linked = mapping(head(parsed(span.attributes.get(_PROMPTS))))
    problems = () if prompt_text or template else lost(span, "prompt_text", given)
    if reply.get("answer") is None and "internal" not in reply:
        problems += lost(span, "answer", returned)
    return {
        "kind": "generation",
        "prompt_text": prompt_text or llamaindex.filled(template, inputs.get("prompt_args")),
        **reply,
        "request_model": name_of(parsed(span.attributes.get(_MODEL))),
        "prompt_template": llamaindex.template_text(template),
        "input_tokens": count_of(usage.get("input_tokens")),
        "output_tokens": count_of(usage.get("output_tokens")),
        "twin": llamaindex.is_twin(span.name) or None,
        "internal": reply.get("internal")
        or is_internal(prompt_text)
        or llamaindex.chooses(template, reply.get("answer"))
        or None,
        **{
            name: value
            for name, value in (
                ("prompt_name", name_of(linked.get("name"))),
                ("prompt_version", name_of(linked.get("version"))),
            )
            if value is not None
        },
        "problems": tuple(dict.fromkeys(problems)),
    }


def _reply(returned: Any) -> dict[str, Any]:
    """What came back: a text, a completion of OpenAI's shape, or LlamaIndex's answer around one."""
    if isinstance(returned, str):
        return {"answer": returned}
    outer = mapping(returned)
    raw = mapping(outer.get("raw")) or outer
    choice = mapping(head(raw.get("choices")))
    message = outer.get("message") or choice.get("message") or outer.get("text")
    answer = message_text(message, answer=True)
    reply: dict[str, Any] = {
        "answer": answer,
        "finish_reasons": one_name(choice.get("finish_reason")),
        "response_model": name_of(raw.get("model")),
        "response_id": name_of(raw.get("id")),
    }
    if not answer and calls_tool(message):
        reply["internal"] = True
    return {name: value for name, value in reply.items() if value is not None}


def _request(span: SpanView, given: Any, returned: Any) -> dict[str, Any]:
    answer = returned if isinstance(returned, str) else _answer(mapping(returned))
    return {
        "kind": "request",
        "query": question(given),
        "answer": answer,
        "problems": (lost(span, "answer", returned) if answer is None else ())
        + (("cut.query",) if given is CUT else ()),
    }


def _answer(outputs: Mapping[str, Any]) -> str | None:
    for name in ("response", "answer", "output", "result"):
        if (found := message_text(outputs.get(name))) is not None:
            return found
    return None


def question(given: Any) -> str | None:
    """Return the question among the inputs: the only text, or what is named like one."""
    if isinstance(given, str):
        return given
    inputs = mapping(given)
    for name in _QUESTIONS:
        value = inputs.get(name)
        if found := text_of(value) or text_of(mapping(value).get("query_str")):
            return found
    only = list(inputs.values())
    return text_of(only[0]) if len(only) == 1 else None


def _message(given: Any) -> dict[str, Any]:
    """What an output parser of LangChain was given: the model's message, with what the model's own span leaves out."""
    meta = mapping(mapping(given).get("response_metadata"))
    fields = {
        "response_model": name_of(meta.get("model_name")),
        "response_id": name_of(meta.get("id")),
        "finish_reasons": one_name(meta.get("finish_reason")),
    }
    return {name: value for name, value in fields.items() if value is not None}

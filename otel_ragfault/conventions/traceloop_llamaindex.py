"""LlamaIndex in OpenLLMetry: every span is a ``<Class>.task``; what it took tells the method.

Nodes are JSON texts inside JSON. A retriever is there twice (``retrieve`` and, inside it, ``_retrieve``), and so is a
model (``predict`` with the template and, inside it, ``chat`` with the messages).
"""

from collections.abc import Mapping
from typing import Any

from otel_ragfault.conventions import llamaindex
from otel_ragfault.conventions.parsing import CONTENT_OFF, decode, stage, text_of
from otel_ragfault.conventions.parsing_documents import Hits, node_hits
from otel_ragfault.conventions.parsing_messages import answer_text, is_internal, is_internal_answer
from otel_ragfault.conventions.parsing_request import question_in
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView

_SCOPE = "opentelemetry.instrumentation.llamaindex"
_INPUT = "traceloop.entity.input"
_OUTPUT = "traceloop.entity.output"
_OUTPUT_MESSAGES = "gen_ai.output.messages"
_ENTITY = "traceloop.entity.name"
_BUNDLES = ("str_or_query_bundle", "query_bundle")
_RETRIEVER = "Retriever"
_SIMILARITY = "VectorIndexRetriever"
_TEMPLATE_DEPTH = 4


def wrote(view: SpanView) -> bool:
    """Tell whether the span is of LlamaIndex."""
    return view.scope_name.startswith(_SCOPE)


def read(view: SpanView, fields: dict[str, Any]) -> StageRecord | None:
    """Read a task; ``fields`` are what the span says of the request."""
    taken, cut = decode(view.attributes.get(_INPUT))
    entity = view.attributes.get(_ENTITY, view.name)
    entity = entity.partition(".")[0] if isinstance(entity, str) else ""
    keys = taken if isinstance(taken, dict) else {}
    if "nodes" in keys:
        return _of_nodes(view, keys, fields)
    if "prompt_args" in keys or (not keys and _OUTPUT_MESSAGES in view.attributes):
        return _predict(view, keys, fields)
    if entity.endswith(_RETRIEVER):
        return _retrieval(view, keys, cut=cut, entity=entity, fields=fields)
    if any(bundle in keys for bundle in _BUNDLES):
        hits, _ = _given_nodes(view)
        if hits:
            return _retrieval(view, keys, cut=cut, entity=entity, fields=fields)
    return stage(None, **fields)


def _retrieval(
    view: SpanView, taken: Mapping[str, Any], *, cut: bool, entity: str, fields: dict[str, Any]
) -> StageRecord | None:
    hits, was_cut = _given_nodes(view)
    problems = ["cut.query"] if cut else []
    if was_cut:
        problems.append("cut.ranking")
    elif hits is None and view.dropped_attributes:
        problems.append("dropped.ranking")
    elif hits is None and not taken and not cut and not view.failed:
        problems.append(CONTENT_OFF)
    return stage(
        "retrieval",
        problems,
        **fields,
        query=question_in(dict(taken)) if taken else None,
        hits=hits,
        score_kind="similarity" if entity == _SIMILARITY and hits else None,
        twin="query_bundle" in taken and "str_or_query_bundle" not in taken,
    )


def _of_nodes(view: SpanView, taken: Mapping[str, Any], fields: dict[str, Any]) -> StageRecord | None:
    """Read what took nodes: a postprocessor, which returns nodes, or a synthesizer, which returns an answer."""
    given, was_cut = decode(view.attributes.get(_OUTPUT))
    nodes = node_hits(taken["nodes"])
    if isinstance(given, list) or (was_cut and _is_text_of_list(view)):
        hits = node_hits(given)
        return stage(
            "rerank",
            [] if hits is not None else ["cut.ranking"],
            **fields,
            query=question_in({key: value for key, value in taken.items() if key != "nodes"}),
            input_hits=nodes,
            hits=hits,
            top_k=llamaindex.taken_by_filter(nodes, hits),
        )
    return stage(None, **fields, prompt_hits=nodes or None)


def _is_text_of_list(view: SpanView) -> bool:
    return str(view.attributes.get(_OUTPUT))[:1] == "["


def _given_nodes(view: SpanView) -> tuple[Hits, bool]:
    given, was_cut = decode(view.attributes.get(_OUTPUT))
    if was_cut:
        return None, True
    hits = node_hits(given)
    return hits, hits is None and given is not None


def _predict(view: SpanView, taken: Mapping[str, Any], fields: dict[str, Any]) -> StageRecord | None:
    messages, cut = decode(view.attributes.get(_OUTPUT_MESSAGES))
    answer = answer_text(messages) if isinstance(messages, list) else None
    template = _template(taken.get("prompt"), _TEMPLATE_DEPTH)
    if template is not None:
        fields["prompt_template"] = template
    return stage(
        "generation",
        ["cut.answer"] if cut else [],
        **fields,
        answer=answer,
        internal=is_internal(template) or is_internal_answer(answer),
        twin=True,
    )


def _template(prompt: object, depth: int) -> str | None:
    if not isinstance(prompt, dict) or depth == 0:
        return None
    template = text_of(prompt.get("template"))
    return template if template is not None else _template(prompt.get("default_template"), depth - 1)

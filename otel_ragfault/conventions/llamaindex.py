"""What LlamaIndex calls things, for every instrumentation that names spans after its methods."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from otel_ragfault.conventions.parsing import text_of
from otel_ragfault.conventions.reading import hits, mapping
from otel_ragfault.conventions.record import Hit

_TWINS: Final = re.compile(r"\.(?:_a?retrieve|a?predict|a?stream|_a?query)\Z")
_RERANK: Final = re.compile(r"\._?a?postprocess_nodes\Z")
_SYNTHESIS: Final = re.compile(r"\.a?synthesize\Z")
_SOURCE: Final = re.compile(r"Source \d+:\n")
_CHOICES: Final = re.compile(r"(?:Doc: \d+, Relevance: \d+(?:\.\d+)?\s*)+")
_CHOICE_PROMPTS: Final = {"choice_select", "rankgpt_rerank"}
_VARIABLE: Final = re.compile(r"\{(\w+)\}")


def is_twin(name: str) -> bool:
    """Return whether the method only wraps, or is wrapped by, one that records the same."""
    return _TWINS.search(name) is not None


def is_rerank(name: str) -> bool:
    """Return whether the method reorders or filters retrieved nodes."""
    return _RERANK.search(name) is not None


def is_synthesis(name: str) -> bool:
    """Return whether the method makes an answer of nodes."""
    return _SYNTHESIS.search(name) is not None


def taken_by_filter(given: tuple[Hit, ...] | None, returned: tuple[Hit, ...] | None) -> int | None:
    """Return how many nodes a filter took; ``None`` for a reranker, which gives them another order or other scores.

    Up to there nodes were passed on: what a similarity cutoff removes was not beyond any k.
    """
    if given is None or returned is None or len(returned) >= len(given) or any(one.score is None for one in given):
        return None
    left = iter((one.id, one.score) for one in given)
    return len(given) if all((one.id, one.score) in left for one in returned) else None


def source_hits(nodes: Any) -> tuple[Hit, ...] | None:
    """Return nodes that went into an answer.

    ``CitationQueryEngine`` cuts them anew: their ids are then fresh ones, which mean nothing, and their texts begin
    ``Source 1:``. Both are taken off, so that the chunks can be found by text.
    """
    found = hits(nodes)
    return None if found is None else tuple(_unnumbered(one) for one in found)


def _unnumbered(one: Hit) -> Hit:
    match = _SOURCE.match(one.text or "")
    return replace(one, id=None, text=(one.text or "")[match.end() :]) if match else one


def template_text(template: Mapping[str, Any]) -> str | None:
    """Return the text of a prompt template, also of one chosen by a condition."""
    return text_of(template.get("template")) or text_of(mapping(template.get("default_template")).get("template"))


def filled(template: Mapping[str, Any], arguments: Any) -> str | None:
    """Return the prompt that a template gives with its arguments; ``None`` if one is not recorded."""
    wanted = text_of(template.get("template"))
    values = {**mapping(template.get("kwargs")), **mapping(arguments)}
    if wanted is None or any(not isinstance(values.get(name), str) for name in _VARIABLE.findall(wanted)):
        return None
    return _VARIABLE.sub(lambda match: str(values[match[1]]), wanted)


def chooses(template: Mapping[str, Any], answer: Any) -> bool:
    """Return whether a model was asked to choose documents: a reranker's call, not the answer."""
    kind = mapping(template.get("metadata")).get("prompt_type")
    if isinstance(kind, str) and kind in _CHOICE_PROMPTS:
        return True
    return isinstance(answer, str) and _CHOICES.fullmatch(answer.strip()) is not None

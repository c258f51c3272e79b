"""What :mod:`otel_ragfault.conventions.parsing` leaves to the conventions that write whole inputs and outputs as JSON.

Everything here takes any value and never raises. What is not there is ``None``; a text that should be JSON and is not,
because a limit cut it, is :data:`CUT`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from otel_ragfault import semconv
from otel_ragfault.conventions.parsing import (
    CONTENT_OFF,
    REDACTED,
    REDACTED_CONTENT,
    decode,
    first,
    identity,
    name_of,
    number_of,
    python_literal,
    stage,
    text_of,
)
from otel_ragfault.conventions.parsing_documents import CHUNK_ID, in_text, langchain_hits, metadata_score
from otel_ragfault.conventions.parsing_messages import message_text as plain_message_text
from otel_ragfault.conventions.record import Hit, StageRecord
from otel_ragfault.conventions.span import SpanView


class _Cut:
    """The type of :data:`CUT`."""


CUT: Final = _Cut()
"""Stands for a text that began like JSON and is none."""

_JSON_START = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[{"\]])')
_CONTAINER_START = re.compile(r"\s*[\[{(]")
_PAIR = 2
_DEEPEST = 8


def parsed(value: Any) -> Any:
    """Return a value that must be JSON or structured: decoded, as it is, ``None`` if empty, :data:`CUT` if broken."""
    decoded, cut = decode(value)
    return CUT if cut else decoded


def parsed_or_text(value: Any) -> Any:
    """Return a value that may be a bare text: decoded if it is a JSON object or list, :data:`CUT` if half of one."""
    return value if isinstance(value, str) and not _JSON_START.match(value) else parsed(value)


def literal(value: Any) -> Any:
    """Return a value that may be JSON or the ``repr`` of Python data; a text that is neither stays as it is."""
    if not isinstance(value, str) or not _CONTAINER_START.match(value):
        return value
    decoded = parsed(value)
    if decoded is not CUT:
        return decoded
    found = python_literal(value.strip())
    if isinstance(found, dict | list | tuple):
        return list(found) if isinstance(found, tuple) else found
    return CUT if _JSON_START.match(value) else value


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping as it is, and an empty one for everything else."""
    return value if isinstance(value, Mapping) else {}


def head(value: Any) -> Any:
    """Return the first element of a list, and ``None`` if there is none."""
    return value[0] if isinstance(value, list) and value else None


def one_name(value: Any) -> tuple[str, ...] | None:
    """Return a name as a list of one, as finish reasons are."""
    name = name_of(value)
    return None if name is None else (name,)


# --- rankings --------------------------------------------------------------------------------------------------------

_IDS = ("id", "id_", "node_id", CHUNK_ID, "_id")
_TEXTS = ("text", "content", "page_content", "document", "chunk")
_SCORES = ("score", "relevance_score")


def hits(value: Any) -> tuple[Hit, ...] | None:
    """Return a ranking: documents of LangChain, nodes of LlamaIndex, plain objects or texts; ``None`` if it is none.

    An element that cannot be read keeps its rank, as a hit without an id.
    """
    return tuple(hit(item) for item in value) if isinstance(value, list) else None


def hit(item: Any) -> Hit:
    """Return one ranked item in any of the known shapes.

    A ``chunk_id`` in the metadata wins: where applications set no id, vector stores make a random one.
    """
    if isinstance(item, str):
        return Hit(None, None, text_of(item))
    if isinstance(item, list) and len(item) == _PAIR and isinstance(item[0], dict):  # (document, score)
        alone = hit(item[0])
        return Hit(alone.id, number_of(item[1]), alone.text)
    outer = mapping(item)
    inner = mapping(outer.get("node")) or mapping(outer.get("kwargs")) or outer
    metadata = mapping(inner.get("metadata")) or mapping(inner.get("meta"))
    own = _read(number_of, outer, _SCORES)
    return Hit(
        name_of(metadata.get(CHUNK_ID)) or _read(name_of, inner, _IDS),
        own if own is not None else metadata_score(metadata),
        _read(text_of, {**mapping(inner.get("text_resource")), **inner}, _TEXTS),
    )


def _read(reader: Any, values: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((found for name in names if (found := reader(values.get(name))) is not None), None)


def formatted(given: Any, returned: Any) -> dict[str, Any]:
    """Return what a step of LangChain shows that makes one text of documents: they are on their way to the prompt."""
    documents = langchain_hits(given)
    shown = in_text(documents, returned) if documents and isinstance(returned, str) else None
    return {"prompt_hits": shown} if shown else {}


# --- messages --------------------------------------------------------------------------------------------------------


def message_text(message: Any, *, answer: bool = False) -> str | None:
    """Return the text of one message, also of one that holds what a Haystack tool gave back."""
    if (found := plain_message_text(message, answer=answer)) is not None:
        return found
    content = mapping(message).get("content")
    results = (
        [mapping(mapping(part).get("tool_call_result")).get("result") for part in content or ()]
        if (isinstance(content, list) and not answer)
        else []
    )
    return "\n".join(result for result in results if isinstance(result, str)) or None


def messages_text(value: Any, system: Any = None) -> str | None:
    """Return the texts of messages in order, an empty line between two; ``None`` if there is none to read."""
    instructions = message_text({"parts": system}) if system else None
    texts = [text for text in (instructions, *_texts(value, 0)) if text is not None]
    return "\n\n".join(texts) if texts else None


def _texts(value: Any, depth: int) -> Sequence[str | None]:
    """Lists may nest: LangChain writes one list of messages for each of several prompts."""
    if isinstance(value, list) and depth < _DEEPEST:
        return [found for item in value for found in _texts(item, depth + 1)]
    return [message_text(value)]


def calls_tool(message: Any) -> bool:
    """Return whether a reply asks for a tool: it is then a step on the way and not the answer."""
    fields = mapping(mapping(message).get("kwargs")) or mapping(message)
    if fields.get("tool_calls"):
        return True
    parts = fields.get("parts") or fields.get("content")
    return isinstance(parts, list) and any(
        mapping(part).get("type") == "tool_call" or "tool_call" in mapping(part) for part in parts
    )


# --- what applications tell about a request --------------------------------------------------------------------------

_PROMPT_IDS: Final = (semconv.RAGFAULT_ASSEMBLY_CHUNK_IDS, "prompt_chunk_ids")


def told(metadata: Any) -> dict[str, Any]:
    """Return the fields of a record that an application put into its metadata under the names that we ask it to use."""
    values = mapping(metadata)
    fields = identity(values)
    if (response_id := name_of(values.get("response_id"))) is not None:
        fields["response_id"] = response_id
    if isinstance(listed := literal(first(values, _PROMPT_IDS)), list):
        fields["prompt_ids"] = tuple(name_of(item) for item in listed)
    return fields


def under(prefix: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes whose name begins with ``prefix``, by the rest of their name."""
    size = len(prefix)
    return {name[size:]: value for name, value in attributes.items() if name.startswith(prefix)}


def lost(span: SpanView, field: str, value: Any = None) -> tuple[str, ...]:
    """Say why a field is missing: cut, hidden, dropped by the SDK, not recorded, or in no known form.

    A span that failed owes nothing.
    """
    if value is CUT:
        return (f"cut.{field}",)
    if value == REDACTED:
        return (REDACTED_CONTENT,)
    if value is not None:
        return (f"unreadable.{field}",)
    if span.dropped_attributes or span.dropped_events:
        return (f"dropped.{field}",)
    return () if span.failed else (CONTENT_OFF,)


def cut(**values: Any) -> tuple[str, ...]:
    """Say which of the fields are cut: of each, the parsed value it would be read from."""
    return tuple(f"cut.{field}" for field, value in values.items() if value is CUT)


def record(fields: Mapping[str, Any]) -> StageRecord | None:
    """Return the record of the fields that were read; ``None`` if they say nothing."""
    rest = dict(fields)
    return stage(rest.pop("kind", None), rest.pop("problems", ()), **rest)

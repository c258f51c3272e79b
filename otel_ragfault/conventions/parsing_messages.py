"""Messages of any shape into text: GenAI parts, OpenAI content, LangChain constructors, LlamaIndex blocks."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from otel_ragfault.conventions.parsing import text_of

_TEXT_TYPES = (None, "text", "input_text", "output_text")
_REFUSAL = "refusal"
_USER_ROLES = ("user", "human")
_HEAD = 1500  # an instruction stands at the start of a prompt

_RELEVANCES = re.compile(r"(?:\s*Doc: \d+, Relevance: \d+)+\s*")

_INTERNAL: Final = (
    # LlamaIndex: LLMRerank, StructuredLLMRerank, RankGPT
    "A list of documents is shown below. Each document has a number next to it",
    "Respond with the numbers of the documents you should consult",
    # LlamaIndex: fusion retriever, HyDE, chat engines
    "that generates multiple search queries based on a single input query",
    "Please write a passage to answer the question",
    "follow up message from Human, rewrite the message to be a standalone question",
    # LangChain: listwise rerank, compressors, multi-query, history-aware retriever
    "Sort the Documents by their relevance to the Query.",
    "return YES if the context is relevant to the question and NO if it isn't",
    "extract any part of the context *AS IS* that is relevant to answer the question",
    "different versions of the given user",
    "formulate a standalone question which can be understood without the chat history",
    "a follow up question, rephrase the follow up question to be a standalone question",
)
"""Lines of the default prompts of rerankers, compressors and query rewriters; none spans a line break."""


def is_internal(prompt: str | None) -> bool:
    """Tell whether a prompt is the default one of a reranker, compressor or query rewriter: no answer comes of it."""
    if prompt is None:
        return False
    head = prompt[:_HEAD]
    return any(line in head for line in _INTERNAL)


def is_internal_answer(answer: str | None) -> bool:
    """Tell whether an answer is that of LlamaIndex's reranker: ``Doc: 1, Relevance: 8``, a line a document."""
    return answer is not None and _RELEVANCES.fullmatch(answer) is not None


def message_text(message: object, *, answer: bool = False) -> str | None:
    """Return the text of a message; of an answer only what is said, else tool results too."""
    if isinstance(message, str):
        return text_of(message)
    if not isinstance(message, dict):
        return None
    for wrapper in ("kwargs", "data"):
        inner = message.get(wrapper)
        if isinstance(inner, dict) and "content" in inner:
            message = inner
            break
    parts = first_list(message, ("parts", "content", "blocks"))
    text = text_of(message.get("content")) if parts is None else parts_text(parts, answer=answer)
    return text_of(message.get(_REFUSAL)) if text is None else text


def parts_text(parts: object, *, answer: bool = False) -> str | None:
    """Return the texts of message parts, one a line; ``None`` without any (an empty text is one)."""
    if not isinstance(parts, list):
        return text_of(parts)
    texts = [text for part in parts if (text := _part_text(part, answer=answer)) is not None]
    return "\n".join(texts) if texts else None


def _part_text(part: object, *, answer: bool) -> str | None:
    if isinstance(part, str):
        return text_of(part)
    if not isinstance(part, dict):
        return None
    kind = part.get("type", part.get("block_type"))
    if kind in _TEXT_TYPES:
        content = text_of(part.get("content"))
        return content if content is not None else text_of(part.get("text"))
    if kind == _REFUSAL:
        return first_text(part, (_REFUSAL, "content", "text"))
    if kind == "tool_call_response" and not answer:
        return _tool_text(part.get("response", part.get("result")))
    return None


def _tool_text(result: object) -> str | None:
    if isinstance(result, str) or result is None:
        return text_of(result)
    try:
        return orjson.dumps(result).decode()
    except (TypeError, ValueError, RecursionError):
        return None


def messages_text(messages: Sequence[object], system: object = None) -> str | None:
    """Return the text sent to a model: the instructions, then every message, an empty line between them."""
    texts = [parts_text(system)] if system is not None else []
    texts.extend(message_text(message) for message in messages)
    known = [text for text in texts if text is not None]
    return "\n\n".join(known) if known else None


def answer_text(messages: Sequence[object]) -> str | None:
    """Return the text that came back: the first choice that says something."""
    for message in messages:
        text = message_text(message, answer=True)
        if text is not None:
            return text
    return None


def is_refused(messages: Sequence[object]) -> bool:
    """Tell whether all that came back is the model's own refusal: parts of that type, or OpenAI's field so named."""
    said = [message for message in messages if message_text(message, answer=True) is not None]
    return bool(said) and all(isinstance(message, dict) and _refuses(message) for message in said)


def _refuses(message: Mapping[str, Any]) -> bool:
    parts = first_list(message, ("parts", "content", "blocks"))
    if not parts:
        return text_of(message.get("content")) is None and text_of(message.get(_REFUSAL)) is not None
    texts = [part for part in parts if _part_text(part, answer=True) is not None]
    return bool(texts) and all(isinstance(part, dict) and part.get("type") == _REFUSAL for part in texts)


def last_user_text(messages: Sequence[object]) -> str | None:
    """Return what the user said last: the question, also after a longer conversation."""
    for message in reversed(messages):
        if isinstance(message, dict) and _role(message) in _USER_ROLES:
            text = message_text(message)
            if text is not None:
                return text
    return None


def _role(message: Mapping[str, Any]) -> Any:
    for wrapper in ("kwargs", "data"):
        inner = message.get(wrapper)
        if isinstance(inner, dict) and isinstance(inner.get("type"), str):
            return inner["type"]
    role = message.get("role")
    return role if isinstance(role, str) else message.get("type")


def first_text(mapping: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return the first value under one of the names that is a text."""
    return next((text for name in names if (text := text_of(mapping.get(name))) is not None), None)


def first_list(mapping: Mapping[str, Any], names: Sequence[str]) -> list[Any] | None:
    """Return the first value under one of the names that is a list."""
    for name in names:
        value = mapping.get(name)
        if isinstance(value, list):
            return value
    return None

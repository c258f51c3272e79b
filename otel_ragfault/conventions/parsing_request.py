"""Question and answer of a whole request out of what a chain took and returned, already parsed."""

from collections.abc import Callable
from typing import Any

from otel_ragfault.conventions.parsing import text_of
from otel_ragfault.conventions.parsing_messages import answer_text, last_user_text

_QUESTION_KEYS = ("question", "query", "query_str", "input", "user_input")
_ANSWER_KEYS = ("answer", "output", "result", "response", "output_text")
_WRAPPERS = ("inputs", "outputs", "query_bundle", "str_or_query_bundle", "kwargs", "args")
_COMPONENTS = "data"
"""Haystack: what a pipeline took, by the name of the component, which is anything."""

_DEPTH = 5


def question_in(value: object) -> str | None:
    """Return the question in the input of a chain: a text, or the one text under a key that says so.

    Two different questions are none: nothing is guessed.
    """
    return _only(value, _QUESTION_KEYS, last_user_text)


def answer_in(value: object) -> str | None:
    """Return the answer in the output of a chain, in the same way."""
    return _only(value, _ANSWER_KEYS, _last_answer)


def _last_answer(messages: list[Any]) -> str | None:
    return answer_text(messages[-1:])


def _only(value: object, keys: tuple[str, ...], of_messages: Callable[[list[Any]], str | None]) -> str | None:
    if not isinstance(value, dict):
        return text_of(value)
    found: set[str] = set()
    _collect(value, keys, of_messages, found, _DEPTH)
    return found.pop() if len(found) == 1 else None


def _collect(
    value: dict[str, Any],
    keys: tuple[str, ...],
    of_messages: Callable[[list[Any]], str | None],
    found: set[str],
    depth: int,
) -> None:
    if depth == 0:
        return
    messages = value.get("messages")
    said = of_messages(messages) if isinstance(messages, list) else None
    inner = [value[key] for key in (*keys, *_WRAPPERS) if key in value]
    components = value.get(_COMPONENTS)
    if isinstance(components, dict):
        inner.extend(part for part in components.values() if isinstance(part, dict))
    for part in [said, *inner]:
        alone = part[0] if isinstance(part, list) and len(part) == 1 else part
        text = text_of(alone)
        if text is not None:
            found.add(text)
        elif isinstance(alone, dict):
            _collect(alone, keys, of_messages, found, depth - 1)

"""Older places for messages: flattened keys, one attribute, and events of the span.

``gen_ai.prompt.N.{role,content}`` and ``gen_ai.completion.N.{role,content}`` are OpenLLMetry's; ``gen_ai.prompt`` and
``gen_ai.completion`` were attributes, then attributes of ``gen_ai.content.*`` events; ``gen_ai.<role>.message`` and
``gen_ai.choice`` were events of 1.28 to 1.36, which some libraries put on the span in place of the log.
"""

from collections.abc import Mapping
from typing import Any

from otel_ragfault import semconv
from otel_ragfault.conventions.parsing import decode, first, flattened, maybe_json, text_of, whole
from otel_ragfault.conventions.parsing_messages import answer_text, messages_text, parts_text
from otel_ragfault.conventions.span import SpanView

_PROMPT = "gen_ai.prompt"
_COMPLETION = "gen_ai.completion"
_PROMPT_KEYS = ("gen_ai.prompt.", "llm.prompts.")
_COMPLETION_KEYS = ("gen_ai.completion.", "llm.completions.")
_PROMPT_EVENTS = ("gen_ai.system.message", "gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message")
_CHOICE_EVENT = "gen_ai.choice"
_CONTENT = ("content", "gen_ai.event.content", "message")


def legacy_input(view: SpanView, problems: list[str]) -> str | None:
    """Return the prompt from wherever it was before ``gen_ai.input.messages``."""
    messages = _flattened(view, _PROMPT_KEYS, "prompt_text", problems)
    if messages is not None:
        return messages_text(messages)
    alone = _alone(view, _PROMPT)
    if alone is not None:
        return messages_text(alone) if isinstance(alone, list) else text_of(alone)
    return messages_text(_event_messages(view, semconv.GEN_AI_INPUT_MESSAGES, _PROMPT_EVENTS))


def legacy_output(view: SpanView, problems: list[str]) -> str | None:
    """Return the answer from wherever it was before ``gen_ai.output.messages``."""
    messages = _flattened(view, _COMPLETION_KEYS, "answer", problems)
    if messages is not None:
        return answer_text(messages)
    alone = _alone(view, _COMPLETION)
    if alone is not None:
        return answer_text(alone) if isinstance(alone, list) else text_of(alone)
    return answer_text(_event_messages(view, semconv.GEN_AI_OUTPUT_MESSAGES, (_CHOICE_EVENT,)))


def _flattened(view: SpanView, prefixes: tuple[str, ...], field: str, problems: list[str]) -> list[Any] | None:
    for prefix in prefixes:
        found = {
            index: message for index, message in flattened(view.attributes, prefix).items() if _is_message(message)
        }
        if found:
            messages = whole(found)
            if messages is None or (view.dropped_attributes and field == "prompt_text"):
                problems.append(f"dropped.{field}")
                return []
            return [_message(message) for message in messages]
    return None


def _is_message(message: Mapping[str, Any]) -> bool:
    return "role" in message or "content" in message or any(name.startswith("tool_calls.") for name in message)


def _message(message: Mapping[str, Any]) -> object:
    content = message.get("content")
    parts = maybe_json(content)
    return {"parts": parts} if isinstance(parts, list) and parts_text(parts) is not None else {"content": content}


def _alone(view: SpanView, name: str) -> Any:
    sources = [view.attributes, *(_attributes(event) for event in view.events)]
    for source in sources:
        value = source.get(name)
        if value is not None:
            found = maybe_json(value)
            if isinstance(found, dict):
                found = found.get("messages", [found])
            return found if isinstance(found, list) else value
    return None


def _event_messages(view: SpanView, structured: str, names: tuple[str, ...]) -> list[Any]:
    messages: list[Any] = []
    for event in view.events:
        attributes = _attributes(event)
        whole_list = decode(attributes.get(structured))[0]
        if isinstance(whole_list, list):
            return whole_list
        if event.get("name") in names:
            messages.append(_event_message(attributes))
    return messages


def _event_message(attributes: Mapping[str, Any]) -> object:
    value = first(attributes, _CONTENT)
    found = maybe_json(value)
    if isinstance(found, dict):
        inner = found.get("message", found)
        return inner if isinstance(inner, dict) else {"content": inner}
    return {"parts": found} if isinstance(found, list) else {"content": value}


def _attributes(event: Mapping[str, Any]) -> Mapping[str, Any]:
    attributes = event.get("attributes")
    return attributes if isinstance(attributes, dict) else {}

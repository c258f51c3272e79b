"""Calls of models in OpenInference: flattened messages, and the model, which is that of the response where known."""

from collections.abc import Mapping
from typing import Any

from otel_ragfault.conventions import openinference_llamaindex
from otel_ragfault.conventions.parsing import (
    CONTENT_OFF,
    REDACTED,
    REDACTED_CONTENT,
    count_of,
    decode,
    first,
    flattened,
    name_of,
    names_of,
    text_of,
    whole,
)
from otel_ragfault.conventions.parsing_messages import is_internal
from otel_ragfault.conventions.span import SpanView

_INPUT_MESSAGES = "llm.input_messages."
_OUTPUT_MESSAGES = "llm.output_messages."
_PROMPTS = "llm.prompts."
_CHOICES = "llm.choices."
_CONTENT = "message.content"
_CONTENTS = "message.contents."
_TEMPLATE = "llm.prompt_template.template"
_OUTPUT = "output.value"
_LANGCHAIN = "openinference.instrumentation.langchain"
_JSON = "application/json"
_TEXT_TYPES = (None, "text")


def generation(view: SpanView, problems: list[str]) -> dict[str, Any]:
    """Read what was sent and what came back."""
    attributes = view.attributes
    output = attributes.get(_OUTPUT)
    answer = _joined(view, _OUTPUT_MESSAGES, "answer", problems)
    if openinference_llamaindex.is_prediction(view):
        template = text_of(attributes.get(_TEMPLATE))
        plain = text_of(output) if attributes.get("output.mime_type") != _JSON else None
        told = {
            "prompt_template": template,
            "answer": plain if answer is None else answer,
            "internal": is_internal(template),
            "twin": True,
        }
        return _models(view) | told
    prompt = _joined(view, _INPUT_MESSAGES, "prompt_text", problems)
    if prompt is None:
        prompt = _joined(view, _PROMPTS, "prompt_text", problems)
    if answer is None:
        answer = _joined(view, _CHOICES, "answer", problems)
    if prompt is None and answer is None and not problems and openinference_llamaindex.is_completion(view):
        prompt, answer = openinference_llamaindex.completion(view, problems)
    if prompt is None and answer is None and not problems:
        problems.extend(_absence(view))
    template = None if view.scope_name == _LANGCHAIN else text_of(attributes.get(_TEMPLATE))
    return _models(view) | {
        "prompt_template": template,  # LangChain's is the first message of several
        "prompt_text": prompt,
        "answer": answer,
        "internal": is_internal(prompt),
        "response_id": _response_id(output),
    }


def _absence(view: SpanView) -> list[str]:
    if view.dropped_attributes:
        return ["dropped.prompt_text", "dropped.answer"]
    return [] if view.failed else [CONTENT_OFF]


def _models(view: SpanView) -> dict[str, Any]:
    attributes = view.attributes
    parameters = decode(attributes.get("llm.invocation_parameters"))[0]
    asked = first(parameters, ("model", "model_name")) if isinstance(parameters, dict) else None
    named = name_of(attributes.get("llm.model_name"))
    request = name_of(attributes.get("llm.request.model_name")) or name_of(asked)
    response = name_of(attributes.get("llm.response.model_name"))
    if response is None and openinference_llamaindex.is_ours(view):  # names the model that is configured
        request = request or named
    elif response is None:
        response = named
    return {
        "request_model": request,
        "response_model": response,
        "finish_reasons": names_of(attributes.get("llm.finish_reason")),
        "input_tokens": count_of(attributes.get("llm.token_count.prompt")),
        "output_tokens": count_of(attributes.get("llm.token_count.completion")),
    }


def _joined(view: SpanView, prefix: str, field: str, problems: list[str]) -> str | None:
    """Return the texts of flattened messages: all of what was sent, the first of what came back."""
    found = flattened(view.attributes, prefix)
    if not found:
        return None
    messages = whole(found)
    sent = field == "prompt_text"
    if messages is None or (sent and view.dropped_attributes):
        problems.append(f"dropped.{field}")
        return None
    texts = []
    for message in messages:
        text = _text(message)
        if text == REDACTED:
            problems.append(REDACTED_CONTENT)
            return None
        if text is not None:
            texts.append(text)
    if not texts:
        return None
    return "\n\n".join(texts) if sent else texts[0]


def _text(message: Mapping[str, Any]) -> str | None:
    """Return the text of a message, of a prompt or of a choice; the placeholder of hidden content as it is."""
    content = first(message, (_CONTENT, "prompt.text", "completion.text"))
    if isinstance(content, str):
        return content
    parts = whole(flattened(message, _CONTENTS))
    texts = [
        text
        for part in parts or ()
        if part.get("message_content.type") in _TEXT_TYPES and isinstance(text := part.get("message_content.text"), str)
    ]
    return "\n".join(texts) if texts else None


def _response_id(output: object) -> str | None:
    """Return the id that LangChain leaves in the result of the model."""
    if not isinstance(output, str) or '"llm_output"' not in output:
        return None
    result = decode(output)[0]
    told = result.get("llm_output") if isinstance(result, dict) else None
    return name_of(told.get("id")) if isinstance(told, dict) else None

"""What a generation function returned: the answer, and what the response tells about itself."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from otel_ragfault import semconv
from otel_ragfault.capture._documents import read_document
from otel_ragfault.capture._failures import Guard, count_failure
from otel_ragfault.capture._messages import output_messages, text_of_content
from otel_ragfault.capture._text import View, clean, dumps
from otel_ragfault.capture._values import id_text, peek, whole

Attributes = dict[str, Any]

_ANSWER = Guard("answer")
_TEXT_NAMES = ("answer", "text", "output_text", "content", "response", "completion", "output", "result")
_CITATION_NAMES = ("citations", "cited_ids", "cited", "citation_ids")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer as it is recorded; what ``extract=`` of a generation or a request may return.

    Attributes:
        text: The answer. Content: written only when content capture is on.
        citations: Ids of the cited chunks, or the chunks themselves, in the order of the answer.
        decision: ``answer``, ``refuse`` or ``clarify``, where the system says so itself.
        finish_reasons: Why the model stopped.
        response_model: The model that answered.
        response_id: The identifier of the completion.
        input_tokens: Tokens of the prompt.
        output_tokens: Tokens of the answer.
    """

    text: str | None = None
    citations: Iterable[Any] | None = None
    decision: str | None = None
    finish_reasons: Iterable[str] | str | None = None
    response_model: str | None = None
    response_id: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


FIELDS = tuple(field.name for field in fields(Answer))
NO_ANSWER = Answer()


def read_answer(result: Any) -> Answer:
    """Reads an answer from what a function returned; what it does not tell is ``None``."""
    with _ANSWER:
        if isinstance(result, Answer):
            return result
        if isinstance(result, str):
            return Answer(text=result)
        if isinstance(result, tuple) and not hasattr(result, "_fields"):
            return _read_pair(result)
        if result is not None:
            return _read_response(result)
    return NO_ANSWER


def answer_attributes(answer: Answer, view: View) -> Attributes:
    """Turns an answer into attributes; absent fields have none."""
    found: Attributes = {
        semconv.GEN_AI_OUTPUT_MESSAGES: output_messages(answer.text, view),
        semconv.RAGFAULT_CITATIONS: citations_json(answer.citations),
        semconv.RAGFAULT_DECISION: decision(answer.decision),
        semconv.GEN_AI_RESPONSE_FINISH_REASONS: _reasons(answer.finish_reasons),
        semconv.GEN_AI_RESPONSE_MODEL: id_text(answer.response_model),
        semconv.GEN_AI_RESPONSE_ID: id_text(answer.response_id),
        semconv.GEN_AI_USAGE_INPUT_TOKENS: whole(answer.input_tokens),
        semconv.GEN_AI_USAGE_OUTPUT_TOKENS: whole(answer.output_tokens),
    }
    return {name: value for name, value in found.items() if value is not None}


def citations_json(cited: Any) -> str | None:
    """Writes the ids of what is cited; a citation without an id cannot be written and is counted."""
    if cited is None:
        return None
    if isinstance(cited, str):
        cited = (cited,)
    if not isinstance(cited, list | tuple | set | frozenset | dict):
        count_failure("citations", f"found {type(cited).__name__}, a list of ids was wanted")
        return None
    ids = [read_document(one).id for one in cited]
    known = [one for one in ids if one is not None]
    if len(known) < len(ids):
        count_failure("citations", "a citation has no id; pass the ids")
    return dumps(known)


def decision(value: Any) -> str | None:
    """Returns a decision in the project's words; counts any other."""
    if value is None:
        return None
    word = getattr(value, "value", value)
    word = word.strip().lower() if isinstance(word, str) else None
    if word in semconv.DECISIONS:
        return word
    count_failure("decision", f"found another value, one of {', '.join(semconv.DECISIONS)} was wanted")
    return None


def _read_pair(result: tuple[Any, ...]) -> Answer:
    """Reads ``(answer, citations)``."""
    if len(result) == 2 and isinstance(result[0], str):  # noqa: PLR2004
        cited = result[1] if isinstance(result[1], list | tuple) else None
        return Answer(text=result[0], citations=cited)
    return NO_ANSWER


def _read_response(result: Any) -> Answer:
    """Reads a mapping or an object: our own field names, and those of the model clients."""
    choices = peek(result, ("choices",))
    choice = choices[0] if isinstance(choices, list | tuple) and choices else None
    message = peek(choice, ("message",)) if choice is not None else peek(result, ("message",))
    meta = peek(result, ("response_metadata",))
    usage = peek(result, ("usage", "usage_metadata")) or peek(meta, ("token_usage", "usage"))
    text = text_of_content(peek(message, ("content",)))
    if text is None:
        text = text_of_content(peek(result, _TEXT_NAMES)) or text_of_content(peek(choice, ("text",)))
    refusal = peek(message, ("refusal",)) if text is None else None
    is_completion = choice is not None or usage is not None or meta is not None
    refused = isinstance(refusal, str)  # OpenAI: the model's own refusal, beside an ordinary finish reason
    return Answer(
        text=refusal if refused else text,
        citations=peek(result, _CITATION_NAMES),
        decision=peek(result, ("decision",)),
        finish_reasons=["refusal"] if refused else _finish_reasons(result, choices, meta),
        response_model=peek(result, ("response_model", "model")) or peek(meta, ("model_name", "model")),
        response_id=peek(result, ("response_id", "id") if is_completion else ("response_id",)),
        input_tokens=peek(usage or result, ("input_tokens", "prompt_tokens")),
        output_tokens=peek(usage or result, ("output_tokens", "completion_tokens")),
    )


def _finish_reasons(result: Any, choices: Any, meta: Any) -> Any:
    if isinstance(choices, list | tuple):
        reasons = [peek(choice, ("finish_reason",)) for choice in choices]
        return [reason for reason in reasons if isinstance(reason, str)] or None
    told = peek(result, ("finish_reasons", "finish_reason", "stop_reason"))
    return peek(meta, ("finish_reason", "stop_reason")) if told is None else told


def _reasons(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    values = (value,) if isinstance(value, str) else value
    if not isinstance(values, list | tuple):
        return None
    return tuple(clean(one) for one in values if isinstance(one, str)) or None

"""Questions, prompts and answers in the JSON form of the GenAI conventions."""

from collections.abc import Mapping
from typing import Any

from otel_ragfault.capture._text import View, dumps
from otel_ragfault.capture._values import peek

_TEXT_NAMES = ("text", "content", "query_str", "query", "question", "page_content")
_ROLES = {"human": "user", "ai": "assistant"}


def plain_text(value: Any) -> str | None:
    """Returns the text of a question: a string, or the text that an object or mapping names as such."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, int | float | bytes):
        return None
    found = peek(value, _TEXT_NAMES)
    return found if isinstance(found, str) else None


def shown_text(value: Any, view: View) -> str | None:
    """Returns the text of a question as it may be written."""
    return view.show(plain_text(value)) if view.content else None


def input_messages(value: Any, view: View) -> str | None:
    """Writes a prompt (a string, a message, a list of messages of any common client) as messages."""
    if not view.content or value is None:
        return None
    values = value if isinstance(value, list | tuple) else _messages_in(value)
    messages = [message for message in (_message(one, view) for one in values) if message is not None]
    return dumps(messages) if messages else None


def output_messages(text: str | None, view: View) -> str | None:
    """Writes an answer as the one message of the assistant."""
    shown = view.show(text)
    return None if shown is None else dumps([{"role": "assistant", "parts": [_part(shown)]}])


def text_of_content(content: Any) -> str | None:
    """Joins the text parts of a message's content: a string, or a list of parts as the clients model them."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return None
    texts = [part if isinstance(part, str) else peek(part, ("text", "content", "refusal")) for part in content]
    told = [text for text in texts if isinstance(text, str)]
    return "".join(told) if told else None


def _messages_in(value: Any) -> "list[Any] | tuple[Any, ...]":
    """Opens prompt objects that hold their messages (LangChain's ``ChatPromptValue``)."""
    inner = None if isinstance(value, str) else peek(value, ("messages",))
    return inner if isinstance(inner, list | tuple) else (value,)


def _message(value: Any, view: View) -> dict[str, Any] | None:
    role: str = "user"
    text: str | None = None
    if isinstance(value, str):
        text = value
    elif isinstance(value, tuple) and len(value) == 2:  # noqa: PLR2004  # ("system", "…")
        role, text = _role(value[0]), text_of_content(value[1])
    else:
        role = _role(peek(value, ("role", "type")))
        text = text_of_content(peek(value, ("content", "parts", "text", "blocks")))
    shown = view.show(text)
    if shown is not None:
        return {"role": role, "parts": [_part(shown)]}
    return {"role": role, "parts": []} if _is_message(value) else None


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and "role" in value


def _role(value: Any) -> str:
    value = getattr(value, "value", value)  # roles are enums in some clients
    return _ROLES.get(value, value) if isinstance(value, str) and value.isidentifier() else "user"


def _part(text: str) -> dict[str, str]:
    return {"type": "text", "content": text}

"""The kinds of value that gold and corpus files share: ids, texts, times, lists."""

import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema

from otel_ragfault.model.wording import shown


class StrictModel(BaseModel):
    """A frozen model that takes no unknown key and converts nothing on its own."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def as_id(value: object) -> str:
    """Return an id as text. A whole number becomes its digits; nothing else is converted.

    Raises:
        ValueError: the value is no id.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and not _is_blank(value):
        return value
    raise ValueError(f"found {_blank_or_shown(value)}, wanted an id (text or a whole number)")


def as_text(value: object) -> str:
    """Return a text that says something.

    Raises:
        ValueError: the value is no text, or blank.
    """
    if isinstance(value, str) and not _is_blank(value):
        return value
    raise ValueError(f"found {_blank_or_shown(value)}, wanted a text")


def _blank_or_shown(value: object) -> str:
    return "a blank text" if isinstance(value, str) and value and _is_blank(value) else shown(value)


def _is_blank(text: str) -> bool:
    """Say whether a text shows nothing: white space, controls, and invisible characters such as U+200B."""
    return all(unicodedata.category(character)[0] in "CZ" for character in text)


def as_time(value: object) -> datetime | None:
    """Return an ISO 8601 time in UTC. A time without a zone is UTC; a date is its first moment.

    Raises:
        ValueError: the value is no such text.
    """
    if value is None:
        return None
    try:
        time = value if isinstance(value, datetime) else datetime.fromisoformat(_iso_text(value))
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        wanted = "an ISO 8601 time such as 2026-01-31T09:00:00Z"
        raise ValueError(f"found {shown(value)}, wanted {wanted}") from None


def _iso_text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 - pydantic turns a ValueError into a fault, a TypeError into a crash
    return value.strip()


def listed(value: object) -> tuple[Any, ...]:
    """Return a list as a tuple; null is an empty one.

    Raises:
        ValueError: the value is no list.
    """
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(value)
    raise ValueError(f"found {shown(value)}, wanted a list")


def one_or_listed(value: object) -> tuple[Any, ...]:
    """Return a list as a tuple, and a single text as a tuple of one.

    Raises:
        ValueError: the value is neither.
    """
    return (value,) if isinstance(value, str) else listed(value)


def plain_object(value: object) -> object:
    """Return the value, and an empty object for null."""
    return {} if value is None else value


Id = Annotated[str, BeforeValidator(as_id), WithJsonSchema({"type": ["string", "integer"], "minLength": 1})]
Text = Annotated[str, BeforeValidator(as_text), WithJsonSchema({"type": "string", "minLength": 1})]
Time = Annotated[
    datetime | None,
    BeforeValidator(as_time),
    WithJsonSchema({"type": ["string", "null"], "description": "ISO 8601; without a zone it is UTC"}),
]
Texts = Annotated[
    tuple[Text, ...],
    BeforeValidator(one_or_listed),
    WithJsonSchema({"type": ["array", "string", "null"], "items": {"type": "string", "minLength": 1}}),
]

"""The corpus file: one chunk a line, as it is in the index."""

import hashlib
import re
from typing import Annotated, Any, Final, Self

from pydantic import BeforeValidator, ConfigDict, model_validator

from otel_ragfault.model.fields import Id, StrictModel, Text, Time, as_id, one_or_listed
from otel_ragfault.model.problems import at_field
from otel_ragfault.model.wording import did_you_mean, shown

_OTHER_NAMES = {
    "chunk_id": ("id", "_id", "chunk", "uuid"),
    "doc_id": ("doc", "document", "document_id", "source_id"),
    "text": ("content", "contents", "page_content", "body", "passage"),
    "permitted": ("permissions", "allowed", "allowed_groups", "acl"),
    "valid_from": ("valid_since", "effective_from"),
    "valid_to": ("valid_until", "valid_till", "expires", "expires_at", "effective_to"),
}
_NEAR = 0.85
_SHA256: Final = re.compile(r"(?:sha256:)?([0-9a-f]{64})")


def _optional_id(value: object) -> str | None:
    return None if value is None else as_id(value)


def _permitted(value: object) -> object:
    return None if value is None else one_or_listed(value)


def _hash(value: object) -> str | None:
    if value is None:
        return None
    found = _SHA256.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        raise ValueError(f"found {shown(value)}, wanted a SHA-256 as 64 hexadecimal digits")
    return found[1]


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, as hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class CorpusChunk(StrictModel):
    """One chunk of the index. Only ``chunk_id`` is required; keys of other tools are ``foreign`` and kept nowhere.

    ``permitted`` null means that everybody may see it, an empty list that nobody may. ``valid_to`` is the first moment
    at which it is not valid any more, so that it is later than ``valid_from``. ``text_hash`` stands in for a text that
    must not leave its place; beside a text it has to be that text's. ``removed`` is for files of changes: the chunk is
    no longer there. A key that is nearly one of ours while ours is not there (``id``, ``chunkId``, ``content``) is a
    fault, since its value would be lost.
    """

    model_config = ConfigDict(extra="allow")

    chunk_id: Id
    doc_id: Annotated[str | None, BeforeValidator(_optional_id)] = None
    text: str | None = None
    text_hash: Annotated[str | None, BeforeValidator(_hash)] = None
    version: Annotated[str | None, BeforeValidator(_optional_id)] = None
    valid_from: Time = None
    valid_to: Time = None
    observed_at: Time = None
    permitted: Annotated[tuple[Text, ...] | None, BeforeValidator(_permitted)] = None
    removed: bool = False

    @model_validator(mode="before")
    @classmethod
    def _near_misses(cls, value: Any) -> Any:
        if isinstance(value, dict) and not value.keys() <= cls.model_fields.keys():
            absent = [name for name in cls.model_fields if name not in value]
            for key in value.keys() - cls.model_fields.keys():
                meant = _meant(str(key), absent)
                if meant:
                    raise at_field(str(key), f"is not a known key; did you mean {meant!r}?")
        return value

    @model_validator(mode="after")
    def _window(self) -> Self:
        start, end = self.valid_from, self.valid_to
        if start and end and end < start:
            raise at_field("valid_to", f"{end.isoformat()} is before valid_from {start.isoformat()}")
        if start and end and end == start:
            raise at_field(
                "valid_to",
                f"{end.isoformat()} is valid_from, too, so that the chunk is never valid; "
                "valid_to is the first moment at which it is not valid any more",
            )
        return self

    @model_validator(mode="after")
    def _one_text(self) -> Self:
        if self.text is not None and self.text_hash is not None and self.text_hash != text_hash(self.text):
            raise at_field("text_hash", "is not the SHA-256 of the text beside it, in UTF-8")
        return self

    @property
    def foreign(self) -> tuple[str, ...]:
        """Keys that are not known here; ``meta`` is free, as it is in a gold file."""
        return tuple(key for key in self.model_extra or () if key != "meta")


def _meant(key: str, absent: list[str]) -> str | None:
    for name in absent:
        if key.casefold() in _OTHER_NAMES.get(name, ()):
            return name
    return did_you_mean(key, absent, cutoff=_NEAR)

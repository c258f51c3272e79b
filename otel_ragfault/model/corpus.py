"""The corpus file: one chunk a line, as it is in the index."""

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, ConfigDict, model_validator

from otel_ragfault.model.fields import Id, StrictModel, Text, Time, as_id, one_or_listed
from otel_ragfault.model.problems import at_field
from otel_ragfault.model.wording import did_you_mean

_OTHER_NAMES = {
    "chunk_id": ("id", "_id", "chunk", "uuid"),
    "doc_id": ("doc", "document", "document_id", "source_id"),
    "text": ("content", "contents", "page_content", "body", "passage"),
    "permitted": ("permissions", "allowed", "acl"),
}
_NEAR = 0.85


def _optional_id(value: object) -> str | None:
    return None if value is None else as_id(value)


def _permitted(value: object) -> object:
    return None if value is None else one_or_listed(value)


class CorpusChunk(StrictModel):
    """One chunk of the index. Only ``chunk_id`` is required; keys of other tools are passed over.

    ``permitted`` null means that everybody may see it, an empty list that nobody may. A key that is nearly one of ours
    while ours is not there (``id``, ``chunkId``, ``content``) is a fault, since its value would be lost silently.
    """

    model_config = ConfigDict(extra="ignore")

    chunk_id: Id
    doc_id: Annotated[str | None, BeforeValidator(_optional_id)] = None
    text: str | None = None
    version: Annotated[str | None, BeforeValidator(_optional_id)] = None
    valid_from: Time = None
    valid_to: Time = None
    observed_at: Time = None
    permitted: Annotated[tuple[Text, ...] | None, BeforeValidator(_permitted)] = None

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
        if self.valid_from and self.valid_to and self.valid_to < self.valid_from:
            raise at_field(
                "valid_to", f"{self.valid_to.isoformat()} is before valid_from {self.valid_from.isoformat()}"
            )
        return self


def _meant(key: str, absent: list[str]) -> str | None:
    for name in absent:
        if key.casefold() in _OTHER_NAMES.get(name, ()):
            return name
    return did_you_mean(key, absent, cutoff=_NEAR)

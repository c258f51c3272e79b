"""Everything that can be configured, as one model. Where its values come from is told by ``config_sources``."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from otel_ragfault.model.answer_check import compile_pattern
from otel_ragfault.model.fields import StrictModel, Text, listed
from otel_ragfault.model.mapping import ConventionMapping
from otel_ragfault.model.phrases import REFUSAL_PHRASES
from otel_ragfault.model.stopwords import STOPWORDS

_REGEX_MARKS = 2


def pattern_of(phrase: str) -> str | None:
    """Return the regular expression of a phrase written ``/like this/``; ``None`` for a literal phrase."""
    return phrase[1:-1] if len(phrase) > _REGEX_MARKS and phrase[0] == phrase[-1] == "/" else None


def _phrases(phrases: tuple[str, ...]) -> tuple[str, ...]:
    for phrase in phrases:
        compile_pattern(pattern_of(phrase) or "")
    return phrases


def _words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.strip().lower() for word in words)


def _mappings(value: object) -> tuple[object, ...]:
    return (value,) if isinstance(value, dict) else listed(value)


TextList = Annotated[tuple[Text, ...], BeforeValidator(listed)]
Phrases = Annotated[TextList, AfterValidator(_phrases)]


class Config(StrictModel):
    """The configuration of labelling.

    Attributes:
        k: how many of the ranking are passed on, for requests that do not say so themselves.
        similarity_floor: a similarity below which gold counts as not found, in the unit of the retriever's own score.
        stopwords: words that do not count as shared between a question and a chunk, in lower case.
        refusal_phrases: what a refusal says; a literal text, or a regular expression written ``/like this/``.
        extra_refusal_phrases: added to ``refusal_phrases``.
        packing: whether assembly stops at the first chunk over budget, or skips it and goes on.
        default_snapshot: the corpus snapshot of requests that name none.
        mapping: conventions of home-made spans, asked before the built-in ones.
    """

    k: Annotated[int | None, Field(ge=1)] = None
    similarity_floor: float | None = None
    stopwords: Annotated[TextList, AfterValidator(_words)] = STOPWORDS
    refusal_phrases: Phrases = REFUSAL_PHRASES
    extra_refusal_phrases: Phrases = ()
    packing: Literal["stop", "skip"] = "stop"
    default_snapshot: Text | None = None
    mapping: Annotated[tuple[ConventionMapping, ...], BeforeValidator(_mappings)] = ()

    @property
    def all_refusal_phrases(self) -> tuple[str, ...]:
        """The phrases in force."""
        return self.refusal_phrases + self.extra_refusal_phrases

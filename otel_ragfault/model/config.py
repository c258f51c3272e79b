"""Everything that can be configured, as one model. Where its values come from is told by ``config_sources``."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from otel_ragfault.model.answer_check import compile_pattern
from otel_ragfault.model.comparing import ComparingConfig, comparing_object
from otel_ragfault.model.fields import StrictModel, Text, listed
from otel_ragfault.model.floor import FloorProvenance, provenance_object
from otel_ragfault.model.gate import GateConfig, gate_object
from otel_ragfault.model.judging import JudgingConfig, judging_object
from otel_ragfault.model.mapping import ConventionMapping
from otel_ragfault.model.probing import ProbingConfig, probing_object
from otel_ragfault.model.replaying import Packing, ReplayingConfig, replaying_object
from otel_ragfault.model.stopwords import STOPWORDS
from otel_ragfault.model.wording import shown

_REGEX_MARKS = 2


def pattern_of(phrase: str) -> str | None:
    """Return the regular expression of a phrase written ``/like this/``; ``None`` for a literal phrase."""
    return phrase[1:-1] if len(phrase) > _REGEX_MARKS and phrase[0] == phrase[-1] == "/" else None


def _phrases(phrases: tuple[str, ...]) -> tuple[str, ...]:
    for phrase in phrases:
        compile_pattern(pattern_of(phrase) or "")
    return phrases


def _flattened(value: object) -> tuple[object, ...]:
    """Return phrases as a list; a table gives them by language, which is for the reader only."""
    if isinstance(value, dict):
        return tuple(phrase for phrases in value.values() for phrase in listed(phrases))
    return listed(value)


def _place(place: str) -> str:
    module, colon, function = place.partition(":")
    if not colon or not all(part.isidentifier() for part in (*module.split("."), function)):
        raise ValueError(f"found {shown(place)}, wanted module:function, such as my_package.checks:refuses")
    return place


def _words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.strip().lower() for word in words)


def _mappings(value: object) -> tuple[object, ...]:
    return (value,) if isinstance(value, dict) else listed(value)


TextList = Annotated[tuple[Text, ...], BeforeValidator(listed)]
Cutoffs = Annotated[tuple[Annotated[int, Field(ge=1, lt=2**31)], ...], Field(min_length=1), BeforeValidator(listed)]
Phrases = Annotated[tuple[Text, ...], BeforeValidator(_flattened), AfterValidator(_phrases)]


class Config(StrictModel):
    """The configuration of labelling and of measures.

    Attributes:
        k: how many of the ranking are passed on, for requests that do not say so themselves.
        similarity_floor: a similarity below which gold counts as not found, in the unit of the retriever's own score.
        similarity_floor_provenance: where the floor comes from, as ``ragfault floor --write`` tells it.
        stopwords: words that do not count as shared between a question and a chunk, in lower case.
        refusal_phrases: where given, all that makes a refusal, instead of the constructions known of nine languages; a
            literal text, or a regular expression written ``/like this/``; a list, or a table of lists by language.
        extra_refusal_phrases: what makes a refusal beside that.
        refusal_detector: ``module:function``, a function from the text of an answer to whether it refuses; it is asked
            before the text is read, and None leaves the answer to that.
        packing: which chunks assembly takes when they do not all fit: whether it stops at the first chunk over budget,
            skips it and goes on, or takes the shortest first, or those with the most score for their size.
        default_snapshot: the corpus snapshot of requests that name none.
        quote_threshold: how alike a text has to be to a quote of gold, up to 1, where it is not equal.
        measure_cutoffs: the ranks down to which retrieval measures look.
        measure_gain: what a grade is worth in nDCG: itself (``linear``, as trec_eval has it) or 2^grade - 1.
        measure_discount: what nDCG divides the gain at rank r by: log2(1 + r), ``jarvelin`` max(1, log2 r), or r.
        measure_unjudged: whether a ranked chunk that nobody judged is not relevant, or is left out of the ranking.
        measure_order: the ranking as it was recorded, or sorted by score as trec_eval sorts it.
        measure_repeats: whether an id that was ranked before is dropped from the ranking, or holds its place.
        measure_relevant_from: the lowest grade that is relevant.
        bootstrap_seed: which draws the intervals are made of.
        bootstrap_replicates: how many resamples an interval is made of.
        bootstrap_confidence: how sure an interval is, 0.95 for 95 %.
        judging: whom to believe, when a judge is flagged, what evaluations in traces mean.
        comparing: how intervals of changes are made, and when a hypothesis is decided.
        gate: what has to hold of a run, and what must not become worse.
        replaying: how the pipeline assembles prompts, as far as no span says it.
        probing: the generator that probes run, how often and how fast.
        mapping: conventions of home-made spans, asked before the built-in ones.
    """

    k: Annotated[int | None, Field(ge=1)] = None
    similarity_floor: float | None = None
    similarity_floor_provenance: Annotated[FloorProvenance | None, BeforeValidator(provenance_object)] = None
    stopwords: Annotated[TextList, AfterValidator(_words)] = STOPWORDS
    refusal_phrases: Phrases = ()
    extra_refusal_phrases: Phrases = ()
    refusal_detector: Annotated[Text, AfterValidator(_place)] | None = None
    packing: Packing = "stop"
    default_snapshot: Text | None = None
    quote_threshold: Annotated[float, Field(gt=0, le=1)] = 0.9
    measure_cutoffs: Cutoffs = (1, 3, 5, 10)
    measure_gain: Literal["linear", "exponential"] = "linear"
    measure_discount: Literal["log2", "jarvelin", "reciprocal"] = "log2"
    measure_unjudged: Literal["nonrelevant", "leave_out"] = "nonrelevant"
    measure_order: Literal["recorded", "trec"] = "recorded"
    measure_repeats: Literal["drop", "keep"] = "drop"
    measure_relevant_from: Annotated[int, Field(ge=1)] = 1
    bootstrap_seed: Annotated[int, Field(ge=0)] = 1
    bootstrap_replicates: Annotated[int, Field(ge=100, le=100_000)] = 1_000
    bootstrap_confidence: Annotated[float, Field(ge=0.5, lt=1)] = 0.95
    judging: Annotated[JudgingConfig, BeforeValidator(judging_object)] = JudgingConfig()
    comparing: Annotated[ComparingConfig, BeforeValidator(comparing_object)] = ComparingConfig()
    gate: Annotated[GateConfig, BeforeValidator(gate_object)] = GateConfig()
    replaying: Annotated[ReplayingConfig, BeforeValidator(replaying_object)] = ReplayingConfig()
    probing: Annotated[ProbingConfig, BeforeValidator(probing_object)] = ProbingConfig()
    mapping: Annotated[tuple[ConventionMapping, ...], BeforeValidator(_mappings)] = ()

    @property
    def all_refusal_phrases(self) -> tuple[str, ...]:
        """The user's phrases in force."""
        return self.refusal_phrases + self.extra_refusal_phrases

"""What the configuration says about verdicts: whom to believe, when a judge is flagged, what evaluations mean."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

import orjson
from pydantic import AfterValidator, BeforeValidator, Field

from otel_ragfault.model.fields import StrictModel, Text, listed

Source = Literal["human", "rule", "code", "model"]
"""Who judges: a person, our own rules, somebody else's check, a model."""

AnswerSubject = Literal["answer", "refusal", "clarification", "grounded"]
"""What can be judged of a whole answer."""

ItemSubject = Literal["claim_support", "claim_correct", "claim_found", "citation"]
"""What can be judged of a claim or of a citation."""

Subject = Literal[
    "answer",
    "refusal",
    "clarification",
    "grounded",
    "claim_support",
    "claim_correct",
    "claim_found",
    "citation",
]
"""Everything that can be judged."""

SOURCES: Final[tuple[Source, ...]] = get_args(Source)
ANSWER_SUBJECTS: Final[tuple[AnswerSubject, ...]] = get_args(AnswerSubject)
ITEM_SUBJECTS: Final[tuple[ItemSubject, ...]] = get_args(ItemSubject)
SUBJECTS: Final[tuple[Subject, ...]] = get_args(Subject)


class EvaluationMapping(StrictModel):
    """What an evaluation of some name means.

    Attributes:
        subject: what it judges; ``ignore`` for nothing that counts here.
        inverted: a high score, and the label ``yes``, speak against: so it is with ``hallucination``.
        threshold: the score from which it says yes; without it 0.5, for scores from 0 to 1.
        source: who judges, where the evaluation does not say so itself.
    """

    subject: Literal["answer", "refusal", "clarification", "grounded", "ignore"]
    inverted: bool = False
    threshold: float | None = None
    source: Literal["human", "code", "model"] = "model"


def evaluation_key(name: str) -> str:
    """Return a name as names are compared: letters and digits in lower case."""
    return "".join(character for character in name.lower() if character.isalnum())


_ANSWER = EvaluationMapping(subject="answer")
_GROUNDED = EvaluationMapping(subject="grounded")
_NOT_GROUNDED = EvaluationMapping(subject="grounded", inverted=True)
_REFUSAL = EvaluationMapping(subject="refusal")

EVALUATIONS: Final[Mapping[str, EvaluationMapping]] = {
    **dict.fromkeys(("correctness", "correct", "answercorrectness", "qacorrectness", "accuracy"), _ANSWER),
    **dict.fromkeys(("groundedness", "grounded", "faithfulness", "faithful"), _GROUNDED),
    **dict.fromkeys(("hallucination", "hallucinated"), _NOT_GROUNDED),
    **dict.fromkeys(("refusal", "refused", "abstention"), _REFUSAL),
    **dict.fromkeys(("clarification", "asksclarification"), EvaluationMapping(subject="clarification")),
}
"""What common names mean, by :func:`evaluation_key`."""


def _every_source(value: tuple[Source, ...]) -> tuple[Source, ...]:
    for number, source in enumerate(value):
        if source in value[:number]:
            raise ValueError(f"{source!r} is given twice; name each of {', '.join(SOURCES)} once")
    return value + tuple(source for source in SOURCES if source not in value)


def _mapped(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return {name: {"subject": meant} if isinstance(meant, str) else meant for name, meant in value.items()}


def _object(value: object) -> object:
    """Read JSON text, as the environment gives it; anything else stays."""
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value


class JudgingConfig(StrictModel):
    """The table ``[judging]`` of the configuration.

    Attributes:
        precedence: whom to believe first; who is not named comes last, in the usual order.
        agreement_floor: the share of verdicts equal to those of people below which a judge is flagged.
        kappa_floor: Cohen's kappa below which a judge is flagged; without it kappa is only reported.
        citations_required: whether every claim of an answer needs a citation; else only where the answer cites.
        evaluations: what the evaluations in traces mean, by their name; added to those that are known.
        price_input: what a million tokens of a model judge's questions cost, in any currency.
        price_output: what a million tokens of its replies cost.
    """

    precedence: Annotated[tuple[Source, ...], BeforeValidator(listed), AfterValidator(_every_source)] = SOURCES
    agreement_floor: Annotated[float, Field(ge=0, le=1)] = 0.8
    kappa_floor: Annotated[float | None, Field(ge=-1, le=1)] = None
    citations_required: bool = False
    evaluations: Annotated[dict[Text, EvaluationMapping], BeforeValidator(_mapped)] = Field(default_factory=dict)
    price_input: Annotated[float | None, Field(ge=0)] = None
    price_output: Annotated[float | None, Field(ge=0)] = None

    @property
    def evaluation_mapping(self) -> dict[str, EvaluationMapping]:
        """What evaluations mean, by :func:`evaluation_key`: the known names, and those of the configuration."""
        return {**EVALUATIONS, **{evaluation_key(name): meant for name, meant in self.evaluations.items()}}


def judging_object(value: Any) -> Any:
    """Read the table as TOML has it, or as JSON text."""
    return {} if value is None else _object(value)

"""What gold says about the text of a right answer."""

import re
import warnings
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from otel_ragfault.model.fields import StrictModel, Text, Texts, plain_object
from otel_ragfault.model.wording import shown


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a user's regular expression (Python syntax, case does not count).

    Raises:
        ValueError: it is no regular expression.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a pattern that Python may read otherwise one day is still a pattern
            return re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"found {shown(pattern)}, wanted a regular expression ({error})") from None


def _pattern(value: str | None) -> str | None:
    if value is not None:
        compile_pattern(value)
    return value


def _number(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return {"value": value}
    if value is None or isinstance(value, dict | Number):
        return value
    raise ValueError(f'found {shown(value)}, wanted a number or {{"value": 8, "tolerance": 0.5}}')


def check_object(value: object) -> object:
    """Return the value of ``answer``; a bare text is refused with the spelling that was meant.

    Raises:
        ValueError: the value is a text or a list.
    """
    if isinstance(value, str | list):
        raise ValueError(f'found {shown(value)}, wanted an object such as {{"must_contain": ["8 hours"]}}')  # noqa: TRY004
    return plain_object(value)


class Number(StrictModel):
    """A number that the answer has to name: ``value``, give or take ``tolerance`` (both in the answer's unit)."""

    value: float
    tolerance: float = Field(default=0.0, ge=0)


class AnswerCheck(StrictModel):
    """Conditions on the answer's text. All that are given have to hold; none given means that nothing is checked.

    Those of a gold file must not contradict each other (:func:`~otel_ragfault.model.conditions.impossible`).
    """

    must_contain: Texts = ()
    must_not_contain: Texts = ()
    matches: Annotated[Text | None, AfterValidator(_pattern)] = None
    equals: Text | None = None
    number: Annotated[Number | None, BeforeValidator(_number)] = None

    @property
    def is_empty(self) -> bool:
        """Whether no condition is given."""
        return not (
            self.must_contain or self.must_not_contain or self.matches or self.equals or self.number is not None
        )

    def as_json(self) -> dict[str, Any]:
        """Return the conditions as plain JSON values."""
        return self.model_dump(mode="json")

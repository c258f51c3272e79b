"""What the configuration says about comparing two runs: how intervals are made, and when a hypothesis is decided."""

from typing import Annotated, Any, Literal

import orjson
from pydantic import Field

from otel_ragfault.model.fields import StrictModel


class ComparingConfig(StrictModel):
    """The table ``[comparing]`` of the configuration.

    Attributes:
        interval: how the interval of a mean change is made: ``best`` holds what it promises for few cases as well,
            ``percentile`` and ``bca`` are the plain bootstrap intervals, to be held against other software.
        correction: how p-values of many slices are corrected: ``holm`` bounds the chance of a single false alarm,
            ``benjamini_hochberg`` the share of false alarms.
        power: how often a change is to be found, in the number of cases that a hypothesis would take.
        margin: the largest change that ``unchanged`` allows, where a hypothesis does not say ``within``.
    """

    interval: Literal["best", "bca", "percentile"] = "best"
    correction: Literal["holm", "benjamini_hochberg"] = "holm"
    power: Annotated[float, Field(ge=0.5, lt=1)] = 0.8
    margin: Annotated[float, Field(gt=0, lt=1)] = 0.05


def comparing_object(value: Any) -> Any:
    """Read the table as TOML has it, or as JSON text, as the environment gives it."""
    if value is None:
        return {}
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value

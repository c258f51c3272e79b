"""Where the similarity floor of the configuration comes from; ``ragfault floor --write`` fills it in."""

from typing import Annotated, Any

import orjson
from pydantic import BeforeValidator, Field

from otel_ragfault.model.fields import StrictModel, Text, Time, listed

Interval = Annotated[tuple[float, float], BeforeValidator(listed)]
Share = Annotated[float, Field(ge=0, le=1)]


class FloorProvenance(StrictModel):
    """The table ``[similarity_floor_provenance]`` of the configuration.

    Attributes:
        floor: the floor that was calibrated; a ``similarity_floor`` that differs was set by somebody since.
        interval: its bootstrap interval over cases.
        operating_point: how it was chosen: ``youden``, or ``false rejection of at most 0.05``.
        false_rejection: the share of evidence that lies below it.
        false_acceptance: the share of everything else that does not.
        auc: the area under the curve.
        auc_interval: its bootstrap interval over cases.
        confidence: how sure the intervals are.
        database: the file that it was calibrated from.
        group: of which requests, where only those of a service, a data source or an embedding model were used.
        runs: the runs of the pipeline that they belong to.
        cases: how many cases have evidence that was ranked.
        unanswerable: how many unanswerable questions were used.
        requests: how many requests were used.
        calibrated_at: when, UTC.
        version: by which version of otel-ragfault.
    """

    floor: float
    interval: Interval
    operating_point: Text
    false_rejection: Share
    false_acceptance: Share
    auc: Share
    auc_interval: Interval
    confidence: Share
    database: Text
    group: Text | None = None
    runs: Annotated[tuple[Text, ...], BeforeValidator(listed)] = ()
    cases: Annotated[int, Field(ge=0)]
    unanswerable: Annotated[int, Field(ge=0)] = 0
    requests: Annotated[int, Field(ge=0)]
    calibrated_at: Time
    version: Text


def provenance_object(value: Any) -> Any:
    """Read the table as TOML has it, or as JSON text, as the environment gives it."""
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value

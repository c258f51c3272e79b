"""What the configuration says about probes: which generator, how often, how fast."""

from typing import Annotated, Any

import orjson
from pydantic import BeforeValidator, Field

from otel_ragfault.model.fields import StrictModel, Text, listed

Steps = Annotated[tuple[Annotated[int, Field(ge=1, le=1000)], ...], Field(min_length=1), BeforeValidator(listed)]


class ProbingConfig(StrictModel):
    """The table ``[probing]`` of the configuration.

    Attributes:
        generator: the generator: ``module:function``, ``file.py:function``, an address, ``command:…`` or ``shell:…``.
        repeats: how often each probe is run.
        concurrency: calls of the generator at a time.
        rate: calls a second at the most; without it as fast as they come.
        timeout: seconds for one call, after which it is stopped.
        retries: how often a call is made again whose failure may pass.
        distractors: how many chunks the distractor probes add, step by step.
        seed: what planted values follow from.
        confidence: how sure intervals are, 0.95 for 95 %.
    """

    generator: Text | None = None
    repeats: Annotated[int, Field(ge=1, le=1000)] = 1
    concurrency: Annotated[int, Field(ge=1, le=256)] = 4
    rate: Annotated[float | None, Field(gt=0)] = None
    timeout: Annotated[float, Field(gt=0, le=86_400)] = 60.0
    retries: Annotated[int, Field(ge=0, le=10)] = 0
    distractors: Steps = (1, 2, 4, 8)
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 1
    confidence: Annotated[float, Field(ge=0.5, lt=1)] = 0.95


def probing_object(value: Any) -> Any:
    """Read the table as TOML has it, or as JSON text."""
    if value is None:
        return {}
    try:
        return orjson.loads(value) if isinstance(value, str) else value
    except orjson.JSONDecodeError:
        return value

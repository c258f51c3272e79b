"""What the configuration says about assembly for a replay: which chunks it takes, where it places them, who counts."""

from collections.abc import Mapping
from typing import Any, Literal

import orjson

from otel_ragfault.model.fields import StrictModel, Text

Packing = Literal["stop", "skip", "shortest", "score_density"]
"""Which chunks assembly takes when they do not all fit the budget; no rule knows gold.

``stop`` goes down the ranking and ends at the first chunk that does not fit, ``skip`` passes over it and goes on,
``shortest`` takes the smallest first, ``score_density`` those with the most score for their size.
"""

Ordering = Literal["ranked", "reversed", "sides"]
"""Where assembly places the chunks it took.

``ranked`` is best first, ``reversed`` best last and next to the question, ``sides`` best at both ends: the best first,
the second best last, and so on to the middle.
"""


class ReplayingConfig(StrictModel):
    """The table ``[replaying]`` of the configuration: how the pipeline assembles prompts, as far as no span says it.

    Attributes:
        ordering: where assembly places chunks.
        tokenizer: who counts tokens: ``tiktoken:NAME``, ``hf:NAME_OR_FILE`` or ``module:function``.
    """

    ordering: Ordering = "ranked"
    tokenizer: Text | None = None


def replaying_object(value: Any) -> Any:
    """Read the table as TOML has it, or as JSON text."""
    if value is None:
        return {}
    if isinstance(value, str):
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            return value
    return dict(value) if isinstance(value, Mapping) else value

"""The baseline file of a gate: how each case stood in a run that is kept to compare with, small enough to commit."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from otel_ragfault.model.fields import StrictModel, Text

BASELINE_VERSION: Final = 1

Count = Annotated[int, Field(ge=1)]


class BaselineCase(StrictModel):
    """A case. What is ``None`` was not known; ``labels`` is given where several requests asked it."""

    label: Text
    boundary: Text | None = None
    outcome: Text
    passed: bool | None = None
    latent: bool = False
    retrieved: bool | None = None
    grounded: bool | None = None
    correct: bool | None = None
    cited: bool | None = None
    k: int | None = None
    stopped_at: Text | None = None
    requests: Count = 1
    labels: dict[Text, Count] = Field(default_factory=dict)
    gold: tuple[Text, ...] = ()
    values: dict[Text, float] = Field(default_factory=dict)


class Baseline(StrictModel):
    """The file.

    Attributes:
        ragfault_baseline: the version of its form.
        written_by: the release that wrote it.
        run: the run that it was written from; ``None`` for all requests of a database.
        kind: whether that was a run of the pipeline, or a labelling.
        requests: how many requests it had.
        settings: the values that were observed, by the name of the setting.
        labellings: the labellings that the labels come from.
        cases: by case id.
    """

    ragfault_baseline: Annotated[int, Field(ge=1, le=BASELINE_VERSION)]
    written_by: Text
    run: Text | None = None
    kind: Literal["pipeline", "labelling"] = "pipeline"
    requests: Annotated[int, Field(ge=0)] = 0
    settings: dict[Text, list[str]] = Field(default_factory=dict)
    labellings: list[Text] = Field(default_factory=list)
    cases: Annotated[dict[Text, BaselineCase], Field(min_length=1)]


def version_of(value: Any) -> object:
    """Return the version that a file claims; ``None`` where it is no baseline."""
    return value.get("ragfault_baseline") if isinstance(value, dict) else None

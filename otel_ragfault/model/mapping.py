"""What the configuration says about home-made spans: which of them are stages, and where each field lies.

A path names a value inside a span: ``gen_ai.tool.call.result[*].id``. It starts at the attributes, or at the span
itself after ``$.`` (``$.name``, ``$.resource.service.name``, ``$.events[search.done].attributes.hits``). Names are
joined by dots, and dots inside a name need no quoting: the longest name that is there is taken. ``["a name"]`` quotes
one, ``[0]`` and ``[-1]`` pick from a list, ``[*]`` takes all of it, ``[word]`` the elements whose ``name`` is that
word. A text that holds JSON is opened where a path goes into it.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from otel_ragfault.model.fields import StrictModel, Text, listed

Step = str | int | None
"""A name or a filter (see :func:`parse_path`), an index, or ``None`` for all elements."""

_STEP: Final = re.compile(
    r"""\.?(?P<name>[^.\[\]"']+) | \[\s*(?P<index>-?\d{1,6})\s*\] | \[\s*(?P<all>\*)\s*\]
    | \[\s*"(?P<quoted>[^"]*)"\s*\] | \[\s*'(?P<single>[^']*)'\s*\] | \[(?P<filter>[^\[\]"'*]+)\]""",
    re.VERBOSE,
)
_LONGEST = 500

ITEM: Final = "$"
"""The path of a ranked item that is itself an id."""


def parse_path(path: str) -> tuple[tuple[str, Step], ...]:
    """Return the steps of a path: ``name``, ``quoted``, ``index``, ``all`` or ``filter``, each with its value.

    Raises:
        ValueError: the text is no path.
    """
    rest = path.removeprefix("$").strip()
    steps: list[tuple[str, Step]] = []
    place = 0
    while place < len(rest):
        match = _STEP.match(rest, place)
        if match is None or (match["name"] is not None and steps and not rest[place] == "."):
            raise ValueError(
                f"{path!r} is no path at {rest[place:]!r}, wanted names joined by dots, [0], [*] or [word]"
            )
        steps.append(_step(match))
        place = match.end()
    if len(path) > _LONGEST or (not steps and not path.startswith("$")):
        raise ValueError(f"found a path of {len(path)} characters, wanted 1 to {_LONGEST}")
    return tuple(steps)


def _step(match: re.Match[str]) -> tuple[str, Step]:
    kind = match.lastgroup or "name"
    if kind == "index":
        return kind, int(match["index"])
    if kind == "all":
        return kind, None
    return ("quoted" if kind == "single" else kind), match[kind].strip() if kind == "name" else match[kind]


def _checked(path: str) -> str:
    parse_path(path)
    return path


Path = Annotated[Text, AfterValidator(_checked)]


class SpanMatch(StrictModel):
    """Which spans are meant; everything that is given has to hold. ``*`` stands for any characters.

    Attributes:
        scope: name of the instrumentation scope.
        name: name of the span.
        attributes: attribute → its value; ``*`` means that it is there.
    """

    scope: Text | None = None
    name: Text | None = None
    attributes: Mapping[str, str | bool | int | float] = {}

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.scope is None and self.name is None and not self.attributes:
            raise ValueError("matches every span; give a scope, a name or attributes")
        return self


class HitPaths(StrictModel):
    """Where the parts of one ranked item lie, from the item on; ``id = "$"`` for rankings that are lists of ids."""

    id: Path = "id"
    score: Path = "score"
    text: Path = "text"


class SpanMapping(StrictModel):
    """One kind of span: which spans it is, what stage, and the path of each field.

    Attributes:
        match: which spans are meant.
        stage: what they are; left out for spans that only tell something of the request.
        hit: where id, score and text of a ranked item lie.
        score_kind: what the scores are, in a word and not a path.
        complete: whether the rankings are all that was scored, in a word and not a path.
    """

    match: SpanMatch
    stage: Literal["request", "retrieval", "rerank", "assembly", "generation"] | None = None
    hit: HitPaths = HitPaths()
    score_kind: Literal["bm25", "similarity", "distance"] | None = None
    complete: bool | None = None
    query: Path | None = None
    hits: Path | None = None
    input_hits: Path | None = None
    top_k: Path | None = None
    prompt_ids: Path | None = None
    prompt_hits: Path | None = None
    prompt_text: Path | None = None
    answer: Path | None = None
    cited: Path | None = None
    decision: Path | None = None
    finish_reasons: Path | None = None
    request_model: Path | None = None
    response_model: Path | None = None
    response_id: Path | None = None
    prompt_name: Path | None = None
    prompt_version: Path | None = None
    prompt_template: Path | None = None
    input_tokens: Path | None = None
    output_tokens: Path | None = None
    case_id: Path | None = None
    run_id: Path | None = None
    session_id: Path | None = None
    snapshot_id: Path | None = None


class ConventionMapping(StrictModel):
    """A convention of one's own.

    Attributes:
        name: what ``request.convention`` will say.
        spans: the kinds of span in it; the first that matches reads a span.
    """

    name: Text
    spans: Annotated[tuple[SpanMapping, ...], BeforeValidator(listed), Field(min_length=1)]

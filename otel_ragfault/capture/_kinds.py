"""The five stages as data: which settings each has, where they are written, and how its result is read."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from opentelemetry.trace import SpanKind

from otel_ragfault import semconv
from otel_ragfault.capture._failures import count_failure
from otel_ragfault.capture._messages import input_messages, shown_text
from otel_ragfault.capture._text import View, dumps
from otel_ragfault.capture._values import id_text, whole


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a stage and the attribute that it becomes."""

    attribute: str
    convert: Callable[[Any, View], Any]
    parameters: tuple[str, ...] = ()
    """Parameters of a decorated function that mean this setting when nothing is said."""
    names_parameter: bool = False
    """Whether a string, on a decorator, is the name of a parameter and not the value."""
    content: bool = False
    """Whether the value is content, and so depends on each span's view."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One stage of the pipeline."""

    stage: str
    verb: str
    """First word of the span name."""
    operation: str | None
    settings: dict[str, Setting]
    target: str | None
    """The setting that is the second word of the span name; else the function's name is."""
    reads: str
    """What its results are: ``documents``, ``chunks`` or ``answer``."""
    span_kind: SpanKind = SpanKind.INTERNAL


def _text(value: Any, _: View) -> str | None:
    return id_text(value)


def _count(value: Any, _: View) -> int | None:
    return whole(value)


def _truth(value: Any, _: View) -> bool | None:
    if isinstance(value, bool):
        return value
    count_failure("complete", f"found {type(value).__name__}, True, False or None was wanted")
    return None


def _score_kind(value: Any, _: View) -> str | None:
    if isinstance(value, str) and value in semconv.SCORE_KINDS:
        return str.__str__(value)
    count_failure("score_kind", f"found another value, one of {', '.join(semconv.SCORE_KINDS)} was wanted")
    return None


def _names(value: Any, _: View) -> str | None:
    """Returns names as a JSON list; one text is one name. What is no list of names is counted and left out."""
    many = [value] if isinstance(value, str) else value
    if not isinstance(many, list | tuple | AbstractSet):
        count_failure("groups", f"found {type(value).__name__}, a list of names was wanted")
        return None
    names = [id_text(name) for name in many]
    if None in names:
        count_failure("groups", "found a name that is no text, a list of names was wanted")
        return None
    return dumps(sorted(filter(None, names)) if isinstance(many, AbstractSet) else names)


_QUERY_NAMES = ("query", "question", "q", "text")
_K = Setting(semconv.GEN_AI_RETRIEVAL_TOP_K, _count, parameters=("k", "top_k"), names_parameter=True)
_MODEL = Setting(semconv.GEN_AI_REQUEST_MODEL, _text, parameters=("model",))
_SCORES = Setting(semconv.RAGFAULT_SCORE_KIND, _score_kind)
_PROMPT_NAME = Setting(semconv.GEN_AI_PROMPT_NAME, _text)
_PROMPT_VERSION = Setting(semconv.GEN_AI_PROMPT_VERSION, _text)

REQUEST = Kind(
    stage=semconv.STAGE_REQUEST,
    verb=semconv.OPERATION_INVOKE_WORKFLOW,
    operation=semconv.OPERATION_INVOKE_WORKFLOW,
    settings={
        "query": Setting(
            semconv.GEN_AI_INPUT_MESSAGES, input_messages, _QUERY_NAMES, names_parameter=True, content=True
        ),
        "case_id": Setting(semconv.RAGFAULT_CASE_ID, _text),
        "run_id": Setting(semconv.RAGFAULT_RUN_ID, _text),
        "snapshot_id": Setting(semconv.RAGFAULT_SNAPSHOT_ID, _text),
        "groups": Setting(semconv.RAGFAULT_USER_GROUPS, _names),
        "prompt_name": _PROMPT_NAME,
        "prompt_version": _PROMPT_VERSION,
    },
    target=None,
    reads="answer",
)

RETRIEVAL = Kind(
    stage=semconv.STAGE_RETRIEVAL,
    verb=semconv.OPERATION_RETRIEVAL,
    operation=semconv.OPERATION_RETRIEVAL,
    settings={
        "query": Setting(
            semconv.GEN_AI_RETRIEVAL_QUERY_TEXT, shown_text, _QUERY_NAMES, names_parameter=True, content=True
        ),
        "k": _K,
        "data_source": Setting(semconv.GEN_AI_DATA_SOURCE_ID, _text),
        "complete": Setting(semconv.RAGFAULT_RETRIEVAL_COMPLETE, _truth),
        "score_kind": _SCORES,
    },
    target="data_source",
    reads="documents",
)

RERANK = Kind(
    stage=semconv.STAGE_RERANK,
    verb=semconv.STAGE_RERANK,
    operation=None,
    settings={"k": _K, "model": _MODEL, "score_kind": _SCORES},
    target="model",
    reads="documents",
)

ASSEMBLY = Kind(
    stage=semconv.STAGE_ASSEMBLY,
    verb=semconv.STAGE_ASSEMBLY,
    operation=None,
    settings={
        "k": Setting(semconv.GEN_AI_RETRIEVAL_TOP_K, _count, names_parameter=True),
        "budget": Setting(semconv.RAGFAULT_ASSEMBLY_BUDGET, _count, names_parameter=True),
        "budget_unit": Setting(semconv.RAGFAULT_ASSEMBLY_BUDGET_UNIT, _text),
    },
    target=None,
    reads="chunks",
)

GENERATION = Kind(
    stage=semconv.STAGE_GENERATION,
    verb=semconv.OPERATION_CHAT,
    operation=semconv.OPERATION_CHAT,
    settings={
        "prompt": Setting(
            semconv.GEN_AI_INPUT_MESSAGES, input_messages, ("prompt", "messages"), names_parameter=True, content=True
        ),
        "model": _MODEL,
        "provider": Setting(semconv.GEN_AI_PROVIDER_NAME, _text),
        "prompt_name": _PROMPT_NAME,
        "prompt_version": _PROMPT_VERSION,
    },
    target="model",
    reads="answer",
    span_kind=SpanKind.CLIENT,
)

KINDS = (REQUEST, RETRIEVAL, RERANK, ASSEMBLY, GENERATION)
ALL_SETTINGS = {name: setting for kind in KINDS for name, setting in kind.settings.items()}

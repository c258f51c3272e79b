"""The five public decorators; each is also a context manager."""

from collections.abc import Callable, Collection
from typing import Any, TypedDict, TypeVar, Unpack, overload

from otel_ragfault.capture._kinds import ASSEMBLY, GENERATION, REQUEST, RERANK, RETRIEVAL, Kind
from otel_ragfault.capture._stages import Stage

F = TypeVar("F", bound=Callable[..., Any])

Named = Callable[[dict[str, Any]], Any]
"""A function of the user's that is given the arguments of a call by name."""


class _Common(TypedDict, total=False):
    name: str
    """Second word of the span name, instead of the model, the data source or the function's name."""
    extract: Callable[[Any], Any]
    """Turns a result of any shape into one that is understood."""
    content: bool
    """Whether this stage records content, whatever the process-wide switch says."""


class RequestSettings(_Common, total=False):
    """Arguments of :func:`request`."""

    query: str | Named
    case_id: str | Named | None
    run_id: str | Named | None
    snapshot_id: str | Named | None
    groups: Collection[str] | Named | None
    prompt_name: str | Named | None
    prompt_version: str | Named | None
    delta: Callable[[Any], str | None]
    propagate: bool


class RetrievalSettings(_Common, total=False):
    """Arguments of :func:`retrieval`."""

    query: Any
    k: int | str | Named | None
    data_source: str | Named | None
    complete: bool | Named | None
    score_kind: str | Named | None
    texts: bool


class RerankSettings(_Common, total=False):
    """Arguments of :func:`rerank`."""

    k: int | str | Named | None
    model: str | Named | None
    score_kind: str | Named | None
    texts: bool


class AssemblySettings(_Common, total=False):
    """Arguments of :func:`assembly`."""

    k: int | str | Named | None
    budget: int | str | Named | None
    budget_unit: str | Named


class GenerationSettings(_Common, total=False):
    """Arguments of :func:`generation`."""

    prompt: Any
    model: str | Named | None
    provider: str | Named | None
    prompt_name: str | Named | None
    prompt_version: str | Named | None
    delta: Callable[[Any], str | None]


@overload
def request(function: F, /) -> F: ...
@overload
def request(**settings: Unpack[RequestSettings]) -> Stage: ...
def request(function: Any = None, /, **settings: Any) -> Any:
    """Traces one question answered by the pipeline: the span that all others belong to.

    Used as ``@request``, ``@request(…)``, ``with request(…) as span`` or ``async with``. On a decorator, settings are
    values, or functions that are given the call's arguments by name: ``case_id=lambda call: call["case"]``.

    Args:
        function: The function, where the decorator has no arguments.
        **settings: See below.

    Settings:
        query: The user's question: on a decorator the name of the parameter that holds it (default: ``query``,
            ``question``, ``q`` or ``text``), in a ``with`` the text itself. Content.
        case_id, run_id, snapshot_id, groups, prompt_name, prompt_version: Written to this span and, by
            :class:`RagfaultSpanProcessor`, to every span below. What is not given is taken from an enclosing request
            or from W3C baggage. ``groups`` are those of the user who asks, for whom the index is searched: a list of
            names, empty for a user without any.
        propagate: Put them into W3C baggage, too, for the services that the pipeline calls. Off by default, because
            baggage goes wherever the HTTP client calls, third parties included.
        extract: Turns what the function returns into text, :class:`Answer` or a mapping with its fields; of a
            streamed answer it is given the joined text.
        delta: Returns the text that a piece of a streamed answer adds.
        content: Whether content is recorded, instead of the process-wide switch.
        name: Second word of the span name.
    """
    return _stage(REQUEST, function, settings)


@overload
def retrieval(function: F, /) -> F: ...
@overload
def retrieval(**settings: Unpack[RetrievalSettings]) -> Stage: ...
def retrieval(function: Any = None, /, **settings: Any) -> Any:
    """Traces a retriever: the query and the ranking that it returns, best first, with ids and scores.

    Return the *full* ranking where you can, and say ``complete=True``: then a gold chunk that was never scored can be
    told from one that was cut off. The order returned is the rank, whatever the scores say. A function that yields, or
    returns an iterator, is recorded while it is consumed.

    Args:
        function: The function, where the decorator has no arguments.
        **settings: See below.

    Settings:
        query: As for :func:`request`. Content.
        k: How many of the documents are passed on: a number, or the name of the parameter that holds it (default:
            ``k`` or ``top_k``).
        data_source: The index that is searched.
        complete: Whether the ranking is all that the retriever scored; ``False`` if only the top comes back.
        score_kind: ``bm25``, ``similarity`` or ``distance``.
        texts: Record the text of each document beside its id. Content.
        extract: Turns a result into ids, ``(id, score)`` pairs or mappings with ``id``, ``score`` and ``text``.
        content, name: As for :func:`request`.
    """
    return _stage(RETRIEVAL, function, settings)


@overload
def rerank(function: F, /) -> F: ...
@overload
def rerank(**settings: Unpack[RerankSettings]) -> Stage: ...
def rerank(function: Any = None, /, **settings: Any) -> Any:
    """Traces a reranker: the ranking that it returns.

    Args:
        function: The function, where the decorator has no arguments.
        **settings: ``model``, and ``k``, ``score_kind``, ``texts``, ``extract``, ``content``, ``name`` as for
            :func:`retrieval`.
    """
    return _stage(RERANK, function, settings)


@overload
def assembly(function: F, /) -> F: ...
@overload
def assembly(**settings: Unpack[AssemblySettings]) -> Stage: ...
def assembly(function: Any = None, /, **settings: Any) -> Any:
    """Traces context assembly: which chunks reached the prompt, in which order, and which were left out and why.

    The function may return the chunks or their ids, ``(prompt, chunks)``, ``(prompt, chunks, dropped)``,
    ``(chunks, dropped)``, or a mapping or object with ``chunks`` (or ``chunk_ids``) and ``dropped``.

    Args:
        function: The function, where the decorator has no arguments.
        **settings: See below.

    Settings:
        budget: The size that the context may have: a number, or the name of the parameter that holds it.
        budget_unit: ``words`` (the default), ``characters`` or ``tokens``.
        k: How many documents were passed to assembly, if no other stage tells.
        extract: Turns a result into one of the shapes above.
        content, name: As for :func:`request`.
    """
    if settings.get("budget") is not None:
        settings.setdefault("budget_unit", "words")
    return _stage(ASSEMBLY, function, settings)


@overload
def generation(function: F, /) -> F: ...
@overload
def generation(**settings: Unpack[GenerationSettings]) -> Stage: ...
def generation(function: Any = None, /, **settings: Any) -> Any:
    """Traces a call of the model: prompt, answer, citations, and what the response tells about itself.

    The function may return a string, ``(answer, citations)``, :class:`Answer`, a mapping or object with ``answer``,
    ``text`` or ``content``, or the response of a model client. A stream is handed on piece by piece and recorded when
    it ends, or is abandoned.

    Args:
        function: The function, where the decorator has no arguments.
        **settings: See below.

    Settings:
        prompt: The prompt as sent: on a decorator the name of the parameter that holds it (default: ``prompt`` or
            ``messages``), in a ``with`` the text or messages. Content.
        model: The model asked for (default: the parameter ``model``).
        provider: The provider of the model.
        prompt_name, prompt_version: The prompt template, where it differs from the request's.
        extract, delta, content, name: As for :func:`request`.
    """
    return _stage(GENERATION, function, settings)


def _stage(kind: Kind, function: Any, settings: dict[str, Any]) -> Any:
    stage = Stage(kind, settings)
    return stage if function is None else stage(function)

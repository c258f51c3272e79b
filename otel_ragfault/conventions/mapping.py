"""A convention made of a mapping in the configuration: a path for each field instead of code."""

from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from itertools import islice
from typing import Any, Final

from otel_ragfault import semconv
from otel_ragfault.conventions.parsing import count_of, name_of, number_of, text_of
from otel_ragfault.conventions.reading import CUT, literal, lost, message_text, messages_text, record
from otel_ragfault.conventions.record import Hit, StageRecord
from otel_ragfault.conventions.registry import Convention
from otel_ragfault.conventions.span import SpanView
from otel_ragfault.model.mapping import ITEM, ConventionMapping, HitPaths, SpanMapping, SpanMatch, Step, parse_path

_MOST = 10_000
"""How many values a path may give: a ``[*]`` in a ``[*]`` multiplies."""

_FIELD_OF: Final = {"hits": "ranking", "input_hits": "candidates", "cited": "citations"}
_PARSED_TWICE = 2

_TOO_MANY: Final = ...
_MISSING: Final = object()


def convention(wanted: ConventionMapping) -> Convention:
    """Return the convention that a mapping describes, to be asked before the built-in ones."""

    def find(span: SpanView) -> SpanMapping | None:
        return next((one for one in wanted.spans if _matches(one.match, span)), None)

    def read(span: SpanView) -> StageRecord | None:
        found = find(span)
        return None if found is None else read_mapped(found, span)

    return Convention(wanted.name, lambda span: find(span) is not None, read)


def read_mapped(wanted: SpanMapping, span: SpanView) -> StageRecord | None:
    """Return what a mapping makes of a span that it matches."""
    fields: dict[str, Any] = {"kind": wanted.stage, "score_kind": wanted.score_kind, "complete": wanted.complete}
    problems: list[str] = []
    for field, reader in _READERS.items():
        path = getattr(wanted, field)
        if path is None:
            continue
        value = at(span, path)
        fields[field] = None if value is None or value is CUT else reader(value, wanted.hit)
        if fields[field] is None:
            problems += lost(span, _FIELD_OF.get(field, field), CUT if literal(value) is CUT else value)
    return record({**fields, "problems": problems})


def _matches(match: SpanMatch, span: SpanView) -> bool:
    if match.scope is not None and not fnmatchcase(span.scope_name, match.scope):
        return False
    if match.name is not None and not fnmatchcase(span.name, match.name):
        return False
    return all(_holds(span.attributes.get(name), wanted) for name, wanted in match.attributes.items())


def _holds(value: Any, wanted: object) -> bool:
    if value is None:
        return False
    if isinstance(wanted, str) and isinstance(value, str):
        return fnmatchcase(value, wanted)
    return wanted == "*" or (type(value) is type(wanted) and bool(value == wanted))


# --- paths -----------------------------------------------------------------------------------------------------------


@cache
def _steps(path: str) -> tuple[tuple[str, Step], ...]:
    return parse_path(path)


def at(span: SpanView, path: str) -> Any:
    """Return what a path names in a span: a value, or a list if it takes all of something; ``None`` without any."""
    if not path.startswith("$"):
        return follow(span.attributes, path)
    whole = {
        "name": span.name,
        "scope": {"name": span.scope_name, "version": span.scope_version},
        "attributes": span.attributes,
        "events": span.events,
        "resource": span.resource,
    }
    return follow(whole, path)


def follow(value: Any, path: str) -> Any:
    """Return what a path names in a value; :data:`CUT` if a text on the way is broken JSON.

    With ``[*]`` it is a list, in which an element without a value is ``None``: ranks are never renumbered.
    """
    steps = _steps(path)
    found = list(islice(_walk(value, steps), _MOST + 1))
    if any(one is CUT for one in found):
        return CUT
    if len(found) > _MOST:
        return _TOO_MANY
    return found if any(kind == "all" for kind, _ in steps) else next(iter(found), None)


def _walk(value: Any, steps: tuple[tuple[str, Step], ...]) -> Iterator[Any]:
    if not steps:
        yield value
        return
    opened = _opened(value)
    if opened is CUT:
        yield CUT
        return
    (kind, wanted), rest = steps[0], steps[1:]
    if kind == "name":
        inner, used = _longest(opened, steps)
        if inner is not _MISSING:
            yield from _walk(inner, steps[used:])
    elif kind == "quoted":
        if isinstance(opened, Mapping) and wanted in opened:
            yield from _walk(opened[wanted], rest)
    elif isinstance(opened, list | tuple):
        for item in _picked(opened, kind, wanted):
            inside = list(islice(_walk(item, rest), _MOST + 1))
            yield from inside or ([None] if kind == "all" else [])


def _opened(value: Any) -> Any:
    for _ in range(_PARSED_TWICE):  # LlamaIndex nodes come as JSON texts inside JSON
        if not isinstance(value, str):
            break
        value = literal(value)
    return value


def _longest(value: Any, steps: tuple[tuple[str, Step], ...]) -> tuple[Any, int]:
    """Return the value under the longest run of names, joined by dots, that is a key, and how many steps that takes."""
    names: list[str] = []
    for kind, name in steps:
        if kind != "name":
            break
        names.append(str(name))
    if isinstance(value, Mapping):
        for used in range(len(names), 0, -1):
            key = ".".join(names[:used])
            if key in value:
                return value[key], used
    return _MISSING, 0


def _picked(items: list[Any] | tuple[Any, ...], kind: str, wanted: Step) -> Iterator[Any]:
    if kind == "index":
        if isinstance(wanted, int) and -len(items) <= wanted < len(items):
            yield items[wanted]
    elif kind == "all":
        yield from items
    else:
        yield from (item for item in items if isinstance(item, Mapping) and item.get("name") == wanted)


# --- fields ----------------------------------------------------------------------------------------------------------


def _hits(value: Any, paths: HitPaths) -> tuple[Hit, ...] | None:
    items = literal(value)
    if not isinstance(items, list):
        return None
    return tuple(_hit(item, paths) for item in items)


def _hit(item: Any, paths: HitPaths) -> Hit:
    if isinstance(item, str) and not isinstance(_opened(item), Mapping):
        return Hit(item) if paths.id == ITEM else Hit(None, None, item)
    return Hit(name_of(follow(item, paths.id)), number_of(follow(item, paths.score)), text_of(follow(item, paths.text)))


def _ids(value: Any, _paths: HitPaths) -> tuple[str | None, ...] | None:
    items = literal(value)
    return tuple(name_of(item) for item in items) if isinstance(items, list) else None


def _names(value: Any, paths: HitPaths) -> tuple[str, ...] | None:
    found = _ids([value] if isinstance(value, str) and literal(value) == value else value, paths)
    return None if found is None else tuple(name for name in found if name is not None)


def _messages(value: Any, _paths: HitPaths) -> str | None:
    opened = literal(value)
    return messages_text(opened) if isinstance(opened, list) else message_text(opened)


def _answer(value: Any, _paths: HitPaths) -> str | None:
    opened = literal(value)
    return message_text(opened[0] if isinstance(opened, list) and opened else opened, answer=True)


def _decision(value: Any, _paths: HitPaths) -> str | None:
    return value if isinstance(value, str) and value in semconv.DECISIONS else None


def _plain(reader: Callable[[Any], Any]) -> Callable[[Any, HitPaths], Any]:
    return lambda value, _paths: reader(value)


_READERS: Final[dict[str, Callable[[Any, HitPaths], Any]]] = {
    "query": _plain(text_of),
    "hits": _hits,
    "input_hits": _hits,
    "top_k": _plain(count_of),
    "prompt_ids": _ids,
    "prompt_hits": _hits,
    "prompt_text": _messages,
    "answer": _answer,
    "cited": _names,
    "decision": _decision,
    "finish_reasons": _names,
    **dict.fromkeys(
        (
            "request_model",
            "response_model",
            "response_id",
            "prompt_name",
            "prompt_version",
            "case_id",
            "run_id",
            "session_id",
            "snapshot_id",
        ),
        _plain(name_of),
    ),
    "prompt_template": _plain(text_of),
    "input_tokens": _plain(count_of),
    "output_tokens": _plain(count_of),
}

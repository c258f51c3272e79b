"""What an assembly function returned: the chunks that reached the prompt, and those that did not."""

from collections.abc import Iterable, Mapping
from typing import Any

from otel_ragfault import semconv
from otel_ragfault.capture._answers import Attributes
from otel_ragfault.capture._documents import read_document
from otel_ragfault.capture._failures import Guard, count_failure
from otel_ragfault.capture._rankings import items_of
from otel_ragfault.capture._text import clean, dumps
from otel_ragfault.capture._values import number, peek

_KEPT_NAMES = ("chunk_ids", "chunks", "documents", "docs", "nodes", "ids", "used", "kept")
_DROPPED_NAMES = ("dropped", "dropped_chunks", "excluded")
_UNTOLD = "unspecified"

_ASSEMBLY = Guard("assembly")


def chunk_ids_json(chunks: Any) -> str | None:
    """Writes the ids of chunks in prompt order; a chunk without an id keeps its place as ``null``."""
    items = items_of(chunks)
    return None if items is None else dumps([read_document(one).id for one in items])


def dropped_json(dropped: Any) -> str | None:
    """Writes ``[{"id", "reason"}, …]`` from mappings, pairs, ``{id: reason}``, or bare ids and chunks."""
    if dropped is None:
        return None
    with _ASSEMBLY:
        rows: Iterable[Any] = dropped
        if isinstance(dropped, Mapping):
            rows = [dropped] if "id" in dropped else dropped.items()
        found = [_dropped(row) for row in rows if isinstance(dropped, list | tuple | set | frozenset | Mapping)]
        known = [row for row in found if row["id"] is not None]
        if len(known) < len(found):
            count_failure("dropped", "a dropped chunk has no id; pass the ids")
        return dumps(known)
    return None


def assembly_attributes(result: Any) -> Attributes:
    """Reads ``chunks``, ``(prompt, chunks)``, ``(prompt, chunks, dropped)``, ``(chunks, dropped)`` or named members."""
    with _ASSEMBLY:
        kept, dropped = _parts(result)
        found = {
            semconv.RAGFAULT_ASSEMBLY_CHUNK_IDS: None if kept is None else chunk_ids_json(kept),
            semconv.RAGFAULT_ASSEMBLY_DROPPED: dropped_json(dropped),
        }
        return {name: value for name, value in found.items() if value is not None}
    return {}


def _parts(result: Any) -> tuple[Any, Any]:
    """Finds the kept and the dropped chunks; a prompt alone tells neither."""
    if result is None or isinstance(result, str):
        return None, None
    if isinstance(result, tuple) and not hasattr(result, "_fields"):
        lists = [part for part in result if isinstance(part, list | tuple)]
        texts = [part for part in result if isinstance(part, str)]
        if texts and len(lists) in {1, 2} and len(lists) + len(texts) == len(result):
            return lists[0], lists[1] if len(lists) > 1 else None
        if len(lists) == len(result) == 2 and isinstance(result[0], list) and not _all_numbers(result[1]):  # noqa: PLR2004
            return result[0], result[1]
        return result, None
    if isinstance(result, list):
        return result, None
    kept = peek(result, _KEPT_NAMES)
    return (result if kept is None else kept), peek(result, _DROPPED_NAMES)


def _all_numbers(values: Any) -> bool:
    return bool(values) and all(number(value) is not None for value in values)


def _dropped(row: Any) -> dict[str, str | None]:
    if isinstance(row, tuple | list) and len(row) == 2 and isinstance(row[1], str):  # noqa: PLR2004
        return {"id": read_document(row[0]).id, "reason": clean(row[1])}
    reason = None if isinstance(row, str) else peek(row, ("reason", "drop_reason"))
    return {"id": read_document(row).id, "reason": clean(reason) if isinstance(reason, str) else _UNTOLD}

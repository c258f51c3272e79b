"""Values in the cells of a table: lists and objects that some tool wrote as text."""

import ast
from typing import Any

import orjson


def value_of(cell: Any) -> Any:
    """Return what a cell says: JSON, or a list or an object as Python prints it; else the text itself."""
    if not isinstance(cell, str) or not cell.strip() or cell.strip()[0] not in "[{\"'":
        return cell
    try:
        return orjson.loads(cell)
    except orjson.JSONDecodeError:
        pass
    try:
        value = ast.literal_eval(cell.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell
    return value if isinstance(value, list | dict | str) else cell


def texts_of(value: Any) -> list[str]:
    """Return the texts of a value: one, or a list; of an object in the list its text."""
    found = value_of(value)
    items = found if isinstance(found, list) else [found]
    texts = (item if isinstance(item, str) else _inner_text(item) for item in items)
    return [text for text in texts if text and text.strip()]


def _inner_text(item: Any) -> str | None:
    if isinstance(item, dict):
        for name in ("text", "content", "page_content", "quote"):
            if isinstance(item.get(name), str):
                return str(item[name])
    return None


def split_cell(cell: str | None, separator: str) -> list[str]:
    """Return the parts of a cell, trimmed, without empty ones."""
    return [part.strip() for part in (cell or "").split(separator) if part.strip()]

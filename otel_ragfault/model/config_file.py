"""Find and read the configuration file."""

import tomllib
from pathlib import Path
from typing import Any

from otel_ragfault.errors import ConfigError
from otel_ragfault.model.wording import shown

_OWN_FILE = "ragfault.toml"
_PROJECT_FILE = "pyproject.toml"


def find_config_file(start_dir: Path) -> Path | None:
    """Return the nearest configuration file of ``start_dir`` and the folders above it.

    In one folder ``ragfault.toml`` comes first; a ``pyproject.toml`` without our table is passed over.

    Raises:
        ConfigError: a ``pyproject.toml`` that names our table cannot be read.
    """
    start = start_dir.resolve()
    for folder in (start, *start.parents):
        own, project = folder / _OWN_FILE, folder / _PROJECT_FILE
        if own.is_file():
            return own
        if project.is_file() and b"ragfault" in _bytes(project) and _project_table(_parsed(project)) is not None:
            return project
    return None


def read_config_file(path: Path) -> dict[str, Any]:
    """Return the keys that a configuration file sets: the whole file, or ``[tool.ragfault]`` of a ``pyproject.toml``.

    Raises:
        ConfigError: there is no such file, or it is no TOML, or ``tool.ragfault`` is no table.
    """
    content = _parsed(path)
    if path.name != _PROJECT_FILE:
        return content
    table = _project_table(content)
    if table is None:
        raise ConfigError(f"{path}: holds no table [tool.ragfault]; add one, or name another file")
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.ragfault: found {shown(table)}, wanted a table")
    return table


def _project_table(content: dict[str, Any]) -> Any:
    tool = content.get("tool")
    return tool.get("ragfault") if isinstance(tool, dict) else None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"{path}: cannot be read ({reason}); a TOML file was wanted; check the name") from error


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_bytes(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: byte {error.start} is not UTF-8; a TOML file was wanted; save it as UTF-8"
        ) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: is not TOML ({error}); correct that line") from error

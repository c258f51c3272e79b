"""Where the configuration comes from: defaults, then a file, then the environment, then flags. Later ones win."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from otel_ragfault.errors import ConfigError
from otel_ragfault.model.config import Config
from otel_ragfault.model.config_env import ENV_PREFIX, from_environment
from otel_ragfault.model.config_file import find_config_file, read_config_file
from otel_ragfault.model.problems import faults

Source = Literal["default", "file", "env", "flag"]


@dataclass(frozen=True, slots=True)
class LoadedConfig:
    """A configuration, the source of each of its values, and the file that was read (``None``: there is none)."""

    config: Config
    sources: dict[str, Source]
    file: Path | None


def load_config(
    path: Path | None = None,
    *,
    start_dir: Path | None = None,
    env: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> LoadedConfig:
    """Load the configuration.

    Args:
        path: the file to read; without it the nearest ``ragfault.toml``, or ``pyproject.toml`` with a table
            ``[tool.ragfault]``, of ``start_dir`` and the folders above it.
        start_dir: where the search starts; the working directory by default.
        env: the environment; the process's own by default. ``RAGFAULT_<FIELD>``, lists as JSON.
        overrides: values given by flags; ``None`` means that the flag was not given.

    Raises:
        ConfigError: a file cannot be read, a key is not known, or a value does not validate. One line names each.
    """
    file = path or find_config_file(start_dir or Path.cwd())
    layers: list[tuple[Source, Mapping[str, Any]]] = [
        ("file", read_config_file(file) if file else {}),
        ("env", from_environment(os.environ if env is None else env)),
        ("flag", {key: value for key, value in (overrides or {}).items() if value is not None}),
    ]
    values: dict[str, Any] = {}
    sources: dict[str, Source] = dict.fromkeys(Config.model_fields, "default")
    for source, layer in layers:
        values |= layer
        sources |= dict.fromkeys(layer, source)
    return LoadedConfig(_validated(values, sources, file), sources, file)


def _validated(values: dict[str, Any], sources: dict[str, Source], file: Path | None) -> Config:
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        lines = []
        for field, reason in faults(error, Config):
            key = field.split("[", 1)[0].split(".", 1)[0]
            lines.append(f"{_origin(key, field, sources.get(key), file)}: {reason}")
        raise ConfigError("; ".join(lines)) from None


def _origin(key: str, field: str, source: Source | None, file: Path | None) -> str:
    if source == "env":
        return f"environment {ENV_PREFIX}{key.upper()}{f': {field}' if '.' in field else ''}"
    return f"{file}: {field}" if source == "file" else f"flag --{key.replace('_', '-')}"

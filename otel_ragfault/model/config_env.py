"""Read configuration from environment variables: ``RAGFAULT_`` and the field in capitals."""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from otel_ragfault.errors import ConfigError
from otel_ragfault.model.config import Config
from otel_ragfault.model.wording import did_you_mean, shown

ENV_PREFIX: Final = "RAGFAULT_"

_LISTS = frozenset(name for name, field in Config.model_fields.items() if isinstance(field.get_default(), tuple))
_NUMBERS: dict[str, type[int] | type[float]] = {
    "k": int,
    "similarity_floor": float,
    "quote_threshold": float,
    "measure_relevant_from": int,
    "bootstrap_seed": int,
    "bootstrap_replicates": int,
    "bootstrap_confidence": float,
}
_SURE = 0.9


def from_environment(env: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields that the environment sets. An empty variable counts as not set.

    Other variables with our prefix are left alone, unless their name is nearly that of a field; commands say which of
    them nobody reads (:mod:`otel_ragfault.cli.environment`).

    Raises:
        ConfigError: a list is not written as JSON, or a name is nearly one of ours.
    """
    found: dict[str, Any] = {}
    for name, text in env.items():
        key = name.removeprefix(ENV_PREFIX).lower()
        if not name.startswith(ENV_PREFIX) or not text.strip():
            continue
        if key in Config.model_fields:
            found[key] = _value(name, key, text.strip())
        elif meant := key_meant(key):
            raise ConfigError(f"environment {name}: is not a known key; did you mean {ENV_PREFIX}{meant.upper()}?")
    return found


def key_meant(key: str) -> str | None:
    """Return the key of the configuration that a variable has, or nearly has; ``None`` where it is none of ours."""
    return key if key in Config.model_fields else did_you_mean(key, Config.model_fields, cutoff=_SURE)


def _value(name: str, key: str, text: str) -> Any:
    if key in _LISTS:
        return _list(name, text)
    if key not in _NUMBERS:
        return text
    try:
        return _NUMBERS[key](text)
    except ValueError:
        return text  # validation says what was wanted


def _list(name: str, text: str) -> list[Any]:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = None
    if not isinstance(value, list):
        raise ConfigError(f'environment {name}: found {shown(text)}, wanted a JSON list such as ["one", "two"]')
    return value

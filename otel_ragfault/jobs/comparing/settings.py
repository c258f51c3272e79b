"""With which settings a side was made, and what differs: one variable should."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import orjson

from otel_ragfault import semconv
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.jobs.comparing.sources import Run

NOT_RECORDED: Final = "not recorded"
LABELLING: Final = "labelling."
"""Before the name of a setting that belongs to the labelling, and not to the pipeline."""

Settings = dict[str, list[str]]
Changed = dict[str, tuple[list[str], list[str]]]

_OF_LABELS: Final = (
    "k",
    "similarity_floor",
    "stopwords",
    "refusal_phrases",
    "extra_refusal_phrases",
    "refusal_detector",
    "default_snapshot",
    "quote_threshold",
    "judging",
    "mapping",
)
"""What of the configuration labels depend on."""

# What changes together is one variable. The version of a service carries a change, and is none of its own.
_VARIABLES: Final = {
    "request_model": "model",
    "response_model": "model",
    "prompt_name": "prompt",
    "prompt_version": "prompt",
    "data_source": "data source",
    "score_kind": "data source",
}
_NO_VARIABLES: Final = frozenset({"service_version"})
_LONGEST: Final = 120  # characters of a value that is shown as it is


def observed_settings(con: "DuckDBPyConnection", run: "Run") -> Settings:
    """Return what the traces of a run tell about its settings, each with all of its values."""
    rows = con.execute(
        read_query("comparing", "settings").body,
        {
            **run.parameters,
            "asked": semconv.GEN_AI_REQUEST_PREFIX,
            "model": semconv.GEN_AI_REQUEST_MODEL,
            "source": semconv.GEN_AI_DATA_SOURCE_ID,
            "version": semconv.SERVICE_VERSION,
        },
    ).fetchall()
    found: Settings = {}
    for setting, value in rows:
        found.setdefault(setting, []).append(NOT_RECORDED if value is None else _short(value))
    return {name: sorted(set(values), key=_number_first) for name, values in found.items()}


def labelling_settings(con: "DuckDBPyConnection", labellings: Sequence[str]) -> Settings:
    """Return with which configuration the labels were made, each field under ``labelling.``."""
    rows = con.execute(read_query("comparing", "labellings").body, {"labellings": list(labellings)}).fetchall()
    found: dict[str, set[str]] = {}
    for _, config, version in rows:
        values = orjson.loads(config)
        for name in _OF_LABELS:
            found.setdefault(f"{LABELLING}{name}", set()).add(_text(values.get(name)))
        found.setdefault(f"{LABELLING}version", set()).add(version)
    return {name: sorted(values, key=_number_first) for name, values in found.items()}


def _text(value: Any) -> str:
    if value is None or value in ([], {}):
        return "none"
    return _short(value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode())


def _short(text: str) -> str:
    """Return a text that is short: a long one by its beginning, with a digest that tells it from others."""
    if len(text) <= _LONGEST:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{text[: _LONGEST - 20]}… ({len(text)} characters, {digest})"


def _number_first(text: str) -> tuple[bool, float, str]:
    try:
        return (False, float(text.split(" ", 1)[0]), text)
    except ValueError:
        return (True, 0.0, text)


def changed_settings(before: Settings, after: Settings) -> Changed:
    """Return the settings that differ; one that a side does not have is not recorded there."""
    changed = {}
    for name in sorted(before.keys() | after.keys(), key=lambda name: (name.startswith(LABELLING), name)):
        first, second = before.get(name, [NOT_RECORDED]), after.get(name, [NOT_RECORDED])
        if first != second:
            changed[name] = (first, second)
    return changed


def variables(changed: Mapping[str, object] | Iterable[str], *, of_labelling: bool) -> list[str]:
    """Return the variables that the names of changed settings stand for.

    Args:
        changed: names of settings.
        of_labelling: whether settings of the labelling are variables, as they are between two labellings.
    """
    named = [name for name in changed if of_labelling or not name.startswith(LABELLING)]
    return list(dict.fromkeys(_VARIABLES.get(name, name) for name in named if name not in _NO_VARIABLES))

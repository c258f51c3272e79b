"""Keep credentials that instrumentations leak out of the database.

On by default, at landing: the value of an attribute whose *name* is that of a credential (``authorization``,
``openai_api_key``, ``db.password``, ``langsmith.metadata.LANGSMITH_ENDPOINT``) is replaced by ``[scrubbed]``, and the
name is listed under ``scrubbed`` in ``repairs``. Names are looked at in attributes of spans, events, links, resources,
scopes and log records, inside those that hold metadata, headers or parameters (structured or as text), and, for the
``LANGSMITH_…`` settings, wherever they appear. Contents are never searched for what looks like a secret.

The environment variable ``RAGFAULT_SCRUB`` holds more names, separated by commas, case ignored, ``*`` for anything
(``RAGFAULT_SCRUB=tenant.pin,*.ssn``); ``off`` switches all of it off.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fnmatch import translate
from functools import cache
from typing import Any, Final

from otel_ragfault.landing.decoding.values import MAX_DEPTH, Notes, to_json

ENVIRONMENT: Final = "RAGFAULT_SCRUB"
SCRUBBED: Final = "[scrubbed]"
NOTE: Final = "scrubbed"

_SETTING = r"(?:^|[^A-Za-z0-9])(?:LANGSMITH_\w+|LANGFUSE_(?:PUBLIC|SECRET)_KEY)$"
_CREDENTIAL = (  # at the end of a name, after the start of a word: never max_tokens, token counts, prompt ids
    r"(?:^|[^A-Za-z0-9]|(?<=[a-z])(?=[A-Z]))"
    r"(?i:(?:proxy[_-]?)?authorization|api[_-]?key|apikey|passw(?:or)?d|passphrase|secret|client[_-]?secret"
    r"|secret[_-]?(?:access[_-]?)?key|(?:access|refresh|auth|bearer|session|id)[_-]?token|private[_-]?key|access[_-]?key"
    r"|credentials?|(?:set[_-]?)?cookie)$"
)
LANGFUSE_KEY: Final = frozenset({"public_key"})
"""What Langfuse puts on its scope, where nothing else has that name."""
_HOLDERS = re.compile(r"(?i)(?:^|\.)(?:metadata|headers|invocation_parameters|model_parameters|kwargs)$")
_DOCUMENT = re.compile(r"\.documents?\.")  # metadata of chunks is content
_SETTINGS = re.compile(_SETTING)
_MARK, _MARK_BYTES = "LANGSMITH_", b"LANGSMITH_"
_NAME = re.compile(r"(?P<q>\\*[\"'])(?P<name>[\w.\-]{1,100})(?P=q)\s*:\s*")
"""A member of JSON text or of a Python repr, also inside of other JSON text, where its quotes are escaped."""
_VALUE = re.compile(r"(?P<q>\\*[\"'])(?P<text>(?:(?!(?P=q))[^\\])*)(?P=q)|(?P<bare>[^\s\"'\\,}\]]+)")
_HARMLESS_VALUES = frozenset({"null", "true", "false", "None", "True", "False"})
_MOST_NAMES = 20_000
_NOTHING: Final[AbstractSet[str]] = frozenset()
_Secret = Callable[[str], bool]


def scrubbed(
    attributes: Mapping[str, Any], field: str, notes: Notes, besides: AbstractSet[str] = _NOTHING
) -> Mapping[str, Any]:
    """Return attributes without the values of credentials, told by name: the same object when there are none.

    Args:
        attributes: the attributes.
        field: the column, where the paths in ``notes`` begin.
        notes: receives the names of what was scrubbed.
        besides: names that are scrubbed here only.
    """
    scrubber = current()
    if scrubber is None or (attributes.keys() <= scrubber.harmless and besides.isdisjoint(attributes)):
        return attributes
    found: list[str] = []
    cleaned = scrubber.by_name(attributes, field, found, besides)
    _note(notes, found)
    return cleaned if found else attributes


def scrubbed_items(items: list[dict[str, Any]], field: str, notes: Notes) -> list[dict[str, Any]]:
    """Return events or links whose attributes are without the values of credentials, told by name."""
    if current() is None:
        return items
    return [
        {**item, "attributes": scrubbed(item["attributes"], f"{field}[{number}].attributes", notes)}
        for number, item in enumerate(items)
    ]


def write(value: object, field: str, notes: Notes) -> str:
    """Write a value as :func:`to_json` does, without the ``LANGSMITH_`` settings that any part of it may hold."""
    text = to_json(value, field, notes)
    if _MARK not in text or current() is None:
        return text
    found: list[str] = []
    cleaned = _inside(value, field, found, _is_setting)
    _note(notes, found)
    return to_json(cleaned, field, notes) if found else text


def needs_a_look(attributes: Mapping[str, Any], text: bytes) -> bool:
    """Tell whether attributes, written as ``text``, might hold a credential; cheap for names that were seen before."""
    scrubber = current()
    if scrubber is None:
        return False
    if _MARK_BYTES in text:
        return True
    return not attributes.keys() <= scrubber.harmless and not all(map(scrubber.is_harmless, attributes))


def _note(notes: Notes, found: list[str]) -> None:
    if found:
        notes[NOTE] = [*notes.get(NOTE, ()), *found]  # a new list: notes of a resource are shared by its spans


class Scrubber:
    """Which names are those of credentials; every name is looked at once, as long as there are not too many."""

    def __init__(self, extra: Sequence[str] = ()) -> None:
        self.harmless: set[str] = set()
        self._names: dict[str, bool] = {}
        more = "".join(f"|^(?i:{translate(pattern)})" for pattern in extra)
        self._secret = re.compile(f"{_SETTING}|{_CREDENTIAL}{more}")

    def is_secret(self, name: str) -> bool:
        """Tell whether a name is that of a credential."""
        known = self._names.get(name)
        if known is None:
            if len(self._names) >= _MOST_NAMES:  # names with numbers or ids in them have no end
                self._names.clear()
            known = self._names[name] = self._secret.search(name) is not None
        return known

    def is_harmless(self, name: str) -> bool:
        """Tell whether the value under a name may stay as it is: neither a credential, nor what might hold one."""
        if name in self.harmless:
            return True
        if self.is_secret(name) or (_HOLDERS.search(name) and not _DOCUMENT.search(name)):
            return False
        if len(self.harmless) >= _MOST_NAMES:
            self.harmless.clear()
        self.harmless.add(name)
        return True

    def by_name(
        self, attributes: Mapping[str, Any], field: str, found: list[str], besides: AbstractSet[str]
    ) -> dict[str, Any]:
        """Return attributes with the values of credentials replaced; their paths are added to ``found``."""
        result = dict(attributes)
        for key, value in attributes.items():
            if key in besides:
                result[key] = _replaced(value, f"{field}.{key}", found)
            elif self.is_harmless(key):
                continue
            elif self.is_secret(key):
                result[key] = _replaced(value, f"{field}.{key}", found)
            else:
                result[key] = _inside(value, f"{field}.{key}", found, self.is_secret)
        return result


@cache
def current() -> Scrubber | None:
    """Return what the environment asks for; ``None`` when it is switched off. Read once a process."""
    asked = os.environ.get(ENVIRONMENT, "").strip()
    if asked.lower() == "off":
        return None
    return Scrubber([name.strip() for name in asked.split(",") if name.strip()])


def _is_setting(name: str) -> bool:
    return _SETTINGS.search(name) is not None


def _replaced(value: Any, path: str, found: list[str]) -> Any:
    if value is None or isinstance(value, bool) or value in ("", SCRUBBED):
        return value
    found.append(path)
    return SCRUBBED


def _inside(value: Any, path: str, found: list[str], is_secret: _Secret, depth: int = 0) -> Any:
    """Scrub the members of a structure, or of the JSON text or Python repr of one."""
    if isinstance(value, str):
        return _inside_text(value, path, found, is_secret)
    if depth >= MAX_DEPTH:  # what lies deeper is not written
        return value
    if isinstance(value, Mapping):
        return {
            key: _replaced(item, f"{path}.{key}", found)
            if is_secret(str(key))
            else _inside(item, f"{path}.{key}", found, is_secret, depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_inside(item, f"{path}[{number}]", found, is_secret, depth + 1) for number, item in enumerate(value)]
    return value


def _inside_text(text: str, path: str, found: list[str], is_secret: _Secret) -> str:
    if is_secret is _is_setting and _MARK not in text:
        return text
    pieces: list[str] = []
    done = 0
    for name in _NAME.finditer(text):
        if name.start() < done or not is_secret(name["name"]):
            continue
        value = _VALUE.match(text, name.end())
        if value is None:
            if name.end() == len(text):
                break  # cut before the value
            found.append(path)  # escapes that are not understood: the text may not stay
            return SCRUBBED
        plain = value["bare"]
        if value["text"] in {"", SCRUBBED} or (plain is not None and (plain[0] in "{[" or plain in _HARMLESS_VALUES)):
            continue
        quote = value["q"] or name["q"]
        pieces += (text[done : name.end()], quote, SCRUBBED, quote)
        done = value.end()
        found.append(f"{path}.{name['name']}")
    return "".join((*pieces, text[done:])) if pieces else text

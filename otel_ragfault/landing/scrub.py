"""Keep credentials that instrumentations leak out of the database.

On by default, at landing: the value of an attribute whose *name* is that of a credential (``authorization``,
``openai_api_key``, ``db.password``, ``langsmith.metadata.LANGSMITH_ENDPOINT``, …) is replaced by ``[scrubbed]``, and the
name is listed under ``scrubbed`` in ``repairs``. Names are looked at in attributes of spans, events, links, resources,
scopes and log records, inside those that hold metadata, headers or parameters (structured or as text), and, for the
``LANGSMITH_…`` settings, wherever they appear. Contents are never searched for what looks like a secret.

The environment variable ``RAGFAULT_SCRUB`` holds more names, separated by commas, case ignored, ``*`` for anything
(``RAGFAULT_SCRUB=tenant.pin,*.ssn``); ``off`` switches all of it off.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import translate
from functools import cache
from typing import Any, Final

from otel_ragfault.landing.values import Notes, to_json

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
_LANGFUSE_KEY = "public_key"  # an attribute of the scope
_HOLDERS = re.compile(r"(?i)(?:^|\.)(?:metadata|headers|invocation_parameters|model_parameters|kwargs)$")
_DOCUMENT = re.compile(r"\.documents?\.")  # metadata of chunks is content
_MARK, _MARK_BYTES = "LANGSMITH_", b"LANGSMITH_"
_MEMBER = re.compile(  # of JSON text or a Python repr, also inside of other JSON text, where its quotes are escaped
    r"(?P<start>(?P<q>\\*[\"'])(?P<name>[\w.\-]{1,100})(?P=q)\s*:\s*)"
    r"(?P<value>(?P<v>\\*[\"'])(?:(?!(?P=v))[^\\])*(?P=v)|[^\s\"'\\,}\]]+)?"
)
_HARMLESS_VALUES = frozenset({"null", "true", "false", "None", "True", "False"})
_MOST_NAMES = 20_000


def write_attributes(attributes: Mapping[str, Any], field: str, notes: Notes, *, scope: bool = False) -> str:
    """Write attributes as :func:`to_json` does, without the values of credentials.

    Args:
        attributes: the attributes.
        field: the column, where the paths in ``notes`` begin.
        notes: receives what was scrubbed, beside what could not be kept.
        scope: whether they belong to a scope, where Langfuse puts its public key.
    """
    return to_json(scrubbed(attributes, field, notes, scope=scope), field, notes)


def scrubbed(attributes: Mapping[str, Any], field: str, notes: Notes, *, scope: bool = False) -> Mapping[str, Any]:
    """Return attributes without the values of credentials: the same object when there are none."""
    scrubber = current()
    if scrubber is None:
        return attributes
    found: list[str] = []
    if not attributes.keys() <= scrubber.harmless or (scope and _LANGFUSE_KEY in attributes):
        attributes = scrubber.by_name(attributes, field, found, {_LANGFUSE_KEY} if scope else frozenset())
    if any(_MARK in value if isinstance(value, str) else _holds(value) for value in attributes.values()):
        attributes = {key: _inside(value, f"{field}.{key}", found, _is_setting) for key, value in attributes.items()}
    if found:
        notes[NOTE] = [*notes.get(NOTE, ()), *found]
    return attributes


def scrubbed_body(body: Any, field: str, notes: Notes) -> Any:
    """Return the body of a log record without the values of credentials."""
    if isinstance(body, Mapping):
        return scrubbed(body, field, notes)
    return scrubbed({"": body}, field, notes)[""]


def scrubbed_items(items: list[dict[str, Any]], field: str, notes: Notes) -> list[dict[str, Any]]:
    """Return events or links whose attributes are without the values of credentials."""
    if current() is None:
        return items
    return [
        {**item, "attributes": scrubbed(item["attributes"], f"{field}[{number}]", notes)}
        if item.get("attributes")
        else item
        for number, item in enumerate(items)
    ]


def needs_a_look(attributes: Mapping[str, Any], text: bytes) -> bool:
    """Tell whether attributes, written as ``text``, might hold a credential; cheap for names that were seen before."""
    scrubber = current()
    return scrubber is not None and (not attributes.keys() <= scrubber.harmless or _MARK_BYTES in text)


class Scrubber:
    """Which names are those of credentials; every name is looked at once."""

    def __init__(self, extra: Sequence[str] = ()) -> None:
        self.harmless: set[str] = set()
        more = "".join(f"|^(?i:{translate(pattern)})" for pattern in extra)
        self._secret = re.compile(f"{_SETTING}|{_CREDENTIAL}{more}")

    def is_secret(self, name: str) -> bool:
        """Tell whether a name is that of a credential."""
        return self._secret.search(name) is not None

    def by_name(
        self, attributes: Mapping[str, Any], field: str, found: list[str], besides: "frozenset[str] | set[str]"
    ) -> Mapping[str, Any]:
        """Scrub by the names of attributes; the same object is returned when nothing was."""
        before = len(found)
        result = dict(attributes)
        for key, value in attributes.items():
            if key in self.harmless and key not in besides:
                continue
            if key in besides or self.is_secret(key):
                result[key] = _replaced(value, f"{field}.{key}", found)
            elif _HOLDERS.search(key) and not _DOCUMENT.search(key):
                result[key] = _inside(value, f"{field}.{key}", found, self.is_secret)
            else:
                self._remember(key)
        return result if len(found) > before else attributes

    def _remember(self, name: str) -> None:
        if len(self.harmless) >= _MOST_NAMES:  # names with numbers or ids in them have no end
            self.harmless.clear()
        self.harmless.add(name)


@cache
def current() -> Scrubber | None:
    """Return what the environment asks for; ``None`` when it is switched off. Read once a process."""
    asked = os.environ.get(ENVIRONMENT, "").strip()
    if asked.lower() == "off":
        return None
    return Scrubber([name.strip() for name in asked.split(",") if name.strip()])


_settings = re.compile(_SETTING)


def _is_setting(name: str) -> bool:
    return _settings.search(name) is not None


def _holds(value: Any) -> bool:
    """Tell whether a structured value mentions a setting."""
    if isinstance(value, str):
        return _MARK in value
    if isinstance(value, Mapping):
        return any(_MARK in str(key) or _holds(item) for key, item in value.items())
    return isinstance(value, list | tuple) and any(map(_holds, value))


def _replaced(value: Any, path: str, found: list[str]) -> Any:
    if value is None or isinstance(value, bool) or value in ("", SCRUBBED):
        return value
    found.append(path)
    return SCRUBBED


def _inside(value: Any, path: str, found: list[str], is_secret: Callable[[str], bool]) -> Any:
    """Scrub the members of a structure, or of the JSON text or Python repr of one."""
    if isinstance(value, Mapping):
        return {
            key: _replaced(item, f"{path}.{key}", found)
            if is_secret(str(key))
            else _inside(item, f"{path}.{key}", found, is_secret)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_inside(item, f"{path}[{number}]", found, is_secret) for number, item in enumerate(value)]
    return _inside_text(value, path, found, is_secret) if isinstance(value, str) else value


def _inside_text(text: str, path: str, found: list[str], is_secret: Callable[[str], bool]) -> str:
    unclear = False

    def member(match: re.Match[str]) -> str:
        nonlocal unclear
        name, value = match["name"], match["value"]
        if not is_secret(name):
            return match["start"] + _again(value)
        if value is None:  # its quotes or escapes are not understood: the text may not stay
            unclear = True
            return match[0]
        if match["v"] is None and (value[0] in "{[" or value in _HARMLESS_VALUES):
            return match[0]
        if match["v"] is not None and value in (match["v"] * 2, f"{match['v']}{SCRUBBED}{match['v']}"):
            return match[0]
        found.append(f"{path}.{name}")
        quote = match["v"] or match["q"]
        return f"{match['start']}{quote}{SCRUBBED}{quote}"

    def _again(value: str | None) -> str:
        """Look into a value that was not asked for: a structure that begins without a blank is part of the match."""
        return "" if value is None else value

    result = _MEMBER.sub(member, text)
    if unclear:
        found.append(path)
        return SCRUBBED
    return result

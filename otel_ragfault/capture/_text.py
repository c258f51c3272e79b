"""Text on its way to a span: valid Unicode, redacted, and only where content may be recorded."""

from dataclasses import dataclass
from typing import Any

import orjson

from otel_ragfault.capture._failures import Guard, count_failure
from otel_ragfault.capture._options import Redact

_REDACT = Guard("redact")


def clean(text: str) -> str:
    r"""Returns a plain ``str`` that can be encoded: a lone surrogate becomes its escape, ``\udc80``.

    One such character would otherwise cost the exporter the whole batch. Distinct texts stay distinct enough to be ids.
    """
    plain = str.__str__(text)
    if plain.isascii():
        return plain
    return plain.encode("utf-8", "backslashreplace").decode("utf-8")


def dumps(value: Any) -> str:
    """Writes clean values as strict JSON; NaN and infinities become ``null``."""
    return orjson.dumps(value).decode()


@dataclass(frozen=True, slots=True)
class View:
    """What one span may show of the texts that it meets."""

    content: bool
    redact: Redact | None
    texts: bool = False
    """Whether chunk texts are wanted beside their ids."""

    def show(self, text: object) -> str | None:
        """Returns the text as it may be written; ``None`` if it may not."""
        if not self.content or not isinstance(text, str):
            return None
        return self.redacted(text)

    def redacted(self, text: str) -> str | None:
        """Returns the text as the redaction leaves it, whether or not content is captured."""
        if self.redact is None:
            return clean(text)
        with _REDACT:
            shown: object = self.redact(text)
            if isinstance(shown, str):
                return clean(shown)
            if shown is not None:
                count_failure("redact", f"it returned {type(shown).__name__}, a str or None was wanted")
        return None

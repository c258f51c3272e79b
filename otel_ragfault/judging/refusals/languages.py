"""The languages whose refusals are known, and which of them an answer is written in, told by its own words."""

import re
from typing import Final

from otel_ragfault.judging.refusals.chinese import CHINESE
from otel_ragfault.judging.refusals.dutch import DUTCH
from otel_ragfault.judging.refusals.english import ENGLISH
from otel_ragfault.judging.refusals.french import FRENCH
from otel_ragfault.judging.refusals.german import GERMAN
from otel_ragfault.judging.refusals.italian import ITALIAN
from otel_ragfault.judging.refusals.japanese import JAPANESE
from otel_ragfault.judging.refusals.language import Language
from otel_ragfault.judging.refusals.portuguese import PORTUGUESE
from otel_ragfault.judging.refusals.spanish import SPANISH

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, JAPANESE, CHINESE)
_WORD: Final = re.compile(r"[^\W\d_]+")
_CLOSE: Final = 0.7
_FEW: Final = 3
_LOOKED_AT: Final = 1_500


def languages_of(text: str) -> tuple[Language, ...]:
    """Return the languages that an answer may be in, the likeliest first.

    By its script, else by how many different common words it holds: the most, and whoever comes close. A text of a few
    words may be in any of them.

    Args:
        text: the answer in lower case.
    """
    head = text[:_LOOKED_AT]
    if not head.isascii():
        by_script = tuple(language for language in LANGUAGES if language.script.search(head))
        if by_script:
            return by_script[:1]
    told = _WORD.findall(head)
    if len(told) <= _FEW:
        return LANGUAGES
    words = frozenset(told)
    counts = [(len(words & language.words), language) for language in LANGUAGES]
    most = max(count for count, _ in counts)
    least = min(most * _CLOSE, most - 1)
    close = [(count, language) for count, language in counts if language.words and count >= least]
    return tuple(language for _, language in sorted(close, key=lambda pair: -pair[0]))

"""Two texts that say the same, made equal: the normalisation under which answers are compared.

Unicode NFKC and case folding; typographic quotes and dashes become plain ones; runs of white space become one blank;
``5½`` is ``5.5`` and ``10²`` is ``10^2``, so that neither can be taken for the number before it; a no-break or thin
blank, or an apostrophe, between groups of three digits is a thousands comma.
"""

import re
import unicodedata
from typing import Final

_PLAIN: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\u0060\uff07", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2014\u2015", " - "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", None),
        "\u2026": "...",
    }
)
_FRACTION: Final = re.compile("(\\d*)([\u00bc-\u00be\u2150-\u215e])")
_RAISED: Final = re.compile("(?<=\\d)([\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+)")
_GROUPED: Final = re.compile("(?<![\\d.,])\\d{1,3}(?:[\u00a0\u2007\u2009\u202f'\u2019]\\d{3})+(?!\\d)")
_GROUP_MARK: Final = re.compile("\\D")
_SPACE: Final = re.compile(r"\s+")


def plain_text(text: str) -> str:
    """Return the text in NFKC with plain quotes, dashes and numbers; case and line ends stay."""
    if text.isascii() and "'" not in text:
        return text.replace("`", "'")
    text = _FRACTION.sub(_decimal, text)
    text = _RAISED.sub(r"^\1", text)
    text = _GROUPED.sub(lambda match: _GROUP_MARK.sub(",", match[0]), text)
    return unicodedata.normalize("NFKC", text.translate(_PLAIN)).translate(_PLAIN)


def compared_text(text: str) -> str:
    """Return the text as two texts are compared: plain, case folded, one blank for each run of white space, trimmed."""
    return _SPACE.sub(" ", plain_text(text).casefold()).strip()


def _decimal(match: re.Match[str]) -> str:
    return f"{int(match[1] or 0) + round(unicodedata.numeric(match[2]), 6):g}" if len(match[1]) <= 6 else match[0]  # noqa: PLR2004 - more digits than a float shows

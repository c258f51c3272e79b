"""The words of a statement: those that carry its content, and those that turn or limit what it says."""

import re
from typing import Final

from otel_ragfault.model.stopwords import STOPWORDS

TURNING: Final = frozenset(
    """
    not no never nor neither none nobody nothing without except unless if only but however although though unlike
    instead false wrong incorrect untrue myth mistaken
    allegedly reportedly supposedly rumoured rumored denied denies deny
    believe believes believed think thinks thought doubt doubts hope hopes suppose assume assumes assumed whether
    can could may might must shall should would
    before after above below over under more most less least fewer fewest than until till up between by or either
    about approximately around roughly nearly almost maximum minimum max min exceed exceeds exceeding
    nicht kein keine keinen keiner keinem keines nie niemals ohne ausser außer
    ne pas jamais sans aucun aucune
    nunca sin ningún ninguna ningun
    não nao nem nenhum nenhuma sem
    non mai senza nessun nessuna
    niet geen nooit zonder
    不 没 沒 未 无 無 非 否 ない ません
    """.split()  # noqa: SIM905 - read as prose
)
"""Words that a statement and what says it have to share, all of them and as often: else one may deny the other."""

VAGUE: Final = frozenset(
    """
    half halves quarter quarters twice thrice once double doubled doubles triple tripled both pair couple dozen dozens
    several many few some noon midnight daily weekly monthly yearly annual annually hourly single zero whole entire all
    cent cents pence
    an a one none no ii iii iv vi vii viii ix xi xii
    """.split()  # noqa: SIM905 - read as prose
)
"""Words that may stand for a number which is not written as one."""
_ALMOST_EVERYWHERE: Final = frozenset({"a", "an", "all", "no", "some", "one", "many", "few"})

_FUNCTION: Final = frozenset(STOPWORDS) - TURNING
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff]")
_WORD: Final = re.compile(
    r"\d+(?:[.,]\d+)+|[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff]|(?:(?![\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff])[^\W_])+"
)
_CONTRACTED: Final = re.compile(r"(?<=\w)n't\b|\bcannot\b")
_MARKS: Final = re.compile(
    r"\[[^\[\]\n]{1,80}\](?:\([^()\s]{1,500}\))?|【[^【】\n]{1,80}】|\((?:sources?|refs?|chunks?|docs?):[^()\n]{1,80}\)"
)
_EMPHASIS: Final = re.compile(r"[*_`#~]+")
_UNITS_OF_TWO: Final = re.compile(r"\b(?:(per) (cent)|(percentage|basis) (points?))\b")
_SHORTEST_PLURAL: Final = 4


def is_unspaced(text: str) -> bool:
    """Whether a text holds a script that puts no blanks between words."""
    return _UNSPACED.search(text) is not None


def unmarked(text: str) -> str:
    """Return a text without the marks of its citations and without emphasis."""
    return _EMPHASIS.sub("", _MARKS.sub(" ", text))


def uncontracted(text: str) -> str:
    """Return a text in lower case with its contracted negations written out."""
    return _CONTRACTED.sub(lambda match: "can not" if match[0] == "cannot" else " not", text)


def one_word_units(text: str) -> str:
    """Return a text in lower case with the units that are written as two words as one."""
    return _UNITS_OF_TWO.sub(lambda match: "percent" if match[1] else f"{match[3]}-{match[4]}", text)


def words(text: str) -> list[re.Match[str]]:
    """Return the words of a text, a number as one; scripts without blanks are cut into characters."""
    return list(_WORD.finditer(text))


def is_content(word: str) -> bool:
    """Whether a word says something of its own."""
    return word not in _FUNCTION and word not in TURNING


def stem(word: str) -> str:
    """Return a word without the ending of a plural or of the third person."""
    if (
        len(word) < _SHORTEST_PLURAL
        or not word.isascii()
        or not word.endswith("s")
        or word.endswith(("ss", "us", "is"))
    ):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses")) else word[:-1]


def is_vague(found: frozenset[str]) -> bool:
    """Whether words may stand for a number."""
    return bool(found & (VAGUE - _ALMOST_EVERYWHERE))

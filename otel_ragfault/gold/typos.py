"""Is it the same word, mistyped or misread? A changed word is another word, however alike the two look."""

from collections.abc import Mapping
from typing import Final

from rapidfuzz.distance import OSA

_SHORTEST = 5  # letters; in a shorter word one letter makes another word
_SHORTEST_KNOWN = 7  # and in a word that stands elsewhere in the texts
_LONG = 9
_NEGATIONS: Final = frozenset(
    """
    not no non nor never none nobody nothing nowhere neither without unless except cannot cant dont doesnt didnt isnt
    arent wasnt werent wont wouldnt shouldnt couldnt hasnt havent hadnt mustnt
    nicht nichts nie niemals kein keine keinen keiner keinem ohne weder pas jamais aucun aucune sans rien
    nunca jamas ningun ninguna ninguno sin tampoco mai nessun nessuno nessuna senza niente nao nenhum nenhuma sem
    niet geen nooit zonder inte aldrig ingen utan
    """.split()  # noqa: SIM905 - readable as a text only
)
_OPPOSITES: Final = (
    ("in", "de"), ("in", "ex"), ("im", "ex"), ("hyper", "hypo"), ("inter", "intra"), ("over", "under"), ("pre", "post"),
    ("micro", "macro"), ("maxi", "mini"), ("max", "min"), ("pro", "anti"), ("up", "down"), ("a", "e"), ("en", "dis"),
)  # fmt: skip
_MISREAD: Final = (
    ("rn", "m"), ("cl", "d"), ("vv", "w"), ("ii", "u"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"), ("8", "b"),
)  # fmt: skip


def same_word(quoted: str, found: str, occurrences: Mapping[str, int]) -> bool:
    """Say whether ``found`` is the quoted word, or that word with a slip inside.

    Numbers, negations and short words have to be equal. So has a word that is known from elsewhere when the other is
    known too: then it was exchanged, not mistyped.

    Args:
        quoted: a word of the quote, folded.
        found: the word at its place in the text, folded.
        occurrences: how often each word occurs in the texts.
    """
    if quoted == found:
        return True
    if min(len(quoted), len(found)) < _SHORTEST or not _NEGATIONS.isdisjoint((quoted, found)):
        return False
    if not (quoted.isalpha() and found.isalpha()):
        return (quoted.isalpha() or found.isalpha()) and _as_read(quoted) == _as_read(found)
    if quoted.endswith(found) or found.endswith(quoted) or _opposite(quoted, found):
        return False  # possible, impossible
    if occurrences.get(quoted, 0) and (occurrences.get(found, 0) > 1 or len(quoted) < _SHORTEST_KNOWN):
        return _as_read(quoted) == _as_read(found) and occurrences.get(found, 0) <= 1
    return slips(quoted, found) <= _allowed(quoted, found) or _as_read(quoted) == _as_read(found)


def slips(quoted: str, found: str) -> int:
    """Return how many letters are wrong, missing, too many or exchanged with their neighbour."""
    return OSA.distance(quoted, found)


def _allowed(quoted: str, found: str) -> int:
    return 2 if min(len(quoted), len(found)) >= _LONG and quoted[0] == found[0] else 1


def _as_read(word: str) -> str:
    for looks, letter in _MISREAD:
        word = word.replace(looks, letter)
    return word


def _opposite(one: str, other: str) -> bool:
    return any(
        (one.startswith(a) and other == b + one[len(a) :]) or (one.startswith(b) and other == a + one[len(b) :])
        for a, b in _OPPOSITES
    )

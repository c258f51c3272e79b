"""Read an answer clause by clause: what refuses, what answers, what does neither; and what that makes of the whole."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from otel_ragfault.judging.refusals.clauses import Clause, clauses_of, plain_answer, sentences_of, stripped
from otel_ragfault.judging.refusals.language import UNKNOWING, Construction, Language
from otel_ragfault.judging.refusals.languages import languages_of

_TURNED_WORDS: Final = 4
_REMARK_WORDS: Final = 7
_LECTURE_WORDS: Final = 80
_ASKING_WORDS: Final = 30
_YES_OR_NO: Final = re.compile(
    r"\W*(?:yes|no|ja|nein|nee|oui|non|s[i\u00ed\u00ec]|n\u00e3o|sim|\u306f\u3044|\u3044\u3044\u3048|\u662f\u7684?|\u4e0d\u662f?)"
    r"[,.!;:\u3002](?:\s|$)"
)
_NUMBER: Final = re.compile(r"\d")
_FEW_SENTENCES: Final = 3
_LONGEST_BARE: Final = 80
_WIDE: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


class Role(Enum):
    """What a clause does for the answer."""

    REFUSES = "refuses"
    ANSWERS = "answers"
    ASKS = "asks"
    OFFERS = "offers"
    TOPIC = "says what the source is about"
    BESIDE = "beside the point"


class _Read(NamedTuple):
    clause: Clause
    role: Role
    construction: str | None = None
    firm: bool = False


@dataclass(frozen=True, slots=True)
class _Sought:
    own: Sequence[re.Pattern[str]]
    built_in: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer is.

    Attributes:
        refuses: whether the answer as a whole refuses the question.
        partial: whether it answers, and refuses a part.
        asks: whether it asks back for what is missing.
        construction: how the refusal is built; ``None`` without one.
        sentence: the sentence that refuses, normalised; else the one that asks back.
    """

    refuses: bool
    partial: bool = False
    asks: bool = False
    construction: str | None = None
    sentence: str | None = None


def read_answer(answer: str, own: Sequence[re.Pattern[str]] = (), *, built_in: bool = True) -> Reading:
    """Read an answer in the language that it is written in.

    Args:
        answer: its text; not empty.
        own: the user's phrases, searched in each sentence.
        built_in: whether the constructions of the languages are looked for.
    """
    text = plain_answer(answer)
    sentences = sentences_of(text)
    readings: list[Reading] = []
    for language in languages_of(text):
        reading = _read(sentences, language, _Sought(own, built_in=built_in))
        if reading.refuses:
            return reading
        readings.append(reading)
    return max(readings, key=lambda one: (one.partial, one.asks))


def _read(sentences: Sequence[str], language: Language, sought: _Sought) -> Reading:
    if len(sentences) <= _FEW_SENTENCES and sought.built_in and (word := _bare(sentences, language)):
        return Reading(refuses=True, construction="nothing but a word for it", sentence=word)
    if not _worth_reading(sentences, language, sought):
        return Reading(refuses=False)
    reads: list[_Read] = []
    for clause in clauses_of(sentences, language):
        reads.append(_role(clause, reads[-1] if reads else None, language, sought))
    asking = _asks(reads, language)
    first = next((place for place, read in enumerate(reads) if read.role is Role.REFUSES), None)
    if first is None:
        sentence = asking.clause.sentence if asking else None
        return Reading(refuses=False, asks=asking is not None, sentence=sentence)
    found = reads[first]
    refuses = _refuses(reads, first, language) and not _answered(sentences[0], found)
    return Reading(refuses, not refuses, asking is not None, found.construction, found.clause.sentence)


def _bare(sentences: Sequence[str], language: Language) -> str | None:
    """Return the one sentence that is nothing but a word for a refusal, whatever greets or apologises before it."""
    if sum(map(len, sentences)) > 2 * _LONGEST_BARE:
        return None
    said = [stripped(sentence) for sentence in sentences]
    said = [one for one in said if not language.opening.match(one) and not language.lead.fullmatch(one)]
    if len(said) != 1:
        return None
    keys = [clause.key for clause in clauses_of(said, language)] if len(said[0]) < _LONGEST_BARE else []
    return said[0] if language.bare.match(said[0]) or (len(keys) == 1 and language.bare.match(keys[0])) else None


def _worth_reading(sentences: Sequence[str], language: Language, sought: _Sought) -> bool:
    """Say whether anything in an answer can refuse or ask; most answers are done with after this."""
    if sought.own or any("?" in sentence for sentence in sentences):
        return True
    telling = [sentence for sentence in sentences if language.cue.search(sentence)]
    if len(sentences) <= _FEW_SENTENCES or not telling:
        return bool(telling)
    constructions = language.refuses + language.follows + language.of_topic + language.of_source
    return any(
        language.request.search(clause.key) or any(one.pattern.search(clause.key) for one in constructions)
        for clause in clauses_of(telling, language)
    )


def _role(clause: Clause, last: _Read | None, language: Language, sought: _Sought) -> _Read:
    key = clause.key
    if any(pattern.search(clause.sentence) for pattern in sought.own):
        return _Read(clause, Role.REFUSES, "a phrase of the configuration")
    if key and language.request.search(key):
        return _Read(clause, Role.ASKS)
    if built := _construction(clause, last, language) if sought.built_in else None:
        return _Read(clause, Role.REFUSES, built.name, built.firm)
    if clause.asks and key:
        return _Read(clause, Role.OFFERS if language.offer.search(key) else Role.ASKS)
    if _is_about(clause, language):
        return _Read(clause, Role.TOPIC)
    beside = not key or language.opening.match(key) or language.redirect.match(key)
    return _Read(clause, Role.BESIDE if beside else Role.ANSWERS)


def _construction(clause: Clause, last: _Read | None, language: Language) -> Construction | None:
    """Return how the clause refuses; neither a condition nor a question does."""
    if clause.asks or not language.cue.search(clause.key) or language.condition.match(clause.key):
        return None
    topic = last is not None and last.role in {Role.TOPIC, Role.REFUSES}
    known = (
        language.refuses
        + language.follows * (topic or clause.turned)
        + language.of_topic * topic
        + language.of_source * (clause.sourced or clause.concludes)
    )
    found = next((one for one in known if one.pattern.search(clause.key)), None)
    if found is None or found.firm or found.name == UNKNOWING or not language.explains.search(clause.key):
        return found
    return None


def _is_about(clause: Clause, language: Language) -> bool:
    """Say whether the clause tells only what the source is about; set against a refusal, a number is an answer."""
    about = language.about.match(clause.key)
    return about is not None and not (clause.turned and _NUMBER.search(clause.key, about.end()))


def _refuses(reads: Sequence[_Read], first: int, language: Language) -> bool:
    """Say whether a refusal is the answer's main point: nothing before or behind it answers."""
    if any(_counts_before(read, reads[first]) for read in reads[:first]):
        return _concludes(reads, first, language)
    remark = 0
    for place, read in enumerate(reads[first + 1 :], first + 1):
        if read.role is not Role.ANSWERS or read.clause.concedes or _gives_reason(reads, place):
            continue
        if not read.clause.turned and language.tells.match(read.clause.key):
            continue
        words = _words(read.clause.key)
        if _corrects(reads, place) or (
            read.clause.turned and words >= _TURNED_WORDS and not _only_concedes(reads, place)
        ):
            return False
        remark += words
    return remark < (_LECTURE_WORDS if reads[first].firm else _REMARK_WORDS) or _concludes(reads, first + 1, language)


def _answered(opening: str, found: _Read) -> bool:
    """Say whether the answer begins with yes or no, and what refuses behind that only gives the reason for it."""
    return not found.firm and found.construction != UNKNOWING and _YES_OR_NO.match(opening) is not None


def _counts_before(read: _Read, refusal: _Read) -> bool:
    """Say whether a clause before the refusal answers; a few words of the same sentence only lead in."""
    if read.role is not Role.ANSWERS or read.clause.concedes or _is_heading(read.clause):
        return False
    if read.clause.sentence != refusal.clause.sentence:
        return True
    words = _words(read.clause.key)
    return words > _TURNED_WORDS - 2 * refusal.clause.turned and not refusal.clause.concludes


def _is_heading(clause: Clause) -> bool:
    return clause.heads and _words(clause.key) <= _REMARK_WORDS


def _corrects(reads: Sequence[_Read], place: int) -> bool:
    """Say whether a few words put right what the source is said not to say (``does not describe Paris but Lyon``)."""
    denied, read = reads[place - 1], reads[place]
    same = denied.clause.sentence == read.clause.sentence and read.clause.turned
    return same and denied.role is Role.REFUSES and not denied.firm and denied.construction != UNKNOWING


def _gives_reason(reads: Sequence[_Read], place: int) -> bool:
    """Say whether the clause goes on in the sentence of a refusal, neither set against it nor concluded from it."""
    before, read = reads[place - 1], reads[place]
    same = before.clause.sentence == read.clause.sentence
    return same and before.role is Role.REFUSES and not read.clause.turned and not read.clause.concludes


def _only_concedes(reads: Sequence[_Read], place: int) -> bool:
    """Say whether the clause is set against the last one, and refused itself by the next."""
    return place + 1 < len(reads) and reads[place + 1].role is Role.REFUSES and reads[place + 1].clause.turned


def _concludes(reads: Sequence[_Read], start: int, language: Language) -> bool:
    """Say whether the answer ends by refusing the question as a whole."""
    main = [read for read in reads[start:] if read.role in {Role.REFUSES, Role.ANSWERS}]
    last = main[-1] if main else None
    if last is None or last.role is not Role.REFUSES or not last.firm:
        return False
    return language.conclusion.search(last.clause.sentence) is not None


def _asks(reads: Sequence[_Read], language: Language) -> _Read | None:
    """Return the question back: asked of the user, or all that there is, and not the tail of an answer."""
    asking = [read for read in reads if read.role is Role.ASKS]
    answering = sum(_words(read.clause.key) for read in reads if read.role is Role.ANSWERS)
    if not asking or answering > _ASKING_WORDS:
        return None
    for read in asking:
        if language.request.search(read.clause.key) or language.you.search(read.clause.key):
            return read
    return asking[-1] if not answering else None


def _words(key: str) -> int:
    """Count words; two signs of a script without blanks are one."""
    return len(key.split()) + len(_WIDE.findall(key)) // 2

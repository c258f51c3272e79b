"""Cut an answer into clauses, each without what stands before its main point, and with how it is joined to the last."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from otel_ragfault.judging.refusals.language import Language
from otel_ragfault.model.compared import plain_text

_MARKUP: Final = re.compile(r"</?[a-z][\w-]{0,20}>|[*_#>|~]+|(?<=[\w.,;:)])[ \t]?\[[\w ,^-]{1,20}\](?=[\s.,;:!?]|$)")
_ECHO: Final = re.compile(r"^\s*question\s*:[^\n?]{0,300}\?\s*(?=answer\b|\n|$)")
_QUOTED: Final = re.compile(r'"[^"\n]{1,300}"')
_BETWEEN_SENTENCES: Final = re.compile(
    r"(?<=[.!?;:])[\"')\]]*\s+|(?<=[\u3002?!;])(?=[\u3040-\u9fff])|(?<=\u3002)|\s*\n\s*(?:[-\u2022+]|\d{1,2}[.)])?\s+|\n+"
)
_OUTER: Final = " .,;:!?\"'()[]{}-\u3002\u3001\u00bf\u00a1`"
_FEW_WORDS: Final = 4
_HEAD: Final = 6_000
_TAIL: Final = 2_000
_SENTENCES: Final = 60
_LONGEST: Final = 400
_LEADS: Final = 6


class Clause(NamedTuple):
    """A clause of an answer.

    Attributes:
        key: what the patterns of the language are searched in.
        sentence: the sentence that it stands in, normalised.
        turned: whether it is set against what stands before (``however``, a semicolon, after a concession).
        sourced: whether its sentence begins with its source (``based on the context,``).
        asks: whether it ends in a question mark.
        concedes: whether it only concedes (``although the text …,``).
        concludes: whether it follows from what stands before it in the sentence (``…, so I cannot say``).
        heads: whether a colon ends it.
    """

    key: str
    sentence: str
    turned: bool = False
    sourced: bool = False
    asks: bool = False
    concedes: bool = False
    concludes: bool = False
    heads: bool = False


def plain_answer(answer: str) -> str:
    """Return an answer in lower case with plain quotes and without markup; of a long one, its head and its end."""
    if len(answer) > _HEAD + _TAIL:
        answer = f"{answer[:_HEAD]}\n{answer[-_TAIL:]}"
    text = _ECHO.sub("", _MARKUP.sub("", plain_text(answer).casefold()))
    unquoted = _QUOTED.sub('""', text)
    return text if len(unquoted.split()) < _FEW_WORDS else unquoted


def stripped(text: str) -> str:
    """Return a text without the punctuation around it, in single blanks."""
    return " ".join(text.split()).strip(_OUTER)


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a plain answer with their punctuation; of very many, the first and the last."""
    sentences = [sentence for sentence in _BETWEEN_SENTENCES.split(text) if sentence and sentence.strip(_OUTER)]
    if len(sentences) > _SENTENCES:
        return sentences[: _SENTENCES * 2 // 3] + sentences[-_SENTENCES // 3 :]
    return sentences


def clauses_of(sentences: Sequence[str], language: Language) -> list[Clause]:
    """Return the clauses of sentences, in order."""
    found: list[Clause] = []
    turned = False
    for sentence in sentences:
        found += _clauses(sentence, language, turned=turned and language.cue.search(sentence) is None)
        turned = sentence.endswith(";")
    return found


@lru_cache(maxsize=64)  # an answer's sentences are asked for up to three times
def _clauses(sentence: str, language: Language, *, turned: bool) -> tuple[Clause, ...]:
    return tuple(_parts(sentence, language, turned=turned))


def _parts(sentence: str, language: Language, *, turned: bool) -> Iterator[Clause]:
    shown = stripped(sentence)[:_LONGEST]
    turned = turned or language.against.search(shown) is not None
    asks = sentence.rstrip("\"')]} ").endswith("?")
    prepared = stripped(language.prepare(shown))
    rest, sourced = (prepared, False) if language.conceding.match(prepared) else _without_leads(prepared, language)
    concession, comma, main = rest.partition(", ") if language.conceding.match(rest) else ("", "", rest)
    main = main if comma else rest
    if comma:
        key = stripped(language.conceding.sub("", concession, count=1))
        yield Clause(key, shown, turned=turned, sourced=sourced, concedes=True)
        turned = True
    start = 0
    concludes = False
    for joint in language.split.finditer(main):
        key = stripped(main[start : joint.start()])
        if key:
            yield Clause(_without_leads(key, language)[0], shown, turned, sourced, concludes=concludes)
        turned = joint.lastgroup == "turn" or (turned and not key)
        concludes = joint.lastgroup == "so"
        start = joint.end()
    key, named = _without_leads(stripped(main[start:]), language)
    heads = sentence.rstrip("\"')*_ ").endswith(":")
    yield Clause(key, shown, turned, sourced or named, asks, concludes=concludes, heads=heads)


def _without_leads(key: str, language: Language) -> tuple[str, bool]:
    """Return a clause without its lead-ins, and whether one of them names the source."""
    sourced = False
    for _ in range(_LEADS):
        lead = language.lead.match(key)
        if lead is None or not lead.end():
            break
        sourced = sourced or language.sourced.match(lead[0]) is not None
        key = key[lead.end() :].strip(_OUTER)
    return key, sourced

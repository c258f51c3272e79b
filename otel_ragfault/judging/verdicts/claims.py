"""Cut an answer into claims, sentence by sentence.

A sentence keeps the citations behind its end. Headings, lead-ins that end in a colon, questions and greetings state
nothing and need no support. Finer claims are a judge's or an extractor's work; the version tells them apart.
"""

import re
from dataclasses import dataclass
from typing import Final

EXTRACTOR_VERSION: Final = "sentences-1"
"""Raised whenever the same answer would be cut otherwise than before."""

_END: Final = re.compile(
    r"""(?P<stop>[.!?]+["'”\u2019)\]]*|[。\uff01\uff1f]["”\u2019」』\uff09]*)  # its end
        (?P<marks>(?:\s*(?:\[[^\[\]\n]{1,80}\]|【[^【】\n]{1,80}】))*)  # citations behind it
        (?=\s|$|(?<=[。\uff01\uff1f」』\uff09\]】]))""",
    re.VERBOSE,
)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|ca|no|nos|fig|figs|eq|sec|ch|vol|pp|art|mr|mrs|ms|dr|prof|st|jr|sr|inc|ltd|co|dept"
    r"|est|min|max|avg|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\.b|d\.h|bzw|usw|nr|p\.ex|ej|sra?)|\b[A-Za-z]"
    r"|(?:^|[\s(])\d{1,3})\.$",
    re.IGNORECASE,
)
_BULLET: Final = re.compile(r"\s*(?:[-*•\u2013]\s+|#{1,6}\s+|\d{1,3}[.)]\s+|>\s+)?")
_MARKS: Final = re.compile(r"\[[^\[\]\n]{1,80}\]|【[^【】\n]{1,80}】")
_WORD: Final = re.compile(r"\w+")
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff]")
_FEWEST_WORDS: Final = 2


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A claim: its text, where it stands in the answer (``last`` is behind it), and whether it states something."""

    claim_id: str
    text: str
    first: int
    last: int
    needs_support: bool


def claims_of(answer: str) -> list[AnswerClaim]:
    """Return the claims of an answer in their order, numbered from ``s1``."""
    found: list[AnswerClaim] = []
    offset = 0
    for line in answer.splitlines(keepends=True):
        for first, last in _sentences(line):
            text = line[first:last]
            if _WORD.search(_MARKS.sub("", text)):
                found.append(
                    AnswerClaim(f"s{len(found) + 1}", text, offset + first, offset + last, _states(line, text))
                )
        offset += len(line)
    return found


def _sentences(line: str) -> list[tuple[int, int]]:
    bullet = _BULLET.match(line)
    start = bullet.end() if bullet else 0
    spans = []
    for match in _END.finditer(line, start):
        if not _ABBREVIATION.search(line[start : match.end("stop")]) or not line[match.end() :].strip():
            spans.append((start, match.end()))
            start = match.end()
    spans.append((start, len(line)))
    return [_trimmed(line, *span) for span in spans if line[slice(*span)].strip()]


def _trimmed(line: str, first: int, last: int) -> tuple[int, int]:
    text = line[first:last]
    return first + len(text) - len(text.lstrip()), last - (len(text) - len(text.rstrip()))


def _states(line: str, text: str) -> bool:
    bare = _MARKS.sub("", text).strip().strip("*_")
    if line.lstrip().startswith("#") or bare.endswith(("?", "\uff1f", "؟", ":", "\uff1a")):
        return False
    return len(_WORD.findall(bare)) >= _FEWEST_WORDS or _WIDE.search(bare) is not None

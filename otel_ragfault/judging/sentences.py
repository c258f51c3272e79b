"""Cut an answer into the sentences that a refusal is looked for in, without what stands before its main point."""

import re

from otel_ragfault.judging.text import plain_text

_MARKUP = re.compile(r"[*_#>`]+")
_END = re.compile(r"(?<=[.!?:])[\"')\]]*\s+|\n+")
_SPACE = re.compile(r"\s+")
_OUTER = " .,;:!?\"'()[]-"
_SOURCES = (
    r"context|documents?|documentation|passages?|texts?|sources?|materials?|excerpts?|articles?|results|information|"
    r"content|polic(?:y|ies)|handbook|manual|knowledge base|data|snippets?|paragraphs?"
)
_LEAD = re.compile(
    r"(?:"
    r"(?:i am|i'm|we are|we're)?(?: (?:very|so|really|terribly))? ?(?:sorry|afraid)"
    r"(?: (?:for|about) (?:that|the [\w ]{1,40}|any [\w ]{1,40}))?(?: to say)?(?: that)?|"
    r"(?:i|we|my|our)? ?(?:do )?(?:sincerely |sincere )?apologi(?:[sz]e|es)(?: for [\w ]{1,40})?|"
    r"unfortunately|regrettably|sadly|well|hm+|no|currently|at (?:this time|present)|to be honest|honestly|"
    rf"(?:based|relying) (?:solely |only )?(?:up)?on [^,]{{0,60}}\b(?:{_SOURCES})\b[^,]{{0,30}}|"
    r"(?:according to|from|in|within|given|after (?:reviewing|checking|searching)) (?:the|this|these|my|our|your)\b"
    rf"[^,]{{0,60}}\b(?:{_SOURCES})\b[^,]{{0,30}}|"
    r"without (?:any |more |further |additional |that )+(?:context|information|details?)\b[^,]{0,30}|"
    r"as an? (?:ai|assistant|language model|large language model)\b[^,]{0,40}|"
    r"thank(?:s| you)(?: for [^,]{1,40})?|(?:hi|hello)(?: there)?|answer|"
    r"(?:it (?:seems|appears|looks like)|i think|i believe|it is clear)(?: that)?|"
    r"but|and|so|therefore|then|thus|please note that|note that"
    r")(?:[,;:.!-]+\s*|\s+|$)"
)
_PREAMBLE = re.compile(
    r"(?:you (?:asked|are asking|want|would like)|the question (?:is|asks)|"
    r"(?:i|we) (?:searched|looked|checked|reviewed|have (?:searched|reviewed|checked))|"
    r"thank|hi\b|hello\b|great question|good question|question|answer|context)"
)


def sentences_of(answer: str, limit: int = 4) -> list[str]:
    """Return the first sentences of an answer, normalised; the first without its lead-in, none that only leads in.

    Args:
        answer: the text of the answer.
        limit: how many sentences at most.
    """
    text = _MARKUP.sub("", plain_text(answer[:4000]).casefold())
    found: list[str] = []
    for part in _END.split(text):
        sentence = _SPACE.sub(" ", part).strip(_OUTER)
        sentence = sentence if found else _without_lead(sentence)
        if sentence and (found or not _PREAMBLE.match(sentence)):
            found.append(sentence)
        if len(found) == limit:
            break
    return found


def _without_lead(sentence: str) -> str:
    while (lead := _LEAD.match(sentence)) and lead.end():
        rest = sentence[lead.end() :].strip(_OUTER)
        if lead[0].strip(_OUTER) == "no" and lead[0].strip() == "no":
            return sentence  # "no information", not "no, …"
        sentence = rest
    return sentence

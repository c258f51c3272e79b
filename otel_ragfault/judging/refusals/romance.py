"""Spanish, Italian and Portuguese refuse alike: one word for *not* before the verb, and the subject often left out."""

# ruff: noqa: E501 - a pattern is read as one line

from dataclasses import dataclass

from otel_ragfault.judging.refusals.language import UNKNOWING, Construction, firm, loose


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of one of these languages, as patterns.

    Attributes:
        no: the word for *not*.
        none: *no* before a noun.
        the: articles and the like.
        source: words for sources.
        information: words for information.
        say: verbs of what a source does not say.
        said: their participles.
        held: *available*, *present*: said of information or of a source only.
        learn: infinitives of what cannot be learnt.
        can: *I can*, and like verbs of the first person.
        know: *I know*, *I have*, *I find*.
        we: *we have*, *we find*, followed by information.
        there_is: *there is*.
        one_can: *one can*, *it is possible to*.
        impossible: *it is impossible to*.
        be: *is*, *was*.
        within: *in the*.
        refuse: *I refuse*, *I must decline*.
        question: *the question*.
        unclear: *not clear*, *unknown*, behind *is*.
    """

    no: str
    none: str
    the: str
    source: str
    information: str
    say: str
    said: str
    held: str
    learn: str
    can: str
    know: str
    we: str
    there_is: str
    one_can: str
    impossible: str
    be: str
    within: str
    refuse: str
    question: str
    unclear: str


def constructions(w: Words) -> tuple[Construction, ...]:
    """Return the refusals of a language of this family."""
    source = rf"{w.the}(?:[\w'-]+ ){{0,3}}?{w.source}(?: [\w',-]+){{0,8}}?"
    not_ = rf"\b{w.no} (?:(?:lo|la|le|te|ti|vi|se|si|me|mi|os|o|a|lhe|ne|ci) )?"
    return (
        firm(
            "the speaker cannot",
            rf"{not_}(?:{w.can})\b",
            rf"\b(?:{w.refuse})\b",
        ),
        firm(
            "the question cannot be answered",
            rf"{not_}(?:{w.one_can}) (?:\w+ )?(?:{w.learn})",
            rf"\b(?:{w.impossible}) (?:{w.learn})",
            rf"\b{w.question}\b.{{0,80}}?{not_}(?:{w.one_can}|{w.be})\b",
            rf"^{source} {not_}(?:permite[nm]?|permett(?:e|ono)|consent(?:e|ono)) (?:di |de )?(?:{w.learn})",
        ),
        loose(
            UNKNOWING,
            rf"{not_}(?:{w.know})\b",
            rf"{not_}(?:{w.we})\b.{{0,40}}?\b{w.information}\b",
        ),
        loose(
            "the source does not say",
            rf"^{source} {not_}(?:{w.say})",
            rf"^{source} {not_}(?:tiene[n]?|ha|hanno|tem|têm|cuenta con) (?:[\w'-]+ ){{0,2}}?{w.information}\b",
            rf"{not_}(?:{w.there_is}|{w.be}) {w.within}(?:[\w'-]+ ){{0,2}}?{w.source}",
            rf"^(?:{w.none}) (?:[\w'-]+ ){{0,4}}?(?:{w.source}|cl[aá]usula|clausola|sezione|sección|seção|articolo)\b.{{0,60}}?\b(?:{w.say})",
            rf"\b{w.within}(?:[\w'-]+ ){{0,3}}?{w.source}(?: [\w'-]+){{0,3}}? {not_}(?:{w.be}|{w.there_is}|{w.say})\b",
        ),
        loose(
            "the source does not say",
            rf"^(?:nada|nulla|niente) {w.within}|^{w.no} {w.within}(?:[\w'-]+ ){{0,2}}?{w.source}",
            rf"{not_}(?:evince|desprende|deduce|ricava|depreende|infiere|desume|capisce da)\w*",
        ),
        loose(
            "there is no information",
            rf"{not_}(?:{w.there_is})\b(?: [\w'-]+){{0,4}}? {w.information}\b",
            rf"{not_}(?:{w.there_is}) (?:nada|nulla|niente)\b.{{0,60}}{w.source}",
            rf"^(?:{w.none}) (?:[\w'-]+ )?{w.information}\b(?!.{{0,60}}\b(?:se pierde|va pers|se perde|é perdid))",
            rf"^{w.information} (?:insuficientes?|insufficient[ei]|no disponible|non disponibile|não disponível)",
        ),
        loose(
            "it is not said",
            rf"{not_}(?:{w.be}) (?:\w+ )?(?:{w.said})\b",
            rf"\b{w.information}\b.{{0,60}}?{not_}(?:{w.be}) (?:\w+ )?(?:{w.held})",
            rf"{not_}(?:{w.be}) (?:\w+ )?(?:{w.held})\b.{{0,20}}\b{w.within}(?:[\w'-]+ ){{0,2}}?{w.source}",
            rf"^{w.no} (?:{w.said})\b",
            rf"{not_}(?:se|si|vi[ee]ne|vengono) (?:{w.say}|{w.said})",
        ),
        loose(
            "it cannot be told",
            rf"^(?:{not_})?(?:{w.be}) (?:\w+ )?(?:{w.unclear})(?=$| )",
        ),
    )


def following(w: Words) -> tuple[Construction, ...]:
    """Return the refusals whose subject is the source of the clause before (``pero no da su coste``)."""
    return (loose("the source does not say", rf"^{w.no} (?:(?:lo|la|le|se|si|ne|o|a|me) )?(?:{w.say})"),)

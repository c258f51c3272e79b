"""French: how its refusals are built."""

# ruff: noqa: E501 - a pattern is read as one line

import re
from typing import Final

from otel_ragfault.judging.refusals.language import UNKNOWING, Language, any_of, firm, loose, words

_SOURCE: Final = (
    r"\b(?:contextes?|textes?|documents?|documentation|articles?|extraits?|passages?|sources?|informations?|matériels?|résultats|base de connaissances|"
    r"manuel|guide|notice|contrat|compte rendu|rapport|études?|directives?|règlement|fiche|page|description|données|tableau|brochure|faq|paragraphes?|"
    r"dossier|politique|auteurs?|jugement|loi|catalogue|annexe)\b"
)
_INFORMATION: Final = r"(?:informations?|infos?|détails?|données|mention|réponse|indications?|précisions?|éléments?|référence|renseignements?|document|résultat|contexte|sections?|chapitres?|rubriques?)"
_THE: Final = r"(?:les?|la|l'|ces?|cet|cette|cettes|vos|votre|mes|mon|nos|notre|aucun des|aucune des)"
_PAS: Final = r"(?:pas|aucune?|rien|nulle part|jamais|ni|guère)"
_SAY: Final = r"(?:mentionn|indiqu|précis|contien|contenai|spécifi|parl|expliqu|décri|donn|fourni|abord|trait|permet|répond|dit|disent|évoqu|défini|comport|inclu|détaill|stipul|apport|fait|font|offr|révèl|cit|nomm)\w*"
_SAID: Final = r"(?:mentionnée?s?|indiquée?s?|précisée?s?|spécifiée?s?|expliquée?s?|décrite?s?|abordée?s?|traitée?s?|évoquée?s?|définie?s?|détaillée?s?|citée?s?|stipulée?s?)"
_LEARN: Final = r"(?:répondre|dire|savoir|déterminer|trouver|confirmer|vérifier|identifier|établir|conclure|calculer|donner|fournir|préciser|aider|déduire|affirmer)"

FRENCH: Final = Language(
    name="fr",
    words=words(
        "le la les de des du un une et est que qui dans pour ne pas sur je il elle ce cette au aux avec par plus en ou sont mais vous votre nous d'après si désolé aucune aucun non oui quelle quel n d l s y"
    ),
    cue=re.compile(
        r"\bsort\b|excède|veuillez|merci de|\bne\b|\bn'|\bpas\b|aucun|im(?:possible|précis)|in(?:suffisa|connu|certain)|refus|dépass|déclin|\bnon\b|\bni\b|manqu|hors|uniquement|sans"
    ),
    bare=re.compile(
        rf"(?:non (?:{_SAID}|disponible|trouvée?|renseignée?|communiquée?|applicable)|aucune (?:idée|information|réponse|mention)|inconnue?|(?:informations?|données) insuffisantes?|pas (?:de réponse|d'informations?|d'idée|{_SAID})|pas (?:assez|suffisamment) d'informations?|sans réponse|(?:information )?(?:non|in)\s?disponible|je l'ignore)$"
    ),
    lead=re.compile(
        r"(?:(?:je suis )?(?:vraiment |sincèrement )?désolée?|malheureusement|hélas|excusez[- ]moi|pardon|toutes mes excuses|mes excuses|réponse|bonjour|merci(?: pour [^,.]{0,40})?|"
        rf"(?:d'après|selon|sur la base|au vu|à partir|en me basant|dans|compte tenu|en l'état)[^,]{{0,80}}?{_SOURCE}[^,]{{0,30}},|"
        r"en tant (?:que|qu')[^,]{0,60},|mais|donc|par conséquent|ainsi|alors|et|que|à ma connaissance)(?:[,;:.!-]+\s*|\s+|$)|(?:d'après|selon|sur la base|au vu|en me basant)[^,]{0,100},\s*|en tant (?:que |qu')[^,]{0,60},\s*"
    ),
    sourced=re.compile(r"d'après|selon|sur la base|au vu|à partir|en me basant|dans|compte"),
    opening=re.compile(
        r"^(?:vous (?:demandez|souhaitez)|la question (?:est|porte)|j'ai (?:cherché|consulté|parcouru)|bonjour|merci|bien sûr)\b"
    ),
    split=re.compile(
        r"(?P<turn>\s*,?\s+(?:mais|cependant|toutefois|néanmoins|pourtant|en revanche)\b,?\s+|^(?:mais|cependant|toutefois|néanmoins|en revanche|pourtant)\b,?\s+)|"
        r"(?P<end>\s*,?\s+(?:car|parce que?|puisque|donc)\s+|\s+et\s+(?=(?:je|il n'|ne|n')))"
    ),
    against=re.compile(r"\b(?:cependant|toutefois|néanmoins|en revanche|pourtant)\b"),
    conceding=re.compile(r"^(?:bien que|bien qu'|même si|quoique|alors que|si)\b"),
    conclusion=re.compile(r"^(?:donc|par conséquent|ainsi|en conclusion)\b|\b(?:la|cette|votre|à la) question\b"),
    condition=re.compile(r"^(?:si|lorsque?|quand|s'il|à moins)\b"),
    refuses=(
        firm(
            "the speaker cannot",
            r"\bje (?:ne |n'|n' )(?:(?:vous|te|le|la|l'|y) ?)?(?:peux|puis|pourrais?|suis|pense|souhaite|veux|fais|réponds|donne|fournis|discute|saurais)\b",
            r"\bje (?:dois|préfère) (?:refuser|décliner|ne pas)\b|\bje (?:refuse|décline)\b|\bje regrette de ne\b|\bje (?:peux|réponds) (?:seulement|uniquement)\b",
            rf"\b(?:nous ne pouvons|nous ne sommes|on ne peut|on ne sait) pas (?:\w+ )?(?:{_LEARN}|en mesure)\b",
        ),
        firm(
            "the question cannot be answered",
            rf"\bil (?:est impossible|n'est pas possible|est difficile) (?:de|d'|pour moi de) ?(?:le |l'|y |vous )?(?:{_LEARN})\b|\bimpossible (?:de|à|d')(?: le| l'| y)? ?(?:{_LEARN})\b",
            r"\b(?:question|demande|cela|sujet)\b.{0,30}\b(?:sort|dépasse|excède)\b.{0,12}\b(?:mon|ma|mes|notre|du|le cadre)\b",
            r"\bquestion\b.{0,80}\b(?:ne peut|n'a|ne trouve|reste sans|dépasse|hors|est sans)\b.{0,40}\b(?:réponse|répondue|champ|domaine|cadre|compétence)|\bne permet(?:tent)? pas de (?:répondre|savoir|dire|déterminer|conclure|connaître)\b",
        ),
        loose(
            UNKNOWING,
            r"\bje (?:ne |n'|n' )(?:\w+ )?(?:sais|connais|trouve|dispose|vois|possède|comprends|ai)\b|\bje n'(?:ai|en ai|y ai)\b|\bje (?:l')?ignore\b|\bje manque\b|\bil me manque\b|\bj'ignore\b|\baucune idée\b|\bje n'en sais rien\b",
            rf"\bnous (?:ne disposons|n'avons|ne trouvons|n'avons pas trouvé) ?(?:pas|aucune?)?\b.{{0,30}}\b{_INFORMATION}\b",
        ),
        loose(
            "the source does not say",
            rf"^{_THE} ?(?:[\w'-]+ ){{0,3}}?{_SOURCE}(?: [\w'-]+){{0,8}}? (?:ne |n')(?:\w+ )?{_SAY}\b",
            rf"^aucune? (?:(?:des?|du) )?(?:[\w'-]+ ){{0,2}}?(?:{_SOURCE}|clause|section|article)\b.{{0,60}}?(?:ne |n'){_SAY}",
            rf"^{_THE} ?(?:[\w'-]+ ){{0,3}}?{_SOURCE}(?: [\w'-]+){{0,8}}? (?:est|sont|reste|restent) (?:muets?|silencieux|insuffisants?|imprécise?s?)\b|^rien (?:dans|n'indique|ne permet)\b",
        ),
        loose(
            "there is no information",
            rf"\b(?:il n'y a|il n'existe|il n'est fait|on ne trouve) {_PAS} ?(?:d'|de )?(?:[\w'-]+ )?{_INFORMATION}\b|\bil n'y a rien\b.{{0,40}}{_SOURCE}|\bil n'y a pas (?:assez|suffisamment)\b",
            rf"^(?:aucune?|pas d'|pas assez d'|pas suffisamment d') ?(?:[\w'-]+ )?{_INFORMATION}(?:$| (?:sur|concernant|à|n'|disponible|relative|trouvée?|dans|ne)\b)",
        ),
        loose(
            "it is not said",
            rf"\b(?:n'est|ne sont|n'a|n'ont|n'était) (?:\w+ )?(?:pas|nulle part|jamais|ni) (?:été |\w+ment )?(?:{_SAID})\b",
            rf"\b(?:{_INFORMATION}|réponses?|cela|ceci)\b.{{0,60}}?\b(?:n'est|ne sont|n'a|n'ont|ne figure(?:nt)?|ne se trouve(?:nt)?) (?:pas|aucun\w*)\b|^(?:non|pas) (?:{_SAID})\b",
            rf"\b(?:n'est|ne sont|ne figure(?:nt)?) pas (?:disponibles?|présente?s?|fournie?s?|donnée?s?|incluse?s?|dans)\b.{{0,20}}{_THE} ?(?:[\w'-]+ )?{_SOURCE}",
        ),
        loose(
            "it cannot be told",
            r"^il (?:n'est|reste|est) (?:pas clair|pas précisé|pas indiqué|pas mentionné|pas possible|impossible de savoir|peu clair|incertain)\b|^on (?:ne sait|ignore)\b",
        ),
    ),
    follows=(
        loose(
            "the source does not say",
            rf"^(?:il |elle |ils |elles )?(?:ne |n')(?:\w+ )?{_SAY}\b|^(?:et )?(?:non )?pas (?:du|de|des|d'|la|le|les|l'|à|au|aux|sur)\b",
        ),
    ),
    about=re.compile(
        rf"^(?:{_THE} ?(?:[\w'-]+ ){{0,3}}?{_SOURCE}|ils?|elles?)(?: [\w'-]+){{0,5}}? (?:parle(?:nt)?|traite(?:nt)?|porte(?:nt)?|décri\w+|aborde(?:nt)?|se (?:limite(?:nt)?|concentre(?:nt)?)|concerne(?:nt)?|mentionne(?:nt)? (?:seulement|uniquement)|évoque(?:nt)?)\b|^cela dépend\b"
    ),
    redirect=re.compile(
        r"^(?:veuillez|merci de|consultez|contactez|adressez|demandez|n'hésitez|vous (?:pouvez|devriez|pourriez) (?:contacter|consulter|vous|demander|vérifier|trouver|le|essayer|toujours)|je vous (?:conseille|recommande|suggère|invite)|il (?:est|serait) (?:conseillé|recommandé|préférable)|si vous|pour (?:plus|toute|obtenir|en savoir)|puis-je|souhaitez-vous|voulez-vous|y a-t-il|avez-vous d'autres)\b"
    ),
    offer=re.compile(r"\b(?:souhaitez-vous|voulez-vous|puis-je|autre chose|d'autres questions|dois-je)\b"),
    you=re.compile(r"\b(?:vous|votre|vos|tu|ton|ta|tes|quel(?:le)?s?|lequel|laquelle)\b"),
    request=any_of(
        r"^(?:pourriez|pouvez|peux|pourrais)[- ](?:vous|tu)\b.{0,60}\b(?:préciser|clarifier|indiquer|donner|fournir|reformuler|expliquer|dire|partager)\b|^(?:veuillez|merci de) (?:préciser|clarifier|indiquer|reformuler)\b|\bvoulez-vous (?:dire|parler)\b|\bparlez-vous\b"
    ),
)

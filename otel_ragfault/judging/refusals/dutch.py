"""Dutch: how its refusals are built."""

# ruff: noqa: E501 - a pattern is read as one line

import re
from typing import Final

from otel_ragfault.judging.refusals.language import UNKNOWING, Language, any_of, firm, loose, words

_SOURCE: Final = (
    r"\b(?:context|teksten|tekst|documenten|document|documentatie|artikelen|artikel|fragmenten|fragment|passages?|bronnen|bron|informatie|materiaal|"
    r"zoekresultaten|kennisbank|handboek|handleiding|bijsluiter|contract|verslag|rapport|studies?|richtlijn(?:en)?|\w*pagina|beschrijving|reglement|"
    r"gegevens|tabel|brochure|faq|alinea|uittreksel|dossier|polis)\b"
)
_INFORMATION: Final = r"(?:informatie|info|gegevens|details|vermelding|antwoord|aanwijzing(?:en)?|uitleg|verwijzing|context|resultaten|bijzonderheden|documenten|hoofdstuk|sectie|paragraaf|onderdeel)"
_NO: Final = r"(?:niet|niets|geen|nergens|nooit|noch)"
_GAP: Final = r"(?:[\w'-]+ ){0,12}?"
_SAY: Final = r"(?:vermeld\w*|noem\w*|bevat\w*|specificeer\w*|zegg?\w*|beschrijf\w*|beschrijven|leg(?:t|gen)|beantwoord\w*|behandel\w*|geeft|geven|bespreek\w*|bespreken|maakt|maken|gaat|gaan|verduidelijk\w*|biedt|bieden|definieer\w*)"
_SAID: Final = r"(?:vermeld|genoemd|gespecificeerd|aangegeven|beschreven|uitgelegd|besproken|behandeld|beantwoord|opgegeven|verduidelijkt|gedefinieerd)"
_LEARN: Final = (
    r"(?:zeggen|bepalen|beantwoorden|vaststellen|achterhalen|afleiden|vinden|geven|beoordelen|opmaken|bevestigen)"
)

DUTCH: Final = Language(
    name="nl",
    words=words(
        "de het een en van is niet ik te dat die in op voor met zijn aan er als maar om geen ook wordt kan naar bij of worden heeft deze uit u uw je mij hij wie welke nee ja helaas"
    ),
    cue=re.compile(
        r"verduidelijk|niet|geen|nergens|nooit|noch|on(?:duidelijk|bekend|voldoende|mogelijk|beantw)|weiger|ontbre|buiten|alleen"
    ),
    bare=re.compile(
        rf"(?:geen idee|onbekend|onduidelijk|geen(?: relevante| verdere)? {_INFORMATION}(?: gevonden| beschikbaar)?|niet (?:{_SAID}|bekend|gevonden|beschikbaar|te beantwoorden)|onvoldoende (?:informatie|gegevens)|n\.?v\.?t|weet (?:ik )?niet)$"
    ),
    lead=re.compile(
        r"(?:(?:het )?spijt me(?: zeer)?|helaas|sorry|excuses|mijn excuses|antwoord|hallo|dank(?: u| je)?(?: voor [^,.]{0,40})?|eerlijk gezegd|maar|dus|daarom|daardoor|dat)(?:[,;:.!-]+\s*|\s+|$)"
    ),
    opening=re.compile(
        r"^(?:u vraagt|je vraagt|de vraag (?:is|luidt|gaat)|ik heb (?:gezocht|gekeken)|hallo|goedendag|dank|bedankt)\b"
    ),
    split=re.compile(
        r"(?P<turn>\s*,\s+(?:maar|echter|hoewel)\s+|^(?:echter|maar|toch|desondanks)\b,?\s+)|(?P<end>,\s+(?:omdat|aangezien|dus|en|want)\s+|\s+en\s+(?=(?:ik|er|kan)\b))"
    ),
    against=re.compile(r"\b(?:echter|daarentegen|desondanks|niettemin)\b"),
    conceding=re.compile(r"^(?:hoewel|ofschoon|al|terwijl|aangezien|omdat)\b"),
    conclusion=re.compile(r"^(?:daarom|dus|kortom|bijgevolg)\b|\b(?:de|deze|uw|je) vraag\b"),
    condition=re.compile(
        r"^(?:als(?! (?:een )?(?:ai|taalmodel|assistent))|indien|wanneer|wie|tenzij|zodra)\b|^\w+ die "
    ),
    refuses=(
        firm(
            "the speaker cannot",
            rf"\bik (?:[\w-]+ )?(?:kan|mag|kon|zal|wil) {_GAP}{_NO}\b|\b(?:kan|mag|kon|zal) ik {_GAP}{_NO}\b|\bniet in staat\b|\bik (?:moet|wil) .{{0,40}}weigeren|\bik kan alleen\b",
            rf"\bwe (?:kunnen|konden) {_GAP}{_NO} {_GAP}(?:{_LEARN}|helpen)\b|\bals (?:ai|taalmodel)\b.{{0,40}}\bheb ik geen\b",
        ),
        firm(
            "the question cannot be answered",
            r"\bvraag\b.{0,120}\bniet (?:\w+ ){0,3}?beantwoord\w*|\bniet (?:vast |op te |af te )?te (?:stellen|maken|leiden|zeggen|beantwoorden|bepalen|achterhalen|vinden)\b|\bonbeantwoordbaar\b|\b(?:het )?is (?:niet|on)\s?mogelijk om\b.{0,80}\b(?:bepalen|zeggen|beantwoorden|geven)",
        ),
        loose(
            UNKNOWING,
            rf"\bik (?:\w+ )?(?:weet|heb|vind|zie|ken|beschik|vond) {_GAP}{_NO}\b|\b(?:weet|heb|vind|zie|ken|beschik|vond) ik {_GAP}{_NO}\b|\bik ben (?:er )?niet (?:zeker|bekend)\b|\bis mij niet bekend\b|\bgeen idee\b",
            rf"\bwe hebben {_GAP}geen (?:\w+ )?{_INFORMATION}\b",
        ),
        loose(
            "the source does not say",
            rf"^(?:(?:de|het|dit|deze|uw|mijn|geen van de) ){{0,2}}(?:[\w-]+ ){{0,3}}?{_SOURCE}(?: [\w,-]+){{0,8}}? {_SAY}\b.{{0,80}}?\b{_NO}\b",
            rf"\b(?:in|uit) (?:de|het|dit|deze|uw) (?:[\w-]+ ){{0,3}}?{_SOURCE}.{{0,60}}?\b(?:staat|staan|blijkt|blijken|wordt|worden|is|zijn)\b.{{0,80}}?\b{_NO}\b",
            rf"^(?:(?:de|het|dit|deze) )(?:[\w-]+ ){{0,3}}?{_SOURCE}(?: [\w,-]+){{0,8}}? (?:bevat\w*|gev\w+|geeft|bied\w*) (?:onvoldoende|te weinig|niet genoeg)\b|^(?:(?:de|het|dit|deze) )(?:[\w-]+ ){{0,3}}?{_SOURCE}(?: [\w,-]+){{0,8}}? (?:heeft|hebben|kent) geen (?:\w+ )?{_INFORMATION}\b|\b(?:vraag|onderwerp|dit|dat)\b.{{0,30}}\b(?:valt|ligt|gaat) (?:buiten|mijn) |^niets (?:in|uit)\b|^niet (?:in|uit) (?:de|het) (?:[\w-]+ ){{0,2}}?{_SOURCE}",
            rf"^geen (?:enkel[e]? |van de )?(?:[\w-]+ )?{_SOURCE}.{{0,60}}?{_SAY}",
        ),
        loose(
            "there is no information",
            rf"\b(?:er (?:is|zijn|wordt|staat)|is er|zijn er)\b.{{0,80}}?\b(?:geen|niet genoeg|onvoldoende) (?:[\w-]+ ){{0,2}}?{_INFORMATION}\b",
            rf"^(?:geen|niet genoeg|onvoldoende) (?:[\w-]+ ){{0,2}}?{_INFORMATION} (?:over|van|voor|beschikbaar|gevonden|om|in|met)\b",
        ),
        loose(
            "it is not said",
            rf"\b(?:wordt|worden|is|zijn|werd|staat|staan)\b.{{0,80}}?\b(?:niet|nergens) (?:[\w-]+ )?(?:{_SAID})\b",
            r"^(?:(?:dat|dit|het|het antwoord|deze informatie|die informatie) )?(?:staat|is|wordt) (?:\w+ )?(?:niet|nergens) (?:in|uit) (?:de|het|dit|deze|uw)\b",
            rf"\b{_INFORMATION}\b.{{0,80}}?\b(?:niet (?:\w+ )?(?:beschikbaar|aanwezig|gegeven|te vinden|voldoende|toereikend)|ontbreekt|ontbreken)\b|^niet (?:{_SAID})\b",
        ),
        loose(
            "it cannot be told",
            r"^(?:het|dit|dat) (?:is|blijft) (?:\w+ )?(?:niet duidelijk|onduidelijk|niet bekend|onbekend|onmogelijk te|niet mogelijk te)\b",
        ),
    ),
    follows=(loose("the source does not say", rf"^(?:hij |zij |ze |het )?(?:[\w-]+ )?{_SAY} {_GAP}{_NO}\b"),),
    about=re.compile(
        rf"^(?:(?:de|het|deze|dit) )?(?:[\w-]+ ){{0,3}}?(?:{_SOURCE}|ze|zij|hij|het)? ?(?:[\w-]+ ){{0,2}}?(?:gaat (?:alleen |vooral )?over|gaan over|beschrijf\w*|beschrijven|behandel\w*|beperk\w* zich|richt\w* zich|vermeld\w* alleen|noem\w* alleen)\b|^er staat (?:alleen|slechts)\b|^(?:dat|het|dit) hangt\b"
    ),
    redirect=re.compile(
        r"^(?:neem|raadpleeg|vraag|bezoek|kijk|controleer|gelieve|u kunt (?:het|contact|de|uw|hierover|beter)|je kunt (?:het|contact|de|hierover)|ik (?:raad|adviseer|help)|als (?:u|je)|voor (?:meer|verdere)|graag|kan ik|wilt u|zal ik|het is aan te raden|probeer)\b"
    ),
    offer=re.compile(r"\b(?:wilt u|wil je|zal ik|kan ik|mag ik|nog iets|andere vragen|verder helpen)\b"),
    you=re.compile(r"\b(?:u|uw|je|jij|jouw|welke?)\b"),
    request=any_of(
        r"^(?:(?:kunt|kun|zou|kan) (?:u|je|jij) ).{0,80}\b(?:verduidelijken|specificeren|aangeven|toelichten|vertellen|herformuleren|preciseren|geven|delen|zeggen)\b|\bbedoelt u\b|\bbedoel je\b|^(?:geef|specificeer|verduidelijk) \b"
    ),
)

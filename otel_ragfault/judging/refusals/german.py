"""German: how its refusals are built."""

# ruff: noqa: E501 - a pattern is read as one line

import re
from typing import Final

from otel_ragfault.judging.refusals.language import UNKNOWING, Language, any_of, firm, loose, words

_SOURCE: Final = (
    r"\b(?:kontexte?s?|texte?s?n?|textstellen?|dokumente?[ns]?|dokumentation|unterlagen|artikeln?|artikels|abschnitte?n?|auszug|auszüge?n?|"
    r"ausschnitte?s?|passagen?|quellen?|materialien|informationen|suchergebnisse?n?|wissensdatenbank|handbuch\w*|beipackzettel|vertrag|arztbrief|"
    r"\w*berichte?s?|studien?|\w*anleitung|richtlinien?|\w*seite|\w*beschreibung|datenblatt|faq|angaben|tabelle|urteil|gesetz|"
    r"broschüre|\w*regelung|katalog|protokoll|akten?|prospekt)\b"
)
_INFORMATION: Final = r"(?:informationen|information|infos?|angaben?|hinweise?|daten|details|erwähnung|auskunft|auskünfte|antwort|aussagen?|einträge?|eintrag|erkenntnisse|anhaltspunkte?|kontext|dokumente?|treffer|ergebnisse|abschnitte?|kapitel|regelung)"
_NO: Final = r"(?:nicht|nichts|kein|keine|keinen|keiner|keinerlei|keinem|nie|nirgends|weder)"
_GAP: Final = r"(?:[\w'-]+ ){0,12}?"
_SAY: Final = (
    r"(?:erwähn|nenn|enthäl|enthalt|spezifizier|geh|sag|beschreib|erklär|erläuter|beantwort|behandel|thematisier|liefer|biet|gib|geb|mach|befass|"
    r"äusser|führ|bericht|schweig|beinhalte|präzisier|verrät|verrat|definier|leg)\w*"
)
_SAID: Final = r"(?:erwähnt|genannt|angegeben|spezifiziert|beschrieben|erläutert|erklärt|thematisiert|behandelt|aufgeführt|ersichtlich|beantwortet|definiert|präzisiert|vermerkt|ausgeführt)"
_LEARN: Final = r"(?:sagen|bestimmen|beantworten|feststellen|ermitteln|ableiten|erkennen|entnehmen|beurteilen|herausfinden|klären|schliessen|berechnen|beantwortet werden|bestimmt werden|ermittelt werden|festgestellt werden|gesagt werden|entnommen werden)"

GERMAN: Final = Language(
    name="de",
    words=words(
        "der die das und ist nicht ich zu den mit von ein eine für auf im dem es sie keine kein wird sind aber auch werden kann zum zur des leider wie oder wenn hat haben ob welche könnten bitte nein ja mir"
    ),
    cue=re.compile(
        r"ausserhalb|jenseits|sprengt|übersteigt|bitte|nicht|kein|nie|weder|un(?:klar|mögl|zureich|bekannt|beantw)|ablehn|nirgend|fehl|schweig|unter?lassen|nur"
    ),
    bare=re.compile(
        rf"(?:das )?(?:keine ahnung|unbekannt|unklar|keine antwort|weiss (?:ich )?nicht|keine(?: ausreichenden| genauen| weiteren)? {_INFORMATION}|"
        rf"nicht (?:{_SAID}|bekannt|gefunden|verfügbar|vorhanden|beantwortbar)|unzureichende (?:informationen|daten)|k\. ?a|nicht genug informationen)$"
    ),
    lead=re.compile(
        r"(?:(?:es )?tut mir (?:sehr |wirklich )?leid|leider|entschuldigung|entschuldigen sie(?: bitte)?|bedauerlicherweise|bedaure|sorry|antwort|hallo|"
        r"danke(?: für [^,.]{0,40})?|ehrlich gesagt|aber|daher|deshalb|somit|also|folglich|dass)(?:[,;:.!-]+\s*|\s+|$)"
    ),
    opening=re.compile(
        r"^(?:sie (?:fragen|möchten wissen)|die frage (?:lautet|ist|bezieht)|ich habe (?:gesucht|nachgesehen)|gern(?:e)?|hallo|guten|vielen dank|danke)\b"
    ),
    split=re.compile(
        r"(?P<turn>\s*,\s+(?:aber|jedoch|allerdings|doch|dennoch|sondern)\s+|^(?:jedoch|allerdings|aber|dennoch|trotzdem|andererseits)\b,?\s+)|"
        r"(?P<end>,\s+(?:da|weil|sodass|so dass|und|denn)\s+|\s+und\s+(?=(?:ich|es|kann)\b))"
    ),
    against=re.compile(r"\b(?:jedoch|allerdings|hingegen|dagegen|dennoch|trotzdem)\b"),
    conceding=re.compile(r"^(?:obwohl|obgleich|auch wenn|während|zwar|da)\b"),
    conclusion=re.compile(r"^(?:daher|deshalb|somit|also|folglich|insgesamt)\b|\b(?:die|diese|ihre) frage\b"),
    condition=re.compile(r"^(?:wenn|falls|sofern|wer|sobald|solange|sollten)\b|^\w+, (?:die|der|das) "),
    refuses=(
        firm(
            "the speaker cannot",
            rf"\b(?:ich (?:[\w-]+ )?)(?:kann|darf|könnte|konnte|möchte|werde|will|vermag) {_GAP}{_NO}\b",
            rf"\b(?:kann|konnte|darf|könnte|möchte|werde) ich {_GAP}{_NO}\b",
            r"\bnicht in der lage\b|\bich muss .{0,60}ablehnen|\bich lehne .{0,60}\bab\b|\bich (?:kann|darf|beantworte) nur\b|\bals (?:ki|sprachmodell)\b.{0,60}\b(?:kann|habe|darf) ich\b.{0,60}\b(?:nicht|kein\w*)",
            rf"\bwir können {_GAP}{_NO} {_GAP}(?:{_LEARN}|finden|helfen)\b|\b(?:frage|thema|anfrage|das)\b.{{0,40}}\b(?:ausserhalb|jenseits|sprengt|übersteigt) (?:meine\w*|des|der|den) ",
        ),
        firm(
            "the question cannot be answered",
            r"\bfrage\b.{0,120}\bnicht (?:\w+ )?(?:zu )?(?:beantwort|klär)\w*|\bnicht (?:zu )?beantwort(?:en|et|bar)\b|\bunbeantwortbar\b",
            rf"\b(?:lässt|lassen) sich\b.{{0,120}}\bnicht (?:\w+ )?(?:{_LEARN})\b",
            rf"\bes ist (?:\w+ )?(?:nicht|un)\s?möglich\b.{{0,120}}\b(?:zu )?(?:\w+zu\w+|{_LEARN})",
        ),
        loose(
            UNKNOWING,
            rf"\bich (?:\w+ )?(?:weiss|habe|finde|sehe|kenne|verfüge|besitze|fand) {_GAP}{_NO}\b|\b(?:weiss|finde|sehe|kenne|habe|fand) ich {_GAP}{_NO}\b",
            rf"\bmir (?:ist|sind|liegt|liegen|wurde|wurden|steht|stehen) {_GAP}{_NO}\b|\bmir fehl(?:t|en)\b|\b(?:liegt|liegen|ist|sind) mir {_GAP}{_NO}\b|\bich bin (?:mir )?(?:\w+ )?(?:nicht|un)\s?sicher\b|\bkeine ahnung\b",
            rf"\bwir (?:haben|verfügen|finden) {_GAP}{_NO} (?:\w+ ){{0,2}}?{_INFORMATION}\b|\bich bräuchte (?:mehr|weitere)\b",
        ),
        loose(
            "the source does not say",
            rf"^(?:(?:der|die|das|dieser|diese|dieses|ihr|mein\w*|unser\w*|in|im|aus|laut|keine[rs]? der) ){{0,2}}(?:[\w-]+ ){{0,3}}?{_SOURCE}(?: [\w,-]+){{0,8}}? {_SAY}\b.{{0,80}}?\b{_NO}\b",
            rf"\b(?:im|in (?:der|den|dem|diesem|dieser|diesen|ihrem|ihrer)|aus (?:dem|der|den|diesem)|den?) (?:[\w-]+ ){{0,3}}?{_SOURCE}.{{0,60}}?\b(?:steht|stehen|find\w+|wird|werden|gibt|ist|sind|geht|gehen|fehl\w+)\b.{{0,80}}?\b{_NO}\b(?! (?:als|nur|so|mehr)\b)",
            rf"^weder (?:[\w-]+ ){{0,2}}?{_SOURCE}.{{0,60}}?\bnoch\b.{{0,60}}?{_SAY}",
            rf"^kein\w* (?:der |[\w-]+ )?{_SOURCE}.{{0,60}}?{_SAY}|{_SOURCE}.{{0,60}}?\b(?:reich\w*|genüg\w*) .{{0,30}}?nicht\b",
        ),
        loose(
            "the source does not say",
            rf"^nicht (?:im|in (?:der|den|dem)|aus (?:dem|der|den)) (?:[\w-]+ ){{0,3}}?{_SOURCE}|^nichts (?:im|in|aus)\b",
        ),
        loose(
            "there is no information",
            rf"\b(?:gibt es|es gibt|es (?:liegen|finden sich|existieren|wurden?)|liegen|finden sich|sind|finde|enthält|enthalten|wurden?|wird|gibt)\b.{{0,80}}?\b(?:kein\w*|nicht genug|nicht genügend|zu wenig|unzureichende) (?:[\w-]+ ){{0,2}}?{_INFORMATION}\b",
            rf"^(?:keine?|keinerlei|nicht genug|nicht genügend|unzureichende) (?:[\w-]+ ){{0,2}}?{_INFORMATION} (?:über|zu|zum|zur|für|verfügbar|vorhanden|gefunden|bezüglich|dazu|im|in|hinsichtlich)\b",
            rf"\b(?:dazu|hierzu|darüber|hierüber|zum|zur) .{{0,80}}\bkein\w* {_INFORMATION}\b",
        ),
        loose(
            "it is not said",
            rf"\b(?:wird|werden|ist|sind|wurde|wurden)\b.{{0,80}}?\b(?:nicht|nirgends|nirgendwo) (?:[\w-]+ )?(?:{_SAID})\b",
            rf"\b{_INFORMATION}\b.{{0,80}}?\b(?:nicht|fehl\w+) ?(?:verfügbar|vorhanden|enthalten|gegeben|zu finden|auffindbar|vor|ausreichend|aus)?$",
            rf"\bgeht .{{0,60}}nicht hervor\b|\bwird .{{0,60}}nicht (?:deutlich|klar)\b|^nicht (?:{_SAID})\b",
            r"^(?:das|dies|es|diese frage) (?:steht|ist|geht|wird) .{0,40}?nicht (?:im|in|aus|hervor|klar|ersichtlich|bekannt|angegeben|zu sagen)\b",
        ),
        loose(
            "it cannot be told",
            r"^(?:es|das) (?:ist|bleibt) (?:\w+ )?(?:nicht klar|unklar|unmöglich|nicht bekannt|unbekannt|schwer zu sagen)\b|\b(?:unklar|nicht klar) (?:bleibt|ist)?$",
        ),
    ),
    follows=(loose("the source does not say", rf"^(?:er |sie |es )?(?:[\w-]+ )?{_SAY} {_GAP}{_NO}\b"),),
    about=re.compile(
        rf"^(?:(?:der|die|das|diese|dieser|dieses|er|sie|es) )?(?:[\w-]+ ){{0,3}}?(?:{_SOURCE}|er|sie|es)? ?(?:[\w-]+ ){{0,2}}?(?:handel\w* (?:nur |lediglich )?von|befass\w* sich|beschreib\w*|behandel\w*|beschränk\w* sich|konzentrier\w* sich|geht es (?:nur )?um|erwähn\w* (?:nur|lediglich)|enthäl\w* (?:nur|lediglich))\b|^(?:das|es|dies) hängt\b"
    ),
    redirect=re.compile(
        r"^(?:bitte|wenden sie|kontaktieren sie|fragen sie|sprechen sie|schauen sie|besuchen sie|sehen sie|prüfen sie|sie (?:können|sollten|könnten) (?:sich|ihren|den|die|das|es|unter|auf|gerne?)|ich (?:empfehle|helfe|rate|stehe)|wenn sie|falls sie|für (?:weitere|genauere|nähere)|es empfiehlt sich|gerne|am besten|kann ich|haben sie weitere|möchten sie|soll ich|weitere informationen)\b"
    ),
    offer=re.compile(r"\b(?:möchten sie|wollen sie|soll ich|kann ich|darf ich|noch etwas|weitere fragen|sonst noch)\b"),
    you=re.compile(r"\b(?:sie|ihr|ihre|ihnen|du|dein|deine|dir|welche[rsn]?)\b"),
    request=any_of(
        r"^(?:bitte |(?:könnten|können|würden) sie (?:bitte |mir )?|kannst du |könntest du )(?:.{0,80})\b(?:angeben|präzisieren|mitteilen|nennen|erläutern|erklären|umformulieren|sagen|konkretisieren|spezifizieren)\b|^bitte (?:geben|nennen|präzisieren|teilen|formulieren|sagen) sie\b|\bmeinen sie\b|\bmeinst du\b"
    ),
)

"""Italian: how its refusals are built."""

# ruff: noqa: E501 - a pattern is read as one line

import re
from typing import Final

from otel_ragfault.judging.refusals.language import Language, any_of, words
from otel_ragfault.judging.refusals.romance import Words, constructions, following

_SOURCE: Final = r"(?:contest[oi]|test[oi]|document[oi]|documentazione|articol[oi]|estratt[oi]|frammenti?o?|bran[oi]|passaggi?o?|font[ei]|informazion[ei]|material[ei]|risultati|base di conoscenza|manuale|guida|foglietto(?: illustrativo)?|contratto|referto|rapporto|relazione|studi?o?|regolamento|scheda|pagina|descrizione|dati|tabella|opuscolo|faq|paragraf[oi]|politica|autori|sentenza|legge|catalogo|allegato)"
_INFORMATION: Final = r"(?:informazion[ei]|dat[oi]|dettagli?o?|menzione|rispost[ae]|indicazion[ei]|riferiment[oi]|document[oi]|risultati|notizie|prove sufficienti|contesto|sezion[ei]|capitol[oi])"
_SAID: Final = r"(?:menzionat[oaie]|indicat[oaie]|specificat[oaie]|dettagliat[oaie]|descritt[oaie]|spiegat[oaie]|trattat[oaie]|affrontat[oaie]|chiarit[oaie]|precisat[oaie]|riportat[oaie])"

_WORDS: Final = Words(
    no="non",
    none="nessun[oa']?|senza|né",
    the=r"(?:(?:(?:il|lo|la|i|gli|le|questo|questa|questi|queste|suo|mio|nostr[oa]|nessun[oa] de[il]?l?[ea]?) )|l')",
    source=_SOURCE,
    information=_INFORMATION,
    say=r"(?:menzion|indic|specific|contien|conteng|parl|spieg|descri|forni|offr|chiari|affront|tratt|dic[eo]|dà\b|danno (?!access)|rispond|includ|dettagli|precis|definisc|rivel|riport|fa (?:menzione|riferimento)|cit)\w*",
    said=_SAID,
    held=r"disponibil[ei]|present[ei]|inclus[oaie]|fornit[oaie]|contenut[oaie]|sufficient[ei]|chiar[oa]",
    learn=r"rispondere|dire|dirlo|sapere|determinare|determinarlo|stabilir(?:e|lo)|trovare|confermare|verificare|identificare|concludere|calcolare|dare|fornire|precisare|dedurre|conoscere|affermare|saperlo",
    can=r"posso|potrei|sono in grado|sono (?:autorizzat|programmat|qualificat)\w*|mi è possibile|mi è permesso|riesco|devo|voglio|fornisco|possiamo (?:rispondere|aiutare|trovare|confermare|determinare|fornire)|siamo in grado",
    know=r"so|conosco|ho(?= )(?! bisogno)|dispongo|trovo|vedo|possiedo|sono (?:sicur|cert|a conoscenza|riuscit)\w*|capisco|ho capito|sono stat[oa] in grado",
    we=r"abbiamo(?: trovato)?|disponiamo|troviamo",
    there_is=r"ci sono|c'è|vi sono|v'è|esist(?:e|ono)|si (?:trova|trovano|fa)|sono state? (?:trovat|fornit)\w*|risulta|risultano|compare|compaiono",
    one_can=r"è possibile|si può|si riesce a|può essere|sarebbe possibile",
    impossible=r"(?:è )?impossibile",
    be=r"è|sono|viene|vengono|è stat[oa]|sono stat[ei]|risulta[no]*|era",
    within=r"(?:(?:nel|nello|nella|nei|negli|nelle|in questo|in questa) |nell')",
    refuse=r"mi rifiuto|devo (?:declinare|rifiutare)|preferisco non|ignoro|posso solo (?:rispondere|aiutare)|esula (?:da|dal|dalle|dai)|è fuori dal mi[oa]|va oltre le mie",
    question=r"(?:la|questa|sua|tua|alla) domanda",
    unclear=r"chiar[oa](?: se| ch| qu| c| d|$)|impossibile sapere|sconosciut[oa]|incert[oa]",
)

ITALIAN: Final = Language(
    name="it",
    words=words(
        "il lo la i gli le di del della dei delle un una e è che in non si per con da al alla come più ma sono o se ci ha su nel nella questo questa quale mi l un so purtroppo dell sua"
    ),
    cue=re.compile(
        r"esula|oltre|per favore|\bnon\b|\bné\b|nessun|nulla|niente|impossib|insufficien|sconosc|rifiut|declin|incert|fuori|manca|ignoro|solo|mai"
    ),
    bare=re.compile(
        rf"(?:non (?:{_SAID}|disponibil[ei]|trovat[oaie]|applicabile|pervenuto|(?:lo )?so)|nessun[ao]?(?: idea| risposta| informazione| risultato)?|sconosciut[oa]|(?:lo )?ignoro|senza risposta|(?:informazioni|dati) insufficienti|non ci sono informazioni|boh)$"
    ),
    lead=re.compile(
        r"(?:mi dispiace(?: molto)?|spiacente|mi scusi|scusa|scusi|le mie scuse|purtroppo|sfortunatamente|risposta|salve|ciao|grazie(?: per [^,.]{0,40})?|temo che|"
        r"ma|quindi|pertanto|perciò|dunque|e|che)(?:[,;:.!-]+\s*|\s+|$)|(?:secondo|in base a[l]?|sulla base d|stando a|a partire da|dal|in quanto (?:modello|ia|assistente|intelligenza)|come (?:modello|ia|assistente|intelligenza))[^,]{0,100},\s*"
    ),
    opening=re.compile(
        r"^(?:lei chiede|la domanda (?:è|riguarda)|ho (?:cercato|controllato|consultato)|salve|grazie|certo|buongiorno)\b"
    ),
    split=re.compile(
        r"(?P<turn>\s*,\s+(?:ma|però|tuttavia|anche se|sebbene)\b,?\s+|^(?:ma|però|tuttavia|ciononostante)\b,?\s+)|(?P<end>,\s+(?:perché|poiché|in quanto|quindi|dato che)\s+|\s+e\s+(?=non ))"
    ),
    against=re.compile(r"\b(?:tuttavia|però|invece|ciononostante)\b"),
    conceding=re.compile(r"^(?:sebbene|benché|anche se|nonostante|mentre|poiché|dato che)\b"),
    conclusion=re.compile(r"^(?:pertanto|quindi|perciò|in conclusione)\b|\b(?:la|questa|alla|sua|tua) domanda\b"),
    condition=re.compile(r"^(?:se|quando|nel caso|qualora|chi)\b"),
    refuses=constructions(_WORDS),
    follows=following(_WORDS),
    about=re.compile(
        rf"^(?:(?:il|lo|la|i|gli|le|questo|questi) (?:[\w-]+ ){{0,3}}?{_SOURCE}|l'{_SOURCE}|solo|soltanto)(?: [\w-]+){{0,4}}? ?(?:parla(?:no)?|tratta(?:no)?|descriv(?:e|ono)|si (?:concentra|limita|riferisce)\w*|menziona(?:no)? (?:solo|soltanto)|riguarda(?:no)?|solo|soltanto)\b|^dipende\b"
    ),
    redirect=re.compile(
        r"^(?:si prega|per favore|consulti|consulta|contatti|contatta|si rivolga|rivolgiti|chieda|chiedi|visiti|visita|le (?:consiglio|suggerisco|raccomando)|ti (?:consiglio|suggerisco)|(?:può|puoi|potrebbe|dovrebbe) (?:consultare|contattare|chiedere|visitare|cercare|trovare|rivolgersi|provare|verificare)|si consiglia|se (?:ha|hai|desidera|vuoi|vuole|mi|ne)|per (?:maggiori|ulteriori|ottenere)|posso aiutare|vuole che|desidera|c'è altro)\b"
    ),
    offer=re.compile(
        r"\b(?:vuole che|vuoi che|desidera che|posso aiutar\w*|altro che|altre domande|c'è altro|le piacerebbe)\b"
    ),
    you=re.compile(r"\b(?:lei|suo|sua|tuo|tua|quale|quali|che cosa|lavora|cerca|vuole|intende|intendi)\b"),
    request=any_of(
        r"^(?:potrebbe|può|potresti|puoi)\b.{0,60}\b(?:chiarire|precisare|specificare|indicare|dare|fornire|riformulare|spiegare|dir(?:e|mi)|condividere|indicarmi|darmi)\b|^(?:per favore,? )?(?:chiarisca|specifichi|precisi|indichi)\b|\bintende (?:il|la|dire)\b|\bintendi\b|\bsi riferisce a\b"
    ),
)

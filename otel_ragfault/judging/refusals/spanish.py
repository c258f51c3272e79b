"""Spanish: how its refusals are built."""

# ruff: noqa: E501 - a pattern is read as one line

import re
from typing import Final

from otel_ragfault.judging.refusals.language import Language, any_of, words
from otel_ragfault.judging.refusals.romance import Words, constructions, following

_SOURCE: Final = r"(?:contextos?|textos?|documentos?|documentación|artículos?|extractos?|fragmentos?|pasajes?|fuentes?|informaci(?:ón|ones)|materiales|resultados|base de conocimientos?|manual|guía|prospecto|contrato|informes?|estudios?|reglamento|ficha|página|descripción|datos|tabla|folleto|faq|párrafos?|política|autores|sentencia|ley|catálogo|anexo)"
_INFORMATION: Final = r"(?:informaci(?:ón|ones)|información suficiente|datos?|detalles?|mención|menciones|respuestas?|indicaci(?:ón|ones)|referencias?|documentos?|resultados|evidencia|contexto|secci(?:ón|ones)|apartados?|capítulos?)"
_SAID: Final = r"(?:mencionad[oa]s?|menciona[n]?|indicad[oa]s?|indica[n]?|especificad[oa]s?|especifica[n]?|detallad[oa]s?|detalla[n]?|descrit[oa]s?|explicad[oa]s?|abordad[oa]s?|aclarad[oa]s?|precisad[oa]s?)"

_WORDS: Final = Words(
    no="no",
    none="ningun[oa]?|ningún|sin|ni",
    the=r"(?:(?:el|la|los|las|este|esta|estos|estas|ese|esa|su|mi|nuestr[oa]s?|ningun[oa] de l[oa]s) )",
    source=_SOURCE,
    information=_INFORMATION,
    say=r"(?:mencion|indic|especific|contien|contene|habl|explic|describ|proporcion|ofrec|aclar|abord|trat|da[n]? (?!lugar)|dice|respond|incluy|detall|precis(?!a[n]? (?:ser|de|estar|que))|define|revel|menta|refier|hace[n]? (?:mención|referencia))\w*",
    said=_SAID,
    held=r"disponibles?|presentes?|incluid[oa]s?|proporcionad[oa]s?|facilitad[oa]s?|en |suficientes?|clar[oa]s?|se encuentra",
    learn=r"responder|decir|saber|determinar|encontrar|confirmar|verificar|identificar|establecer|concluir|calcular|dar|proporcionar|precisar|contestar|deducir|conocer|afirmar",
    can=r"puedo|sabría|podr[ée]|podría|estoy (?:en condiciones|autorizad|segur[oa]? de poder|capacitad|permitid)\w*|soy capaz|me es posible|me está permitido|debo|quiero|logro|ofrezco|proporciono|podemos (?:responder|ayudar|encontrar|confirmar|determinar|dar)",
    know=r"lo sé|sé(?= |$)|se(?=$| (?:qu[eé]|cu[aá]l|si|qui[eé]n|c[oó]mo|d[oó]nde|cu[aá]ndo|la respuesta)\b)|conozco|tengo(?! que)|dispongo|encuentro|encontr[eé](?= |$)|he (?:podido )?(?:encontr|recib|halla|localiz)\w*|veo|cuento con|poseo|estoy segur[oa]|entiendo|entendí|comprendo|hall[oé]",
    we=r"tenemos|disponemos|encontramos|hemos encontrado|contamos con",
    there_is=r"hay|existe[n]?|se (?:encuentra|encontró|encontraron|proporciona|ofrece|dispone|menciona|hace)n?|aparece[n]?|consta[n]?|figura[n]?",
    one_can=r"se puede|es posible|resulta posible|puede (?:ser )?|se podría|hay forma de|hay manera de",
    impossible=r"(?:es )?imposible",
    be=r"está[n]?|es|son|ha sido|han sido|fue|aparece[n]?|queda|se encuentra[n]?",
    within=r"en (?:el|la|los|las|este|esta|estos|su|mi) ",
    refuse=r"me niego|debo (?:declinar|rechazar|negarme)|prefiero no|desconozco|lamento no poder|solo puedo (?:responder|ayudar)|rechazo|está fuera (?:de mi|del (?:alcance|ámbito|contenido) de)",
    question=r"(?:la|esta|esa|su|tu) pregunta",
    unclear=r"clar[oa](?: si| qu| c| d|$)|imposible saber|desconocid[oa]|inciert[oa]",
)

SPANISH: Final = Language(
    name="es",
    words=words(
        "el la los las de del un una y es que en no se por para con lo su al como más pero está esta este son o si hay le qué cuál ese esa sobre usted desafortunadamente lamentablemente según sé ni"
    ),
    cue=re.compile(
        r"por favor|\bno\b|\bni\b|ningun|ningún|nada|imposib|insuficien|desconoc|desconoz|rechaz|declin|in(?:cierto|explic)|fuera|falta|solo|sólo|nunca|tampoco"
    ),
    bare=re.compile(
        rf"(?:no (?:{_SAID}|disponible|encontrad[oa]s?|aplicable|consta|lo sé)|ni idea|desconocid[oa]|(?:no lo )?desconozco|sin (?:respuesta|información|datos)|(?:información|datos) insuficientes?|ninguna(?: respuesta| información)?|no hay (?:respuesta|información|datos)|n/?a)$"
    ),
    lead=re.compile(
        r"(?:(?:lo )?(?:siento|lamento)(?: mucho)?|disculpe|disculpa|perdón|mis disculpas|desafortunadamente|lamentablemente|por desgracia|respuesta|hola|gracias(?: por [^,.]{0,40})?|"
        r"me temo que|pero|por lo tanto|por tanto|así que|entonces|y|que)(?:[,;:.!-]+\s*|\s+|$)|(?:según|con base en|basándome en|de acuerdo con|en base a|a partir de|como (?:modelo|ia|inteligencia|asistente))[^,]{0,100},\s*"
    ),
    opening=re.compile(
        r"^(?:usted pregunta|la pregunta (?:es|trata)|he (?:buscado|revisado|consultado)|hola|gracias|claro|buenos días)\b"
    ),
    split=re.compile(
        r"(?P<turn>\s*,\s+(?:pero|sin embargo|aunque|no obstante)\b,?\s+|^(?:pero|sin embargo|no obstante|aun así)\b,?\s+)|(?P<end>,\s+(?:ya que|porque|pues|por lo que|así que)\s+|\s+y\s+(?=no ))"
    ),
    against=re.compile(r"\b(?:sin embargo|no obstante|en cambio|aun así)\b"),
    conceding=re.compile(r"^(?:aunque|si bien|a pesar de|mientras que|dado que|como)\b"),
    conclusion=re.compile(r"^(?:por lo tanto|por tanto|así que|en conclusión)\b|\b(?:la|esta|esa|su|tu) pregunta\b"),
    condition=re.compile(r"^(?:si|cuando|en caso de|siempre que|quien)\b"),
    refuses=constructions(_WORDS),
    follows=following(_WORDS),
    about=re.compile(
        rf"^(?:(?:el|la|los|las|este|estos) (?:[\w-]+ ){{0,3}}?{_SOURCE}|solo|sólo|únicamente)(?: [\w-]+){{0,4}}? ?(?:habla[n]?|trata[n]?|describe[n]?|se (?:centra|limita|refiere)n?|menciona[n]? (?:solo|sólo|únicamente)|aborda[n]?|solo|sólo|únicamente)\b|^(?:eso )?depende\b"
    ),
    redirect=re.compile(
        r"^(?:por favor|consulte|consulta|contacte|contacta|póngase|ponte|pregunte|pregunta a|visite|visita|revise|le (?:recomiendo|sugiero|aconsejo)|te (?:recomiendo|sugiero|aconsejo)|(?:puede|puedes|podría|debería) (?:consultar|contactar|preguntar|visitar|buscar|encontrar|ponerse|intentar|revisar|llamar)|se recomienda|si (?:tiene|necesita|desea|quiere|me|tienes|necesitas|quieres|puede)|para (?:más|obtener)|hay algo más|puedo ayudar|quiere que|desea|sería mejor)\b"
    ),
    offer=re.compile(
        r"\b(?:quiere que|quieres que|desea que|puedo ayudar|algo más|otra pregunta|en qué puedo|le gustaría|te gustaría)\b"
    ),
    you=re.compile(r"\b(?:usted|su|sus|tu|tus|cuál|qué|trabaja|busca|quiere|necesita|se refiere|te refieres)\b"),
    request=any_of(
        r"^(?:podría|puede|podrías|puedes)\b.{0,60}\b(?:aclarar|precisar|especificar|indicar|dar|proporcionar|reformular|explicar|decir(?:me)?|compartir|indicarme|darme)\b|^por favor,? (?:aclare|especifique|indique|precise|aclara|indica|reformule)\b|\bse refiere (?:a|usted)\b|\bte refieres\b|\bquiere decir\b"
    ),
)

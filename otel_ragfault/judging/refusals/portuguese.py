"""Portuguese: how its refusals are built."""

# ruff: noqa: E501 - a pattern is read as one line

import re
from typing import Final

from otel_ragfault.judging.refusals.language import Language, any_of, words
from otel_ragfault.judging.refusals.romance import Words, constructions, following

_SOURCE: Final = r"(?:contextos?|textos?|documentos?|documentação|artigos?|excertos?|trechos?|fragmentos?|passage(?:m|ns)|fontes?|informaç(?:ão|ões)|materia(?:l|is)|resultados|base de conhecimento|manual|guia|bula|contrato|relatórios?|estudos?|regulamento|página|descrição|dados|tabela|folheto|faq|parágrafos?|política|autores|sentença|lei|catálogo|anexo)"
_INFORMATION: Final = r"(?:informaç(?:ão|ões)|dados?|detalhes?|menção|menções|respostas?|indicaç(?:ão|ões)|referências?|documentos?|resultados|contexto|seç(?:ão|ões)|secç(?:ão|ões)|capítulos?)"
_SAID: Final = r"(?:mencionad[oa]s?|indicad[oa]s?|especificad[oa]s?|detalhad[oa]s?|descrit[oa]s?|explicad[oa]s?|abordad[oa]s?|esclarecid[oa]s?|informad[oa]s?|tratad[oa]s?|citad[oa]s?)"

_WORDS: Final = Words(
    no="não",
    none="nenhuma?|sem|nem",
    the=r"(?:(?:o|a|os|as|este|esta|estes|estas|esse|essa|seu|sua|meu|nosso|nossa|nenhum[a]? d[oa]s) )",
    source=_SOURCE,
    information=_INFORMATION,
    say=r"(?:mencion|indic|especific|cont[ée]m|contêm|fala|explic|descrev|fornec|oferec|esclarec|abord|trat|dá\b|dão\b|diz|respond|inclu|detalh|defin|revel|inform|faz(?:em)? (?:menção|referência)|cit|apresent)\w*",
    said=_SAID,
    held=r"disponíve(?:l|is)|presentes?|incluíd[oa]s?|fornecid[oa]s?|contid[oa]s?|suficientes?|clar[oa]s?|n[oa]s? ",
    learn=r"responder|dizer|saber|determinar|encontrar|confirmar|verificar|identificar|estabelecer|concluir|calcular|dar|fornecer|precisar|deduzir|conhecer|afirmar|informar",
    can=r"posso|poderia|poderei|consigo|consegui(?= )|estou (?:autorizad|apt|em condições|habilitad|capacitad)\w*|sou capaz|me é possível|devo|quero|forneço|podemos (?:responder|ajudar|encontrar|confirmar|determinar|fornecer)",
    know=r"sei(?= |$)|conheço|tenho(?! de\b| que\b)|disponho|encontrei|encontro|achei|vejo|possuo|localizei|estou (?:certo|cert[oa]|segur|familiarizad|ciente)\w*|entendi|compreendi|faço ideia|recebi",
    we=r"temos|dispomos|encontramos|possuímos",
    there_is=r"há|existe[m]?|se encontra[m]?|foi encontrad[oa]|foram encontrad[oa]s|consta[m]?|aparece[m]?",
    one_can=r"é possível|se pode|pode ser|dá para|seria possível|podem ser",
    impossible=r"(?:é )?impossível",
    be=r"está|estão|é|são|foi|foram|fica|se encontra[m]?|consta[m]?",
    within=r"(?:no|na|nos|nas|neste|nesta|nestes|nestas|nesse|nessa) ",
    refuse=r"me recuso|recuso-me|devo (?:declinar|recusar)|prefiro não|desconheço|só posso (?:responder|ajudar)|está fora d[oa] (?:meu|minha)|foge d[oa] (?:meu|minha)",
    question=r"(?:a|à|esta|essa|sua) pergunta",
    unclear=r"clar[oa](?: se| qu| c| d| o|$)|impossível saber|desconhecid[oa]|incert[oa]",
)

PORTUGUESE: Final = Language(
    name="pt",
    words=words(
        "o a os as de do da dos das um uma e é que em não se por para com no na ao como mais mas são ou há está este esta esse essa sobre sua seu você qual foi ser tem lhe infelizmente nos sei"
    ),
    cue=re.compile(
        r"fora d|foge|por favor|não|nenhum|nada|nem\b|impossív|insuficien|desconhe|recus|declin|incert|fora d|falta|apenas|nunca"
    ),
    bare=re.compile(
        rf"(?:não (?:{_SAID}|disponíve(?:l|is)|encontrad[oa]s?|aplicável|consta|sei|faço ideia|há (?:resposta|informaç\w+))|nenhuma?(?: ideia| resposta| informação)?|desconhecid[oa]|desconheço|sem (?:resposta|informaç\w+|dados)|(?:informações|informação|dados) insuficientes?|n/?a)$"
    ),
    lead=re.compile(
        r"(?:sinto muito|lamento(?: muito)?|desculpe|desculpa|peço desculpas?|perdão|infelizmente|lamentavelmente|resposta|olá|obrigad[oa](?: por [^,.]{0,40})?|receio que|"
        r"mas|portanto|por isso|logo|então|e|que)(?:[,;:.!-]+\s*|\s+|$)|(?:segundo|com base n|de acordo com|baseado|baseando-me|conforme|a partir d|como (?:modelo|ia|inteligência|assistente))[^,]{0,100},\s*"
    ),
    opening=re.compile(
        r"^(?:você pergunt|a pergunta (?:é|trata)|(?:eu )?(?:procurei|pesquisei|consultei|verifiquei)|olá|obrigad|claro|bom dia)"
    ),
    split=re.compile(
        r"(?P<turn>\s*,\s+(?:mas|porém|contudo|no entanto|embora|todavia)\b,?\s+|^(?:mas|porém|contudo|no entanto|todavia|entretanto)\b,?\s+)|(?P<end>,\s+(?:pois|porque|já que|uma vez que|portanto)\s+|\s+e\s+(?=não ))"
    ),
    against=re.compile(r"\b(?:no entanto|contudo|porém|todavia|entretanto)\b"),
    conceding=re.compile(r"^(?:embora|apesar de|ainda que|enquanto|mesmo que|como)\b"),
    conclusion=re.compile(r"^(?:portanto|por isso|logo|assim|em conclusão)\b|\b(?:a|à|esta|essa|sua) pergunta\b"),
    condition=re.compile(r"^(?:se|quando|caso|sempre que|quem)\b"),
    refuses=constructions(_WORDS),
    follows=following(_WORDS),
    about=re.compile(
        rf"^(?:(?:o|a|os|as|este|estes|eles?|elas?) (?:[\w-]+ ){{0,3}}?{_SOURCE}|apenas|somente)(?: [\w-]+){{0,4}}? ?(?:fala[m]?|trata[m]?|descreve[m]?|se (?:concentra|limita|refere)m?|menciona[m]? (?:apenas|somente)|aborda[m]?|apenas|somente)\b|^(?:isso )?depende\b"
    ),
    redirect=re.compile(
        r"^(?:por favor|consulte|contate|contacte|entre em contato|entre em contacto|pergunte|visite|verifique|procure|recomendo|sugiro|aconselho|(?:você )?(?:pode|poderia|deve|deveria) (?:consultar|contatar|contactar|perguntar|visitar|procurar|encontrar|entrar|tentar|verificar)|recomenda-se|se (?:tiver|precisar|desejar|quiser|você|puder)|para (?:mais|obter)|posso ajudar|deseja|gostaria|há mais)\b"
    ),
    offer=re.compile(
        r"\b(?:quer que|deseja que|posso ajudar|mais alguma|outra pergunta|em que posso|gostaria que|gostaria de)\b"
    ),
    you=re.compile(r"\b(?:você|seu|sua|tu|teu|tua|qual|quais|que|trabalha|procura|quer|precisa|se refere)\b"),
    request=any_of(
        r"^(?:você )?(?:poderia|pode|podia|poderias|podes)\b.{0,60}\b(?:esclarecer|precisar|especificar|indicar|dar|fornecer|reformular|explicar|dizer|compartilhar|informar)\b|^por favor,? (?:esclareça|especifique|indique|informe|reformule)\b|\bse refere a\b|\bquer dizer\b"
    ),
)

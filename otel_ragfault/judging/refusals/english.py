"""English: how its refusals are built."""

# ruff: noqa: E501 - a pattern is read as one line

import re
from typing import Final

from otel_ragfault.judging.refusals.english_words import (
    ANY_SOURCE,
    ASKED,
    GIVEN,
    HARD,
    HELD,
    HOLD,
    IN_SOURCE,
    INFORMATION,
    LEARN,
    LEARNT,
    NOT,
    REST,
    SAID,
    SAY,
    SAYS,
    TEXTS,
    THE,
    THE_GIVEN_WORK,
    THE_SOURCE,
    THE_TEXT,
    THE_WORK,
)
from otel_ragfault.judging.refusals.language import Language, any_of, firm, loose, words

_SHORT_FORMS: Final = (
    ("cannot", "can not"),
    ("can't", "can not"),
    ("won't", "will not"),
    ("n't", " not"),
    ("'re ", " are "),
    ("'ve ", " have "),
    ("'ll ", " will "),
    ("'d ", " would "),
    ("i'm", "i am"),
)
_IS: Final = re.compile(r"\b(it|that|there|this|here|what|who|which|answer|question)'s\b")
_FILLERS: Final = re.compile(
    r"(?<!, )\b(?:currently|really|actually|simply|just|explicitly|directly|specifically|clearly|even|yet|fully|necessarily|"
    r"sufficiently|at this time|at the moment|at present|right now|presently|also|either|further|itself|themselves|"
    r"definitively|accurately|reliably|confidently|honestly|personally|unfortunately|sadly|regrettably|still|"
    r"(?:seem|appear)s? to|seem|appear|quite|entirely|exactly|precisely|immediately|always|anywhere|somehow|truly|"
    r"readily|adequately|readily|obviously|conclusively|with (?:any )?certainty|thus|therefore|hence) ?\b"
)
_TEXT_NOT: Final = rf"{NOT} (?:be able to )?(?:{SAY}|(?:{HOLD})(?! to\b))\b"
_BE: Final = r"(?:is|are|was|were|be|has been|have been|remains?)"
_NO: Final = r"(?:no|not enough|insufficient|not sufficient|not any|inadequate|too little|little to no|limited)"
_SEEN: Final = r"(?:not|never|nowhere)"
_ONE: Final = r"(?:it|this|that|the answer|the question|your question|this question|an answer|that question|the request|your request|this request|the query|your query|this topic|that topic|the topic|this subject|such information|this information|that information|the information|the requested information)"
_WHO: Final = r"(?:i|the assistant|this assistant|the ai|the model)"
_CAN_NOT: Final = r"(?:can not|could not|can neither|(?:will|would) not (?:be (?:able|comfortable|appropriate)|know|say|feel|provide|help|assist|answer|give|discuss|engage|write|do|share|generate|create|participate|speculate|comment|support|produce|want to|continue|respond|advise)|(?:am|was|are|were) (?:not able|unable|not going) to|(?:have|has|had) (?:not )?been (?:unable|able) to|may not|must not)"


def _prepared(text: str) -> str:
    for short, long in _SHORT_FORMS:
        text = text.replace(short, long)
    text = _IS.sub(r"\1 is", text)
    return _FILLERS.sub("", text) if text.count(" ") > 1 else text


_SPEAKER = firm(
    "the speaker cannot",
    rf"^{_WHO} {_CAN_NOT}\b(?! (?:stress|recommend it|wait\b|emphasi[sz]e))",
    rf"^we (?:can not|could not|(?:are|were) (?:not able|unable) to) (?:{LEARN})\b",
    r"^(?:one|you) (?:can not|could not) (?:determine|conclude|infer|know|answer|(?:tell|say) (?:from|whether|if|which|what|who|how|when|where|based))\b",
    r"^(?:it|this|that|answering(?: this| that| it)?|any answer|anything else) would (?:\w+ )?be (?:\w+ )?(?:speculat\w+|guess\w*|conjecture|misleading|premature)\b|^not (?:that|as far as) i (?:can|know|am|see|could)\b",
    rf"^(?:unable|not able|impossible) to (?:{LEARN})\b",
    rf"^(?:can not|could not) (?:be )?(?:{LEARN}|{LEARNT})\b",
    r"^(?:i|we) (?:must |have to |need to |will (?:have to )?|would like to )?(?:respectfully |politely )?(?:decline|refuse|abstain|refrain|pass on)\b",
    rf"^{_WHO} (?:would |will )?(?:rather|prefer) not\b|^{_WHO} prefer to not\b",
    rf"^{_WHO} (?:am|are|is) not (?:finding|seeing|getting|going to|allowed|permitted|comfortable|in a position|qualified|authori[sz]ed|equipped|trained|programmed|designed|willing|supposed|licensed|able|capable|here to|meant)\b",
    rf"^{_WHO} (?:can only|am only able to|am (?:only )?limited to|only) (?:answer|help|assist|discuss|provide|respond|speak)\b",
    rf"^(?:i|we) regret (?:that )?(?:i|we|to)\b|^{_WHO} (?:am|was) (?:\w+ ){{0,8}}and (?:so )?(?:can not|do not|am not|will not)\b",
    r"^(?:that|this|it|your question|the question|such)(?: [\w-]+){0,3} (?:is|are) not something (?:that )?(?:i|we)\b",
    rf"^{_ONE} (?:{_BE}|goes|go|lies|falls|would be|violates) (?:\w+ )?(?:outside|beyond|above my|against|out of|my guidelines|our (?:usage )?polic)",
    r"^i do not (?:feel (?:comfortable|able|qualified|confident)|want to|wish to|intend to)\b|^i (?:am|was|have) [^,]{0,60} and (?:so )?(?:can not|could not|do not have|am not|am unable|will not)\b",
    r"^it (?:would|is) (?:be )?(?:not )?(?:inappropriate|unethical|appropriate|wrong|improper|irresponsible) (?:for me|of me)\b",
    rf"^there is (?:nothing|no way|little) (?:that )?(?:i|we) can\b|^there is no way (?:to|of|for me to) (?:{LEARN}|{LEARN[3:-1]}ing|knowing|telling)",
    r"^i (?:have|had) (?:to|been instructed to|been told to) (?:decline|refuse|avoid|refrain)\b|^i (?:do not|try to avoid|avoid) (?:discuss|engage|comment|provide|offer|give|participate|assist|support)\w*\b",
)
_UNKNOWING = loose(
    "the speaker does not know",
    r"^not (?:sure|certain)(?:$|,| (?:about|if|whether|what|how|which|who))",
    r"^(?:i|we) (?:do not|did not|could not) (?:know(?! of\b)|see|find|recall|understand|possess|spot|come across|get|follow|quite)\b",
    r"^i (?:do not|did not) have\b(?! to\b)|^i (?:have|had|found|see|saw|find|hold|know of) (?:no|nothing|neither|not enough|insufficient|little|zero)\b|^i know nothing\b",
    rf"^we (?:do not|did not) have (?:[\w'-]+ ){{0,4}}?(?:{INFORMATION}|access)\b|^we (?:have|found) (?:no|not enough|insufficient) (?:[\w'-]+ ){{0,3}}?(?:{INFORMATION}|access|idea)\b",
    rf"^(?:i|we) lack\b(?: [\w'-]+){{0,4}}? (?:{INFORMATION}|access|ability|knowledge|capability|expertise)\b",
    rf"^(?:i|we) (?:can|could) (?:find|see|locate|offer|give|provide) (?:no|nothing|neither|little)\b|^i (?:only )?have (?:only )?(?:very )?(?:limited|partial|incomplete) (?:{INFORMATION}|access)\b",
    r"^(?:i|we) (?:am|are|was|were) not (?:given|provided|shown|told|supplied)\b|^(?:i|we) (?:am|are) having (?:some )?(?:trouble|difficulty|difficulties|problems) (?:finding|locating|answering|accessing|retrieving|understanding)\b",
    r"^(?:i|we) (?:have|had) not (?:been (?:given|provided|shown|able|told)|found|seen|received|come across|got)\b",
    r"^(?:i|we) (?:am|are|was|were) not (?:sure|certain|aware|familiar|clear|100%|in possession|privy|confident)\b|^i am (?:unsure|uncertain|unaware|unfamiliar|unclear)\b",
    r"^(?:i|we) (?:would|will|do)? ?(?:need|require) (?:(?:more|additional|some|the full|other|access|to (?:see|know|have)|a (?:bit|little) more)\b)",
    rf"^(?:i|we) do not (?:think|believe|feel) (?:that )?(?:i|we|(?:{THE_SOURCE})|there (?:is|are) (?:any|enough))\b",
    r"^i (?:searched|looked|checked|reviewed|read|went|combed)[^,]{0,60} (?:and|but) (?:i )?(?:found (?:no|nothing)|did not|could not|there|saw no)",
    r"^(?:my|our) (?:knowledge|training|information|sources?|data|access|expertise)\b[^,]{0,40} (?:is|are|was|were|do|does|did|only) (?:not|limited|restricted|go|cover|include|extend|stop|end)",
)
_SOURCE = loose(
    "the source does not say",
    rf"^{THE_TEXT}{REST} (?:{_TEXT_NOT}|lacks?\b|omits?\b)",
    rf"^{THE_GIVEN_WORK}{REST} (?:{_TEXT_NOT}|lacks?\b|omits?\b)",
    rf"^{THE_WORK}{REST} (?!did not\b)(?:{NOT}) {SAY}\b",
    rf"^{THE_WORK}{REST} (?:{NOT} {HOLD}(?! to\b)|lacks?) (?:[\w'-]+ ){{0,3}}?{ASKED}\b",
    rf"^(?:{THE_SOURCE}){REST} never (?:{SAYS})\b",
    rf"^{THE_WORK}{REST} {NOT} (?:cover|include|touch) (?:this|that|the|your|such|it)(?: (?:\w+ )?(?:question|topic|scenario|case|situation|issue|subject|matter|point|area|specific))?(?:$| )",
    rf"^(?:none|neither|not one|few) of (?:(?:{THE_SOURCE})|them|these|those|it)\b.{{0,80}}? ?(?:{SAYS}|look at)\b",
    rf"^neither (?:{THE_SOURCE})?(?:nor [\w ]{{1,40}})?.{{0,60}}?\b(?:{SAYS})\b",
    rf"^(?:{THE_SOURCE}){REST} (?:says?|mentions?|states?|contains?|reveals?|offers?|provides?|gives?|includes?|specif(?:y|ies)|tells? (?:me|us)) (?:nothing|neither|insufficient|too little|not enough|little|limited)\b",
    rf"^(?:{THE_SOURCE}){REST} neither \w+ nor\b|^{THE_TEXT} (?:do|does) not$|^(?:(?:it|they) )?(?:do|does) not (?:say|mention|specify|state|tell|indicate)(?:$| (?:so|it|this|anything|which|who|what|when|where|how|why|whether|if)\b)",
    r"^(?:the|my|our|this) (?:knowledge base|search|index|query|retriever|database|tool)\b.{0,40} (?:returned|yielded|produced|found|turned up|gave) (?:no|nothing|zero|0)\b",
    rf"^{THE_TEXT}{REST} (?:gives?|provides?|makes?|offers?|suppl(?:y|ies)|mentions?|states?|specif(?:y|ies)) no\b",
    rf"^{THE} (?:[\w'/-]+ ){{0,3}}?(?:contexts?|passages?|excerpts?|snippets?|extracts?|sources?|search results|knowledge base|(?:{GIVEN} (?:\w+ )?{TEXTS})){REST} (?:contains?|has|have|holds?|includes?|shows?|lists?) no\b",
    rf"^{THE_TEXT}{REST} (?:contains?|has|have|holds?|includes?|shows?|lists?) no (?:[\w'-]+ ){{0,3}}?(?:{INFORMATION}|such)\b",
    rf"^{THE_WORK}{REST} (?:contains?|gives?|provides?|makes?|offers?|has|have|hold|includes?|shows?|lists?) no (?:[\w'-]+ ){{0,2}}?(?:{INFORMATION}|article|entry|section|clause|such)\b",
    rf"^(?:{THE_SOURCE}){REST} (?:is|are|was|were) (?:silent|mute|vague|not (?:clear|specific|explicit|enough|sufficient|helpful|related|relevant|about)|insufficient|unclear|unrelated|irrelevant|of no help|no help|inconclusive|ambiguous|too vague)\b",
    rf"^(?:{THE_SOURCE}){REST} leaves? (?:.{{1,60}} )?(?:open|unspecified|unclear|unanswered|undefined|unstated)\b",
    rf"^(?:{THE_SOURCE}).{{0,120}}? and (?:is|are) (?:not (?:related|relevant)|unrelated|irrelevant)\b",
    rf"^nothing (?:[\w'-]+ ){{0,3}}?{IN_SOURCE}|^nothing (?:relevant |useful )?(?:came up|was found|is said|turned up)\b",
    rf"^it (?:does not|is not|is) (?:look like|clear that|unlikely that|likely that|as if)? ?(?:that )?{THE_SOURCE} {SAYS}\b",
    rf"^(?:{THE_SOURCE}) (?:only |{NOT} )?(?:mention|discuss|cover|describe|provide|contain)s?\b.{{1,200}} (?:and|but|without|rather than|not) (?:{NOT} |not )?(?:{SAY}|specifying|mentioning|stating|saying|giving|providing|explaining|indicating)\b(?: (?:any|the|a|which|who|how|when|where|what|whether|why|this)\b)",
)
_NONE = loose(
    "there is no information",
    rf"^there {_BE} (?:not )?(?:{_NO}|any|enough|nothing|sufficient|not) (?:[\w'-]+ ){{0,4}}?(?:{INFORMATION})(?<!evidence)(?<!record)(?<!records)(?<!facts)(?: |$)(?!(?:is |are )?(?:required|needed|necessary))",
    rf"^there (?:does|do|did) not (?:be|exist) (?:[\w'-]+ ){{0,4}}?{INFORMATION}\b",
    rf"^there {_BE} (?:not )?(?:{_NO}|any|nothing|enough) .{{0,100}}?\b{IN_SOURCE}\b",
    rf"^there {_BE} (?:not anything|nothing) (?:\w+ )?(?:about|on|regarding|concerning|here|there|that (?:says|mentions|indicates|suggests|addresses|answers|explains)|to (?:suggest|indicate|say|answer|tell|determine|confirm))\b",
    rf"^there {_BE} (?:no|not a|not any) (?:[\w'-]+ ){{1,5}}?(?:mentioned|specified|stated|given|provided|listed) ?(?:{IN_SOURCE}|$)",
    rf"^(?:{_NO}|no such|nothing) (?:[\w'-]+ ){{0,3}}?(?:{INFORMATION})(?<!evidence)(?:$| (?:about|on|regarding|concerning|as to|for|of|to|in|that|here|available|provided|given|found)\b(?!.{{0,80}}\b(?:may be|must be|lost|required|needed|shared|stored|kept|collected)\b))",
    rf"^no (?:[\w'-]+ ){{0,3}}?{INFORMATION}\b(?<!evidence)(?<!record)(?<!records).{{0,80}}? {_BE} (?:{SAID}|{HELD})\b",
    rf"^no (?:[\w'-]+ ){{0,6}}?{_BE} {SAID}\b|^no .{{1,80}}? {_BE} (?:{SAID}|{HELD}) {IN_SOURCE}\b",
    rf"^no (?:[\w'-]+ ){{0,2}}?(?:documents?|results?|matches|passages?|articles?|sources?|answers?|polic(?:y|ies)|records?|entr(?:y|ies)|chunks?)(?: document)? (?:{_BE} |could be |can be )?(?:found|retrieved|matched?|returned|available|match|given|contains?|mentions?|addresse?s?|answers?|provided)\b",
    rf"^no .{{1,60}}? (?:exists?|appears?|occurs?|{_BE} there) {IN_SOURCE}|^nothing {_BE} (?:{SAID}|found|provided|given|reported|listed) (?:about|on|regarding|in|that|concerning|anywhere)\b|^nowhere (?:in|does|do|is|are)\b",
    r"^(?:my|our) (?:search|lookup|query)(?:es|s)? .{0,60}?(?:did not|returned no|found no|yielded no|turned up no|came up)\b|^(?:the|a) search (?:of|in|across) (?:the|my|our) (?:documents|knowledge base|sources|index|archive|database).{0,30} (?:did not|returned no|found no|yielded no)",
    rf"^no (?:answer|statement|conclusion|determination) (?:can|could) be (?:{LEARNT}|made|drawn)\b",
)
_NOT_SAID = loose(
    "it is not said",
    rf"^(?!if\b|when\b).{{1,160}}? {_BE} {_SEEN} {SAID}(?:$| {IN_SOURCE}| (?:here|there|or|nor|and)\b|[ ,]*(?:in|within|by|anywhere)\b(?! (?:most|many|some|a|all|several|other)\b))",
    rf"^(?:{_ONE}) {_BE} {_SEEN} (?:{SAID}|clear|certain|answerable)\b(?! to (?:the public|anyone|anybody|everyone|all|many|most))",
    rf"^(?:(?:the|an|any|that|this|such|your|requested) ){{1,2}}(?:\w+ )?(?:answer|question|query|request|information|info|topic|detail|details|data) {_BE} {_SEEN} (?:{HELD})\b(?! to (?!me\b|us\b))",
    rf"^.{{1,160}}? {_BE} {_SEEN} (?:{HELD}|part of) (?:in|within|by|from|on) (?:{THE_TEXT}|{THE_GIVEN_WORK}|(?:{THE} )?{GIVEN} (?:[\w'-]+ ){{0,2}}?{ANY_SOURCE}|{THE} faqs?\b)",
    rf"^.{{1,160}}? {_BE} {_SEEN} (?:found|listed|documented|recorded|shown|named|referenced|present|disclosed|identified) {IN_SOURCE}",
    rf"^.{{1,160}}? {_BE} {_SEEN} (?:in|within|part of) (?:{THE_TEXT}|the (?:filing|corpus))\b",
    rf"^(?:(?:the|this|that|such|any|the requested|the relevant) )?(?:[\w'-]+ ){{0,2}}?(?:{INFORMATION})\b.{{0,90}}? {_BE} (?:(?:not|un) ?(?:{SAID}|{HELD}|enough|sufficient|accessible)(?! to (?!me\b|us\b)| guilty)|missing|lacking|unavailable|insufficient|absent)\b",
    rf"^.{{1,120}}? {_BE} (?:missing|absent|omitted|left out) (?:of |from )?(?:{IN_SOURCE}|{THE_SOURCE})\b|^(?:the|this) (?:answer|information|detail)s? {_BE} (?:missing|not there)\b",
    rf"^(?:not|never) (?:{SAID}|given|provided|available|found|listed|disclosed|documented|known|clear|enough|answerable|sufficient)(?:$| {IN_SOURCE}|[ ,]+(?:in|within|by|to answer|information|context|details|data|info)\b)",
    rf"^the (?:exact |specific |precise |correct )?(?:figure|number|date|name|amount|value|price|cost|reason|year|location|total|percentage|rate|duration|size|age|time|answer)s?\b(?: (?:of|for|when|at) .{{1,60}}?)? {_BE} {_SEEN} (?:{HELD})$",
    rf"^(?:data|info|information|details?|answer) (?:not|un)[ -]?(?:{HELD}|{SAID})\b",
)
_UNCLEAR = loose(
    "it cannot be told",
    rf"^it {_BE} (?:(?:not|un) ?(?:clear|certain|possible|feasible|evident|apparent|obvious|sure)|impossible|unspecified|unstated|ambiguous|un(?:answerable|determined))(?:$| (?:from|if|whether|who|what|which|when|where|why|how|in|based|given|for me)\b| to (?:me|us)\b| to (?:{LEARN})\b)",
    rf"^it {_BE} (?:not easy|hard|difficult|tough|tricky)(?: for me)? to (?:{HARD})\b",
    rf"^(?:{_ONE}) {_BE} (?:unclear|unanswerable|impossible to (?:{LEARN})\b|(?:difficult|hard) to (?:{HARD})\b|undetermined|uncertain|unspecified|unrelated|irrelevant|not (?:related|relevant|answerable))\b",
    rf"^.{{1,160}}? (?:can neither be|can be neither) (?:{LEARNT})\b|^(?:undetermined|unspecified|undisclosed|unstated)(?:$| (?:{IN_SOURCE}|from|based))",
    r"^(?:more|additional|other) (?:\w+ )?(?:information|context|details?|data|documents?|documentation) (?:would be |will be |is |are |may be )?(?:needed|required|necessary)(?:$| (?:to|in order to|for|before) .{0,20}(?:answer|determine|say|tell|provide|help|assess|give))",
    rf"^.{{1,160}}? (?:can not|could not) be (?:[\w-]+ )?(?:{LEARNT}) (?:{IN_SOURCE}|without|here\b|(?:from|using|with|based on|on the basis of) (?:the|this|these|what))",
    rf"^.{{1,160}}? {_BE} (?:unclear|unknown|not (?:clear|known|certain)|uncertain) (?:{IN_SOURCE}|from)\b",
    rf"^(?:{_ONE}) (?:does not|do not) (?:relate|pertain|match|correspond|make sense|fit|have an answer|have a)\b",
)
_UNANSWERABLE = firm(
    "the question cannot be answered",
    rf"^(?:{_ONE})? ?(?:is |remains )?(?:therefore )?(?:unanswer\w*|not answerable)\b",
    rf"^(?:{_ONE}) (?:can not|could not|may not) be (?:{LEARNT})\b",
    r"^it (?:is|was) (?:not possible|impossible)(?: for me)? to (?:answer|determine|say|tell|know|provide|give|identify)\b",
)
_FAILURE = loose(
    "an error in the place of an answer",
    r"^an? (?:\w+ )?error (?:has )?occurred\b|^something went wrong\b|^(?:the |our )?(?:service|model|system|server|request|api) (?:is|was|has|could|timed|failed)\b.{0,30}(?:unavailable|overloaded|busy|down|time[dr]? ?out|not be (?:processed|completed)|failed)",
)
_MISMATCH = loose(
    "the source is about something else",
    r"^(?:the|your|this|while the|while your) (?:question|query) (?:is about|was about|asks?|concerns|relates|refers|seems)\b",
)
_SOURCED = loose(
    "it cannot be told from the source",
    rf"^.{{1,160}}? (?:remains? |{_BE} )(?:unclear|unknown|uncertain|not (?:clear|known|certain|{SAID}|given|disclosed|documented|named|identified|listed|provided here)|unspecified|unstated|nowhere)\b",
    rf"^.{{1,160}}? (?:can not|could not) be (?:[\w-]+ )?(?:{LEARNT})\b",
)
_LEFT_OUT = loose(
    "it is not said",
    rf"^(?:(?:the|these|those|this|that|any) )?[\w'-]+(?: [\w'-]+){{0,6}}? {_BE} {_SEEN} (?:{HELD})$|^there {_BE} no (?:records?|trace|sign) of\b",
)
_FOLLOWS = loose(
    "the source does not say",
    rf"^(?:it|they|none|neither|both|these|that|he|she)? ?{NOT} (?:{SAY}|contain|include|provide|give|offer|cover)\b",
    rf"^(?:it|they) never (?:{SAYS})\b",
    r"^(?:it|they) (?:says?|mentions?|gives?|provides?|contains?|offers?) (?:nothing|no|neither|insufficient)\b",
    rf"^(?:none|neither|nothing)\b(?: of (?:them|these))?.{{0,30}} (?:{SAYS})\b",
    r"^(?:it|they) (?:is|are|were|was) not (?:about|related|relevant|clear|sufficient|enough)\b|^not with\b|^not (?:in|of|about|the)\b",
    r"^(?:makes?|with|gives?|without) no (?:mention|reference|indication|information|details?)\b|^without (?:specifying|mentioning|stating|giving|saying|indicating|providing|naming|explaining|going into)\b",
)

ENGLISH: Final = Language(
    name="en",
    words=words(
        "the of and to in is that it for on are with not you be this as or from by at was an have i can do but what no does if there"
    ),
    prepare=_prepared,
    cue=re.compile(
        r"n't\b|\bcannot|please|clarify|specify|\bnot\b|\bno\b|\bun\w|\bin(?:suff|adeq|appro|concl)|nothing|none|neither|never|nowhere|declin|refus|rather|prefer|outside|beyond|"
        r"out of|lack|fail|trouble|error|wrong|above my|having|question|impossible|difficult|hard to|silent|missing|absent|omit|only|regret|irrelevant|need|require|abstain|refrain|limited|"
        r"against|violat|ambiguous|leaves?|mute|vague|avoid|without|wrong|omitted|pass on|improper"
    ),
    bare=re.compile(
        rf"^(?:i )?(?:unanswerable|n/?a|unknown|none(?: (?:found|given|mentioned|available|provided|stated|listed|specified))?|null|nil|nan|not in (?:the )?(?:context|text|documents?|passages?|sources?)|(?:0|zero|no (?:\w+ )?)(?: )?(?:results|matches|hits|documents)(?: found)?|idk|dunno|unclear|uncertain|unsure|pass|no comment|no clue|"
        rf"not (?:{SAID}|given|provided|available|found|listed|disclosed|documented|known|reported|applicable|sure|clear|known|answerable|certain|enough (?:information|info|context|data|evidence|details?))|"
        rf"no (?:answer|information|info|idea|data|result|match|response|context|evidence|mention|details?|clue|record)(?:e?s)?(?: (?:found|given|available|provided|possible))?|"
        rf"(?:insufficient|not enough|inadequate) (?:information|info|data|evidence|context|details?)|"
        rf"(?:data|information|answer|details?) (?:not|un) ?(?:available|found|provided|given|specified|known)|(?:can not|could not|unable to) (?:answer|say|tell|determine)|\?+|-+)$"
    ),
    lead=re.compile(
        r"(?:"
        r"(?:i am|we are)?(?: (?:very|so|really|terribly|truly|deeply))? ?(?:sorry|afraid)(?: (?:for|about) (?:that|any [\w ]{1,30}|the (?:confusion|inconvenience)))?(?: to say)?(?: that(?= (?:i|the|this|there|we|it|no|your|my|our)\b))?|"
        r"(?:i|we|my|our)?(?: (?:do|must|sincerest|deepest|sincere))*? ?(?:sincerely |sincere )?apologi(?:[sz]e|es)(?: for (?:the|any|this|that)\b[\w ]{0,40})?|"
        r"unfortunately|regrettably|sadly|alas|oops|well|hm+|currently|at (?:this time|present)|to be honest|honestly|yes|sure|certainly|of course|ok(?:ay)?|nope|no(?=,)|"
        r"(?:i )?(?:regret|hate) to (?:say|inform you|tell you)(?: that)?|"
        rf"(?:based|relying|going|judging)(?: solely| only| purely| strictly| exclusively)? (?:up)?(?:on|by|from) [^,]{{0,80}}?(?:{ANY_SOURCE}|knowledge|have|given|provided)\b[^,]{{0,30}},|"
        rf"(?:based|relying)(?: solely| only)? (?:up)?on (?:{THE} )?(?:[\w'-]+ ){{0,3}}?{ANY_SOURCE}(?: (?:provided|given|above|available|retrieved))?|"
        rf"(?:according to|from|in|within|given|after (?:reviewing|checking|searching|reading|analy[sz]ing)|looking at|per|as per|having (?:reviewed|read|checked)) (?:the|this|these|my|our|your|what)\b[^,]{{0,80}}?(?:{ANY_SOURCE}|have|given|provided)\b[^,]{{0,40}},|"
        r"(?:as of|as far as|to (?:the best of )?my|from what|to my|for now|at least|in my)\b[^,]{0,60},|(?:from|with|going by) (?:the|this|these|those|what) [^,]{0,60}(?:alone|only),|"
        r"without (?:any |more |additional |that |access to |the |seeing |knowing )*[^,]{1,60},|"
        r"as an? (?:ai|assistant|(?:large )?language model|artificial intelligence|chatbot|virtual assistant|text-based)\b[^,]{0,40},?|"
        r"thank(?:s| you)(?: (?:for|so much) [^,]{0,40})?|(?:hi|hello|hey)(?: there)?|(?:final |short )?answer(?: is)?|response|(?:the|my) answer is(?! (?:not|un|in)\w*)|a:|"
        r"(?:it (?:seem|appear|look)s?(?: like)?|i think|i believe|it is clear|i would say|it is worth noting|it should be noted|it is important to note|(?:it )?appears)(?: that)?(?= )|"
        r"and|so|therefore|then|thus|hence|consequently|as a result|overall|in (?:conclusion|summary|short)|to conclude|please note(?: that)?|note that|since|because|as such|as|given that|for this reason|accordingly|"
        r"(?:specifically|additionally|furthermore|moreover|also|in addition|finally|lastly|in fact|interestingly|similarly)"
        r")(?:[,;:.!-]+\s*|\s+|$)"
    ),
    sourced=re.compile(
        rf"(?:based|relying|according|from|in|within|given|after|looking|per|as per|having|judging|going)\b.{{0,90}}\b(?:{ANY_SOURCE}|given|provided|have)\b"
    ),
    opening=any_of(
        r"^(?:you (?:asked|are asking|want(?:ed)?|would like|mentioned)|(?:the|your|this) (?:question|query|user) (?:is|asks?|assumes|seems|refers?|concerns|presupposes|implies|mentions))\b",
        r"^(?:i|we) (?:understand (?:that|your)|appreciate|see that you)\b",
        r"^(?:i (?:would|wish|want)|we would) (?:love|like|be happy|be glad|i could|to help|i had)\b",
        r"^let(?: me|us)\b|^(?:great|good|interesting|excellent) question\b|^(?:thank|hello|hi|hey|dear|welcome)\b|^i (?:am )?(?:here to|an? (?:ai|(?:large )?language model|\w+ (?:assistant|bot|chatbot)))\b",
        r"^(?:question|answer|context|response|explanation|reasoning|note|sources?|references?)$|^here (?:is|are)\b.{0,100}$|^(?:sure|yes|ok|okay|certainly|of course)$|^how (?:can|may) i\b",
    ),
    split=re.compile(
        r"(?P<turn>\s*,?\s+(?:but|however|although|though|whereas|nevertheless|nonetheless|yet|still)\b(?: (?:that said|instead|still|rather))?,?\s+|^(?:however|but|that said|nevertheless|nonetheless|instead|still|that being said|having said that|with that said|on the other hand|in general|generally|typically|usually)\b,?\s+|\s+- (?=\w))|"
        r"(?P<so>\s*,?\s+(?:so|and so|therefore|and therefore|thus|hence|which means(?: that)?|meaning(?: that)?)\b,?\s+(?=i |it |no |the |this |we |unable|there |that |your ))|(?P<end>,?\s+(?:as|because|since)\s+(?=i |it is not|the |there |no |they |this |these |neither|none)|,?\s+and\s+(?=i |there |could not|can not|found nothing)|,\s+(?:and|which|or|while|nor)\s+(?=i |it |they |there |the |do|no |is not|are not|none|neither|nothing|unable|can not|could not|not )|,\s+(?=i (?:can|could|do|am|have)\b|nor |not |making )|\s+(?=without (?:giving|specifying|mentioning|stating|saying|providing|indicating|naming|explaining|going into))|\s+and (?=(?:do|does|did|can|could|is|are) not (?:\w+ )?(?:mention|say|specify|state|provide|contain|give|address|answer|include|discuss|explain|indicate|describe)))"
    ),
    against=re.compile(
        r"\bhowever\b|\b(?:it|text|passage|document|context|article|they) (?:does|do) (?:say|state|mention|note|indicate|explain|suggest|tell)\b"
    ),
    conclusion=re.compile(
        r"^(?:therefore|so|thus|hence|in conclusion|overall|as a result|consequently|for (?:this|that|these) reasons?|accordingly|in summary|to conclude|since|as such)\b|"
        r"\b(?:the|this|your) question\b|"
        r"\b(?:unable to|can ?not|can't) answer\b"
    ),
    conceding=re.compile(
        r"^(?:while|although|though|even though|whereas|despite|since|because|as|given that|whilst)\b"
    ),
    condition=re.compile(
        r"^(?:if|when|whenever|unless|once|where|in case|until|provided that|should (?:you|the|it)|for (?:those|anyone) who)\b"
    ),
    refuses=(_SPEAKER, _UNANSWERABLE, _UNKNOWING, _SOURCE, _NONE, _NOT_SAID, _UNCLEAR, _FAILURE),
    follows=(_FOLLOWS,),
    of_topic=(_LEFT_OUT, _MISMATCH),
    of_source=(_SOURCED,),
    about=any_of(
        r"^there (?:is|are) (?:(?!no\b|not\b)\w+ )?(?:mentions?|references?|discussions?|information|details) (?:of|to|about|on)\b|^i (?:can |do )?(?:see|found|find) (?:\w+ )?(?:references?|mentions?|information|documents?|passages?|articles?|results|sections?)\b",
        r"^(?:i|we) (?:have |just )?(?:searched|looked|checked|reviewed|read|scanned|went|examined|gone|consulted|carefully|combed)\b(?!.{0,30}(?:: |your (?:account|order)))",
        rf"^(?:{THE_SOURCE}|(?:passage|document|source|text|chunk|article|context|excerpt|paragraph)s? ?(?:\d+|[a-d]|one|two|three)?|the (?:first|second|third|other|last|only)(?: [\w-]+)?|it|they|these|those|both|each|all(?: of them)?|most(?: of)?(?: \w+)*|\[\d+\](?: and \[\d+\])?|what)\b{REST} (?:only|solely|merely|mainly|mostly|primarily|instead|rather|exclusively|briefly|generally)\b",
        rf"^(?:{THE_SOURCE}|(?:passage|document|source|text|chunk|article|context|excerpt|paragraph)s? ?(?:\d+|[a-d]|one|two|three)?|the (?:first|second|third|other|last|only)(?: [\w-]+)?|it|they|these|those|both|each|all(?: of them)?|\[\d+\](?: and \[\d+\])?|most of (?:it|them))\b{REST} (?:(?:is|are|was|were|seems? to be) (?:all |mostly |mainly |just )?(?:about|related|focused|concerned|limited|on|from|dealing|centered|a (?:general|list|description))|(?:discuss(?:es)?|talks? (?:about|of)|speaks? (?:about|of)|focus(?:es)?(?: on)?|deals? with|describes?|covers?|concerns?|centers?|relates? to|revolves?|refers? to|addresse?s?|explores?|touch(?:es)?|(?:mentions?|provides?|gives?|contains?|includes?|explains?|offers?|outlines?|details?|lists?|highlights?|presents?)(?! that\b| (?:\w+ ){{0,3}}(?:is|are|was|were|must|should|can)\b)))\b",
        r"^(?:this|that|it|the answer|the [\w ]{1,40}) (?:will|would|may|can|could)? ?(?:depends?|var(?:y|ies))\b|^(?:the|your) question (?:is|was|asks|seems|relates|refers)\b|^the requested\b|^.{1,60} (?:can|could|may) (?:stand for|mean|refer to) (?:several|many|different|various|multiple)\b",
    ),
    redirect=any_of(
        r"^(?:so )?(?:please|kindly|feel free|contact|consult|try|visit|refer to|reach out|see (?:the|our|your)|ask (?:a|an|your|the)|check (?:with|the|our|your)|do not hesitate|if possible|perhaps try|maybe)\b",
        r"^you (?:would |will )?(?:have|need) to (?:ask|contact|check|consult|call|speak|talk|see|look|provide|search|refer)\b",
        r"^(?:you|one|users?|readers?|customers?|patients?) (?:can|could|may|might|should|will|would|must)(?: (?:also|want to|need to|wish to|have to|like to|try|consider|always|still|better|be able to))* ?(?:to )?(?:contact|consult|check(?:ing)? (?:with|the (?:website|official|manufacturer|manual|company|hotel|source|document))|refer|reach|ask|visit|look (?:up|at|it|for|elsewhere)|search|find (?:it|this|that|more|the|out|information|them)|provide|call|speak|talk|seek|see|verify|get in touch|rephrase|research|email|write)\w*\b",
        r"^(?:i|we) (?:would |can |could |will |am |do |strongly |'d )*(?:recommend|suggest|advise|encourage|happy|glad|help|be (?:happy|glad)|try|assist|be able|here|only|answer|provide)\w*\b",
        r"^it (?:is|would be|might be|may be) (?:always |also )?(?:best|advisable|recommended|helpful|better|necessary|a good idea|advised|suggested|important|worth|wise|useful|prudent)\b.{0,20}\b(?:contact|consult|check with|refer|reach|ask|speak|seek|look|provide|visit|verify|consider|note)",
        r"^(?:for|to (?:get|find|obtain|learn|answer|determine|be sure|confirm|know|help|provide)) .{0,120}(?:contact|consult|refer|check|visit|ask|reach|need|require|see|provide|look|would|speak)\w*\b",
        r"^if (?:you|there|possible|the|this|anyone|more|that|so)\b.{0,160}(?:\b(?:i (?:can|will|would|may|might|could|am)|let me|please|feel free|happy|contact|consult|provide|share|ask|refer)\b)|^if you (?:have|need|can|could|would|provide|share|want|let|tell|give|wish)\b",
        r"^(?:this|that|it) (?:is|would be|sounds like|might be|seems) (?:best|better|more)? ?(?:a (?:question|matter|topic)|something|answered|one|a good question) (?:best )?(?:for|by|that|to|you)\b",
        r"^(?:is there|would you|do you (?:want|need|have any other)|can i|may i|shall i|how (?:else )?(?:can|may) i|what else|anything else|are you|could you|can you|did you)\b|^(?:otherwise|meanwhile)\b|^(?:the|your) (?:\w+ ){0,3}(?:team|doctor|pharmacist|support|lawyer|attorney|dealer|manufacturer|website|manager) (?:can|may|might|will|should|would)\b",
        r"^(?:i|we) (?:hope|apologi[sz]e|appreciate|look forward|wish|understand|am sorry|thank)\b|^(?:sorry|apologies|thank you|thanks|good luck|best regards)\b|^let (?:me|us) know\b|^(?:happy|glad) to\b|^(?:a|an|the) (?:qualified|professional|medical|legal|official|full)\b.{0,80}\b(?:should|would|needed|can|could)\b",
    ),
    offer=any_of(
        r"^(?!.*\bor\b)(?!which|what|when|where|how (?:many|much|long))(?:.* )?(?:would|do) you (?:like|want|need|wish)\b",
        r"\b(?:anything|something|what) else\b|^(?:can|may|could|shall|should) i\b|^how (?:can|may|could) i\b|\bany (?:other|more|further) questions\b|^(?:does (?:this|that)|did (?:this|that|i)) (?:help|answer)\b|\bwant me to\b|^did (?:that|this|it) (?:work|help|answer|solve|fix)\b|^is (?:that|this) (?:clear|helpful|ok)|\bright\?$|^(?:make sense|got it|ready)\b",
    ),
    you=re.compile(
        r"\b(?:you|your|yours|which (?:one|of)|what exactly|please|did (?:he|she)\?)\b|^(?:which|is this|is it|are these)\b"
    ),
    request=any_of(
        r"^(?:so )?(?:please|kindly|could you|can you|would you(?: mind)?|will you)(?: please)?(?: be)? ?(?:clarify|specify|specifying|clarifying|elaborate|provide|providing|share|sharing|give (?:me|us)|tell (?:me|us)|let (?:me|us) know|rephrase|repeat|restate|explain (?:what|which)|confirm (?:which|what|whether)|indicate|paste|upload|attach|more specific|say|describe|send|narrow|expand|enter|name)\b",
        r"^to (?:answer|help|assist|give|find|look|proceed|check|continue)\b.{0,60}\b(?:i|we) (?:would |will )?need\b|^(?:i|we) (?:just |would |will )?need (?:to know|your)\b",
        r"^(?:which|what|who|when|where|how (?:many|much|old|long|often))\b.{0,100}\b(?:do|did|are|were|would|have) you\b|\bdo you mean\b|\bare you (?:asking|referring|looking|interested|talking|using)\b|\bdid you mean\b",
    ),
)

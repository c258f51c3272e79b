"""English: the constructions of its refusals, grouped by who or what they say it of."""

# ruff: noqa: E501 - a pattern is read as one line

from typing import Final

from otel_ragfault.judging.refusals.english_words import (
    ANY_SOURCE,
    ASKED,
    DATUM,
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
    SUBJECT,
    TEXTS,
    THE,
    THE_GIVEN_WORK,
    THE_PASSAGES,
    THE_SOURCE,
    THE_TEXT,
    THE_WORK,
)
from otel_ragfault.judging.refusals.language import UNKNOWING, firm, loose

_TEXT_NOT: Final = rf"{NOT} (?:be able to )?(?:{SAY}|(?:{HOLD})(?! to\b))\b"
_BE: Final = r"(?:is|are|was|were|be|has been|have been|remains?)"
_NO: Final = r"(?:no|not enough|insufficient|not sufficient|not any|inadequate|too little|little to no|limited)"
_SEEN: Final = r"(?:not|never|nowhere)"
_ONE: Final = r"(?:it|this|that|the answer|the question|your question|this question|an answer|that question|the request|your request|this request|the query|your query|this topic|that topic|the topic|this subject|such information|this information|that information|the information|the requested information)"
_WHO: Final = r"(?:i|the assistant|this assistant|the ai|the model)"
_CAN_NOT: Final = r"(?:can not|could not|can neither|(?:will|would) not (?:be (?:able|comfortable|appropriate)|know|say|feel|provide|help|assist|answer|give|discuss|engage|write|do|share|generate|create|participate|speculate|comment|support|produce|want to|continue|respond|advise)|(?:am|was|are|were) (?:not able|unable|not going) to|(?:have|has|had) (?:not )?been (?:unable|able) to|may not|must not)"


SPEAKER: Final = firm(
    "the speaker cannot",
    rf"^{_WHO} {_CAN_NOT}\b(?! (?:stress|recommend it|wait|(?:over)?emphasi[sz]e|overstate|agree|help but|have \w+|find|see|locate|spot)\b)",
    rf"^we (?:can not|could not|(?:are|were) (?:not able|unable) to) (?:answer|determine|say|tell|know|find|locate|confirm|verify|identify|establish|infer|conclude|calculate|help|assist|comment|advise|speculate|(?:provide|give|offer|share) (?:[\w'-]+ ){{0,3}}?(?:{INFORMATION}|advice|opinions?))\b",
    r"^(?:one|you) (?:can not|could not) (?:determine|conclude|infer|know|answer|(?:tell|say) (?:from|whether|if|which|what|who|how|when|where|based))\b",
    r"^(?:it|this|that|answering(?: this| that| it)?|any answer|anything else) would (?:\w+ )?be (?:\w+ )?(?:speculat\w+|guess\w*|conjecture|misleading|premature)\b|^not (?:that|as far as) i (?:can|know|am|see|could)\b",
    r"^(?:determining|answering|saying|telling|knowing|identifying|establishing|providing|giving|calculating)\b.{1,80} (?:is|are) (?:not possible|impossible)\b|^i would (?:have|need) to (?:guess|speculate)\b|^i would (?:only |just )?be (?:guessing|speculating)\b|^i (?:am|was) not the (?:right|best) (?:person|one|assistant|tool|place)\b|^i (?:came|come) up (?:empty|short|with nothing)\b|^(?:my|our) (?:instructions|guidelines|polic(?:y|ies)|rules|programming|training) (?:do|does|will) not (?:allow|permit|let)\b|^(?:my|our) (?:instructions|guidelines|polic(?:y|ies)|rules|programming) (?:prevent|forbid|prohibit)s? me\b|^(?:that|this|the answer) (?:is|remains) unknown$|^we (?:are|were) unable to (?:process|complete|fulfil) (?:this|that|your)\b",
    rf"^(?:unable|not able|impossible) to (?:{LEARN})\b",
    r"^(?:it|this) is (?:unable|not able) to (?:answer|determine|say|provide|find)\b(?! (?:your|the (?:phone|door|call))\b)",
    rf"^(?:can not|could not|will not) (?:be )?(?:{LEARN}|{LEARNT}|take part|participate|engage|discuss|share|fulfil|comply|browse|open|do (?:that|this|so))\b",
    r"^(?:i|we) (?:must |have to |need to |will (?:have to )?|would like to )?(?:respectfully |politely )?(?:decline|refuse|abstain|refrain|pass on)\b",
    rf"^{_WHO} (?:would |will )?(?:rather|prefer) not\b|^{_WHO} prefer to not\b",
    rf"^{_WHO} (?:am|are|is) not (?:finding|seeing|getting|going to|allowed|permitted|comfortable|in a position|qualified|authori[sz]ed|equipped|trained|programmed|designed|willing|supposed|licensed|able|capable|here to|meant)\b",
    rf"^{_WHO} (?:can only|am only able to|am (?:only )?limited to|only) (?:answer|help|assist|discuss|provide|respond|speak)\b",
    rf"^(?:i|we) regret (?:that )?(?:i|we|to)\b|^{_WHO} (?:am|was) (?:\w+ ){{0,8}}and (?:so )?(?:can not|do not|am not|will not)\b",
    r"^(?:that|this|it|your question|the question|such)(?: [\w-]+){0,3} (?:is|are) not something (?:that )?(?:(?:is |are )?(?:i|we|the|my|our|these)|is (?:discussed|covered|mentioned|addressed|included|stated|in))\b|^i am (?:drawing a blank|at a loss|stumped)\b",
    rf"^{_ONE} (?:{_BE}|goes|go|lies|falls|would be|violates) (?:\w+ )?(?:(?:outside|beyond|above|out of)(?: of)? (?:my|our|the (?:scope|range|area|domain|bounds|realm|knowledge|provided|documents?|context|subject|information|material|text|passages?|guidelines?|sources?)|what|scope|this (?:assistant|chat|bot))|against (?:my|our|the)|my guidelines|our (?:usage )?polic)",
    r"^i do not (?:feel (?:comfortable|able|qualified|confident)|want to|wish to|intend to)\b|^i (?:am|was|have) [^,]{0,60} and (?:so )?(?:can not|could not|do not have|am not|am unable|will not)\b",
    r"^it (?:would|is) (?:be )?(?:not )?(?:inappropriate|unethical|appropriate|wrong|improper|irresponsible) (?:for me|of me)\b",
    rf"^there is (?:nothing|no way|little) (?:that )?(?:i|we) can\b|^there is no way (?:to|of|for me to) (?:{LEARN}|{LEARN[3:-1]}ing|knowing|telling)",
    r"^i (?:have|had) (?:to|been instructed to|been told to) (?:decline|refuse|avoid|refrain)\b|^i (?:do not|try to avoid|avoid) (?:discuss|engage|comment|provide|offer|give|participate|assist|support)\w*\b",
)
NOT_KNOWN: Final = loose(
    UNKNOWING,
    r"^not (?:sure|certain)(?:$|,| (?:about|if|whether|what|how|which|who))",
    r"^(?:i|we) (?:do not|did not|could not) (?:know(?! of\b| you\b)|see|find|locate|spot|recall|understand|possess|spot|come across|get|follow|quite|speak|remember)\b|^i have not got\b",
    r"^i (?:do not|did not) have\b(?! to\b)|^i (?:have|had|found|see|saw|find|hold|know of)(?: got)? (?:no|nothing|neither|not enough|insufficient|little|zero)\b|^i know nothing\b",
    rf"^we (?:do not|did not) have (?:[\w'-]+ ){{0,4}}?(?:{INFORMATION}|access)\b|^we (?:have|found) (?:no|not enough|insufficient) (?:[\w'-]+ ){{0,3}}?(?:{INFORMATION}|access|idea|articles?|pages?|guides?|entr(?:y|ies))\b",
    rf"^(?:i|we) lack\b(?: [\w'-]+){{0,4}}? (?:{INFORMATION}|access|ability|knowledge|capability|expertise)\b",
    rf"^{_WHO} (?:can not|could not|(?:am|was) (?:not able|unable) to|have (?:not )?been (?:able|unable) to) (?:find|see|locate|spot)\b",
    rf"^(?:i|we) (?:can|could) (?:find|see|locate|offer|give|provide) (?:no|nothing|neither|little)\b|^i (?:only )?have (?:only )?(?:very )?(?:limited|partial|incomplete) (?:{INFORMATION}|access)\b",
    r"^(?:i|we) (?:am|are|was|were) not (?:given|provided|shown|told|supplied)\b|^(?:i|we) (?:am|are) having (?:some )?(?:trouble|difficulty|difficulties|problems) (?:finding|locating|answering|accessing|retrieving|understanding)\b",
    r"^(?:i|we) (?:have|had) not (?:been (?:given|provided|shown|able|told)|found|seen|received|come across|got)\b",
    r"^(?:i|we) (?:am|are|was|were) not (?:sure|certain|aware|familiar|clear|100%|in possession|privy|confident)\b|^i am (?:unsure|uncertain|unaware|unfamiliar|unclear)\b",
    r"^(?:i|we) (?:would|will|do)? ?(?:need|require) (?:(?:more|additional|some|the full|other|access|to (?:see|know|have)|a (?:bit|little) more|(?:the|your) [\w' -]{1,40} to (?:check|answer|tell|say|determine|help|find))\b)",
    rf"^(?:i|we) do not (?:think|believe|feel) (?:that )?(?:i|we|(?:{THE_SOURCE})|there (?:is|are) (?:any|enough))\b",
    r"^i (?:searched|looked|checked|reviewed|read|went|combed)[^,]{0,60} (?:and|but) (?:i )?(?:found (?:no|nothing)|did not|could not|there|saw no)",
    r"^(?:my|our) (?:knowledge|training|information|sources?|data|access|expertise)\b[^,]{0,40} (?:is|are|was|were|do|does|did|only) (?:not|limited|restricted|go|cover|include|extend|stop|end)",
)
SOURCE: Final = loose(
    "the source does not say",
    rf"^{THE_TEXT}{REST} (?:{_TEXT_NOT}|lacks?\b|omits?\b)",
    rf"^{THE_GIVEN_WORK}{REST} (?:{_TEXT_NOT}|lacks?\b|omits?\b)",
    rf"^{THE_WORK}{REST} (?!did not\b)(?:{NOT}) {SAY}\b",
    rf"^{THE} (?:[\w'/-]+ ){{1,3}}?(?:do|does) not (?:mention|specify|state|indicate|disclose|say|spell out|go into|reach a conclusion|label|list (?:an?|any|the|its|his|her|their)) ?\b",
    rf"^{THE_WORK}{REST} (?:{NOT} {HOLD}(?! to\b)|lacks?) (?:[\w'-]+ ){{0,3}}?{ASKED}\b",
    rf"^(?:{THE_SOURCE}){REST} never (?:{SAYS}|gets? (?:around|round|as far))\b",
    rf"^{THE_WORK}{REST} {NOT} (?:cover|include|touch) (?:this|that|the|your|such|it)(?: (?:\w+ )?(?:question|topic|scenario|case|situation|issue|subject|matter|point|area|specific))?(?:$| )",
    rf"^(?:none|neither|not one|few) of (?:(?:{THE_SOURCE})|them|these|those|it)\b.{{0,80}}? ?(?:{SAYS}|look at)\b",
    rf"^{THE_PASSAGES}\b{REST} (?:(?:do|does|did|can|could|will|would|have|has|is|are) )?(?:not|never|nothing)\b(?! (?:be (?!used|helpful)|only|agree|appear|sorted|possible|shown|displayed|name a single)\b)",
    rf"^(?:no|not (?:a single|one|any)) (?:[\w'-]+ ){{0,2}}?{ANY_SOURCE} (?:{SAYS})\b",
    rf"^neither (?:(?:{THE} )?(?:[\w'/-]+ ){{0,2}}?{ANY_SOURCE}\b(?: [\w'-]+)?(?: nor [\w '-]{{1,40}}?)?(?: [\w'-]+){{0,3}}? )?(?:{SAYS})\b",
    rf"^(?:{THE_SOURCE}){REST} (?:says?|has|have|holds?|mentions?|states?|contains?|reveals?|offers?|provides?|gives?|includes?|specif(?:y|ies)|tells? (?:me|us)) (?:nothing(?= (?:about|on|of|regarding|concerning|that|specific|explicit|more|to|in)\b|$)|neither|insufficient|too little|not enough|little|limited)\b",
    rf"^(?:{THE_SOURCE}){REST} {NOT} (?:allow|permit|enable|let)(?: (?:me|us|one|anyone|you|for|a|any|the|definitive))*(?: to)? (?:{LEARN}|conclusion|determination|answer)\b",
    rf"^{THE_TEXT}{REST} (?:(?:cuts?|breaks?) off|is (?:cut off|truncated|cut short)|(?:ends?|stops?) (?:before|without))\b|^(?:the readers?|we|readers|you) (?:is|are|were|was) (?:not|never) (?:told|informed|shown)(?:$| (?:who|what|when|where|how|why|whether|if|which|about|anything)\b)",
    rf"^(?:{THE_SOURCE}){REST} neither \w+ nor\b|^{THE_TEXT} (?:do|does) not$|^(?:(?:it|they) )?(?:do|does) not (?:say|mention|specify|state|tell|indicate)(?:$| (?:so|it|this|anything|which|who|what|when|where|how|why|whether|if)\b)",
    r"^(?:the|my|our|this) (?:knowledge base|search|index|query|retriever|database|tool)\b.{0,40} (?:returned|yielded|produced|found|turned up|gave) (?:no|nothing|zero|0)\b",
    rf"^{THE_TEXT}{REST} (?:gives?|provides?|makes?|offers?|suppl(?:y|ies)|mentions?|states?|specif(?:y|ies)) no\b",
    rf"^{THE} (?:[\w'/-]+ ){{0,3}}?(?:contexts?|passages?|excerpts?|snippets?|extracts?|sources?|search results|knowledge base|(?:{GIVEN} (?:\w+ )?{TEXTS})){REST} (?:contains?|has|have|holds?|includes?|shows?|lists?) no\b",
    rf"^{THE_TEXT}{REST} (?:contains?|has|have|holds?|includes?|shows?|lists?) no (?:[\w'-]+ ){{0,3}}?(?:{INFORMATION}|such)\b",
    rf"^{THE_WORK}{REST} (?:contains?|gives?|provides?|makes?|offers?|has|have|hold|includes?|shows?|lists?) no (?:[\w'-]+ ){{0,2}}?(?:{INFORMATION}|article|entry|section|clause|such)\b",
    rf"^(?:{THE_SOURCE}){REST} (?:is|are|was|were|remains?|stays?) (?:silent|mute|vague|not (?:clear|specific|explicit|enough|sufficient|helpful|related|relevant|about)|insufficient|unclear|unrelated|irrelevant|of no help|no help|inconclusive|ambiguous|too vague)\b",
    rf"^(?:{THE_SOURCE}){REST} (?:is|are|be|was|were|seems? to be) (?:about|from|for|related to|on) (?:an? )?(?:different|another|other|unrelated)\b",
    rf"^(?:{THE_SOURCE}){REST} (?:is|are|was|were) (?:too (?:short|brief|vague|general|limited|fragmentary|old|narrow|unclear)|not (?:detailed|specific|complete|clear|precise) enough)\b|^(?:{THE_SOURCE}){REST} (?:leaves? out|omits?|glosse?s? over|skips?)\b",
    rf"^{SUBJECT}(?:do|does|did) not (?:appear|occur|exist|figure|feature|show up|come up) {IN_SOURCE}|^{SUBJECT}(?:appears?|occurs?|is|are) nowhere\b",
    rf"^{SUBJECT}(?:is|are) not something (?:that |which )?{THE_SOURCE}\b",
    rf"^(?:{THE_SOURCE}){REST} leaves? (?:.{{1,60}} )?(?:open|unspecified|unclear|unanswered|undefined|unstated)\b",
    rf"^(?:{THE_SOURCE}).{{0,120}}? and (?:is|are) (?:not (?:related|relevant)|unrelated|irrelevant)\b",
    rf"^(?:{THE_SOURCE}|it|they|these|this|that|none of (?:it|them)){REST} can not be used to (?:{LEARN})\b",
    rf"^(?:{THE_TEXT}){REST} (?:talks?|is|are|deals?|discuss(?:es)?|covers?)\b.{{1,160}} (?:and|but) not (?:about|on|with|of|for|in|how|what|when|where|why|who|which|whether)\b",
    rf"^(?:{THE_TEXT}){REST} (?:only|merely) (?:mention|say|state|discusse?|describe|talk|cover|note|give|provide|list)s?\b.{{1,160}} (?:and|but) not\b",
    rf"^nothing (?:[\w'-]+ ){{0,3}}?{IN_SOURCE}(?!.{{0,40}}\b(?:prevent|prohibit|forbid|require|stop|oblige|bar|preclude|limit|entitle|keep)s?\b)|^nothing (?:relevant |useful )?(?:came up|(?:was|were|is) (?:found|said|returned|retrieved)|turned up)\b",
    rf"^it (?:does not|is not|is) (?:look like|appear|seem|clear that|unlikely that|likely that|as if)? ?(?:that )?{THE_SOURCE} {SAYS}\b",
    rf"^(?:{THE_SOURCE}) (?:only |{NOT} )?(?:mention|discuss|cover|describe|provide|contain)s?\b.{{1,200}} (?:and|but|without|rather than|not) (?:{NOT} |not )?(?:{SAY}|specifying|mentioning|stating|saying|giving|providing|explaining|indicating)\b(?: (?:any|the|a|which|who|how|when|where|what|whether|why|this)\b)",
)
NONE: Final = loose(
    "there is no information",
    rf"^there {_BE} (?:not )?(?:{_NO}|any|enough|nothing|sufficient|not) (?:[\w'-]+ ){{0,4}}?(?:{INFORMATION})(?<!evidence)(?<!record)(?<!records)(?<!facts)(?: |$)(?!when\b|from (?:him|her|them)|until\b|desk|(?:is |are )?(?:required|needed|necessary))",
    rf"^there (?:does|do|did) not (?:be|exist) (?:[\w'-]+ ){{0,4}}?{INFORMATION}\b",
    rf"^there {_BE} (?:not )?(?:{_NO}|any|nothing|enough|an?) .{{0,100}}?\b{IN_SOURCE}\b",
    rf"^there {_BE} (?:not anything|nothing) (?:\w+ )?(?:about|on|regarding|concerning|for|from|beyond|here|there|that (?:says|mentions|indicates|suggests|addresses|answers|explains)|to (?:suggest|indicate|say|answer|tell|determine|confirm))\b",
    rf"^there {_BE} (?:no|not a|not any) (?:[\w'-]+ ){{1,5}}?(?:mentioned|specified|stated|given|provided|listed) ?(?:{IN_SOURCE}|$)",
    rf"^(?:{_NO}|no such|nothing) (?:[\w'-]+ ){{0,3}}?(?:{INFORMATION})(?<!evidence)(?<!record)(?<!records)(?<!facts)(?:$| (?:about|on|regarding|concerning|as to|for|of|to|in|that|here|available|provided|given|found)\b(?!.{{0,80}}\b(?:may be|must be|lost|required|needed|shared|stored|kept|collected)\b))",
    rf"^no (?:[\w'-]+ ){{0,3}}?{INFORMATION}\b(?<!evidence)(?<!record)(?<!records).{{0,80}}? (?:is|are|was|were|has been|have been|can be|could be) (?:{SAID}|{HELD})\b",
    rf"^no (?:[\w'-]+ ){{0,6}}?{_BE} {SAID}\b|^no .{{1,80}}? {_BE} (?:{SAID}|{HELD}) {IN_SOURCE}\b",
    rf"^no (?:[\w'-]+ ){{0,2}}?(?:documents?|results?|matches|passages?|articles?|sources?|answers?|polic(?:y|ies)|records?|entr(?:y|ies)|chunks?)(?: document)? (?:{_BE} |could be |can be )?(?:found|retrieved|matched?|returned|available|match|given|contains?|mentions?|addresse?s?|answers?|provided)\b",
    rf"^no .{{1,60}}? (?:exists?|appears?|occurs?|{_BE} there) {IN_SOURCE}|^nothing {_BE} (?:{SAID}|found|provided|given|reported|listed) (?:about|on|regarding|in|that|concerning|anywhere)\b|^nowhere (?:in|does|do|is|are)\b",
    r"^(?:my|our|your|the) (?:search|lookup|query)(?:es|s)? .{0,60}?(?:did not (?:return|find|yield|produce|turn up|match)|returned no|found no|yielded no|turned up no|came up)\b|^(?:the|a) search (?:of|in|across) (?:the|my|our) (?:documents|knowledge base|sources|index|archive|database).{0,30} (?:did not|returned no|found no|yielded no)",
    rf"^(?:no one|nobody|no author|none) {IN_SOURCE}|^(?:insufficient|not enough|inadequate) (?:\w+ )?evidence\b|^no (?:\w+ )?evidence {IN_SOURCE}",
    rf"^no (?:answer|statement|conclusion|determination) (?:can|could) be (?:{LEARNT}|made|drawn|generated|produced)\b",
    rf"^there {_BE} no (?:[\w'-]+ ){{0,2}}?(?:{TEXTS}|sections?|entr(?:y|ies)|pages?) (?:that|which|about|on|regarding|discussing|mentioning|covering)\b",
)
NOT_SAID: Final = loose(
    "it is not said",
    rf"^{SUBJECT}{_BE} {_SEEN} {SAID}(?:$| {IN_SOURCE}| (?:here|there|or|nor|and|anywhere)\b)",
    rf"^(?:{_ONE}) {_BE} {_SEEN} (?:{SAID}|answered(?! by)|clear|certain|answerable)\b(?! to (?:the public|anyone|anybody|everyone|all|many|most))",
    rf"^(?:(?:the|an|any|that|this|such|your|requested) ){{1,2}}(?:\w+ )?(?:answer|question|query|request|information|info|topic|detail|details|data) {_BE} {_SEEN} (?:{HELD})\b(?! to (?!me\b|us\b))",
    rf"^{SUBJECT}{_BE} {_SEEN} (?:{HELD}|part of) (?:in|within|by|from|on) (?:{THE_TEXT}|{THE_GIVEN_WORK}|(?:{THE} )?{GIVEN} (?:[\w'-]+ ){{0,2}}?{ANY_SOURCE}|{THE} faqs?\b)",
    rf"^{SUBJECT}{_BE} {_SEEN} (?:found|listed|documented|recorded|shown|named|referenced|present|disclosed|identified) {IN_SOURCE}",
    rf"^{SUBJECT}{_BE} {_SEEN} (?:in|within|part of) (?:{THE_TEXT}\b|the (?:filing|corpus)\b|the (?:data ?sheet|handbook|report|guide|paper|brochure|catalogue?|faq)$)",
    rf"^(?:(?:the|this|that|such|any|the requested|the relevant) )?(?:[\w'-]+ ){{0,2}}?(?:{INFORMATION})\b(?<!records)(?<!record)(?<!evidence)(?<!facts).{{0,90}}? {_BE} (?:(?:not|un) ?(?:{SAID}|{HELD}|enough|sufficient|accessible)(?! to (?!me\b|us\b)| guilty)|missing|lacking|unavailable|insufficient|absent)\b",
    rf"^{SUBJECT}{_BE} (?:missing|absent|omitted|left out) (?:of |from )?(?:{IN_SOURCE}|{THE_SOURCE})\b|^(?:the|this) (?:answer|information|detail)s? {_BE} (?:missing|not there)\b",
    rf"^(?:{_ONE}|(?:that|this|the|such an?) (?:{INFORMATION}|{DATUM}|term|word|topic|point|subject)) {_BE} {_SEEN} (?:in|within|part of) {THE_SOURCE}\b",
    rf"^{SUBJECT}{_BE} {_SEEN} (?:visible|accessible|available|known|apparent|shown) to (?:me|us)\b",
    rf"^not (?:covered|included|contained|answered) {IN_SOURCE}|^{SUBJECT}{_BE} nowhere (?:to be )?(?:found|seen|mentioned|stated|given|specified|in)\b",
    rf"^(?:not|never) (?:{SAID}|given|provided|available|found|listed|disclosed|documented|known|clear|enough|answerable|sufficient)(?:$| {IN_SOURCE}|[ ,]+(?:in|within|by|to answer|information|context|details|data|info)\b)",
    rf"^(?:the|an?|its|his|her|their) (?:exact |specific |precise |correct )?{DATUM}\b(?: (?:of|for|when|at|in) .{{1,60}}?)? {_BE} (?:{_SEEN} (?:given|provided|available|found|listed|disclosed|included|shown|there|present|reported|documented|{SAID})|omitted|left out|absent)(?:$| in the [\w-]+$)",
    rf"^no (?:\w+ ){{0,2}}?{DATUM}(?: (?:of|for) .{{1,60}}?)? (?:{_BE} )?(?:given|provided|mentioned|stated|specified|listed|available|found|shown)(?:$| {IN_SOURCE})",
    rf"^{SUBJECT}{_BE} (?:left )?(?:unspecified|unstated|unmentioned)\b|^{SUBJECT}{_BE} {_SEEN} known to (?:me|us)\b|^{SUBJECT}{_BE} {_SEEN} something (?:that )?(?:i|we) (?:can|could|have|know|am|are)\b",
    rf"^(?:(?:the|available|provided|given|existing) ){{0,2}}(?:evidence|information|info|data|details?|contexts?)\b.{{0,60}}? ?(?:{_BE} )?(?:insufficient|inconclusive|inadequate|lacking|too (?:limited|scarce|vague))\b|^(?:[\w'-]+ ){{1,4}}not (?:{SAID}|given|disclosed|reported)(?:$| {IN_SOURCE})",
    rf"^(?:data|info|information|details?|answer) (?:not|un)[ -]?(?:{HELD}|{SAID})\b",
)
UNCLEAR: Final = loose(
    "it cannot be told",
    rf"^it {_BE} (?:(?:not|un) ?(?:clear|certain|possible|feasible|evident|apparent|obvious|sure)|impossible|unspecified|unstated|ambiguous|un(?:answerable|determined))(?:$| (?:from|if|whether|who|what|which|when|where|why|how|in|based|given|for me)\b| to (?:me|us)\b| to (?:{LEARN})\b)",
    r"^it would be (?:impossible|speculative)\b",
    rf"^it (?:{_BE}|would be) (?:not easy|hard|difficult|tough|tricky)(?: for me)? to (?:{HARD})\b",
    rf"^(?:{_ONE}) {_BE} (?:unclear|unanswerable|impossible to (?:{LEARN})\b|(?:difficult|hard) to (?:{HARD})\b|undetermined|uncertain|unspecified|unrelated|irrelevant|not (?:related|relevant|answerable))\b",
    rf"^{SUBJECT}(?:can neither be|can be neither) (?:{LEARNT})\b|^(?:undetermined|unspecified|undisclosed|unstated)(?:$| (?:{IN_SOURCE}|from|based))",
    r"^(?:more|additional|other) (?:\w+ )?(?:information|context|details?|data|documents?|documentation) (?:would be |will be |is |are |may be )?(?:needed|required|necessary)(?:$| (?:to|in order to|for|before) .{0,20}(?:answer|determine|say|tell|provide|help|assess|give))",
    rf"^{SUBJECT}(?:can not|could not) be (?:[\w-]+ )?(?:{LEARNT}) (?:{IN_SOURCE}|without|here\b|(?:from|using|with|based on|on the basis of) (?:the|this|these|what))",
    rf"^{SUBJECT}{_BE} (?:unclear|unknown|not (?:clear|known|certain)|uncertain) (?:{IN_SOURCE}|from)\b",
    rf"^(?:{_ONE}) (?:does not|do not) (?:relate|pertain|match|correspond|make sense|fit|have an answer|have a)\b",
)
UNANSWERABLE: Final = firm(
    "the question cannot be answered",
    r"^(?:the|this|your) question\b.{0,60}? remains? (?:open|unanswered|unresolved|unclear)\b",
    r"^(?:answering|determining|establishing|identifying|calculating|confirming|(?:the|an) answer)\b.{0,60}? would (?:require|need)\b",
    rf"^(?:{_ONE})? ?(?:is |remains )?(?:therefore )?(?:unanswer\w*|not answerable)\b",
    rf"^(?:{_ONE}) (?:can not|could not|may not) be (?:{LEARNT})\b",
    r"^it (?:is|was) (?:not possible|impossible)(?: for me)? to (?:answer|determine|say|tell|know|provide|give|identify)\b",
)
FAILURE: Final = loose(
    "an error in the place of an answer",
    r"^an? (?:\w+ )?error (?:has )?occurred(?:$| while (?:generating|processing|retrieving|answering|fetching|searching))|^something went wrong\b|^(?:the |our )?(?:service|model|system|server|request|api) (?:is|was|has|could|timed|failed)\b.{0,30}(?:unavailable|overloaded|busy|down|time[dr]? ?out|not be (?:processed|completed)|failed)",
)
MISMATCH: Final = loose(
    "the source is about something else",
    r"^(?:the|your|this|while the|while your) (?:question|query) (?:(?:is|was|be) about|asks?|concerns|relates|refers|seems)\b",
)
SOURCED: Final = loose(
    "it cannot be told from the source",
    rf"^{SUBJECT}(?:remains? |{_BE} )(?:unclear|unknown|uncertain|not (?:clear|known|certain|{SAID}|given|disclosed|documented|named|identified|listed|provided here)|unspecified|unstated|nowhere)\b",
    rf"^{SUBJECT}(?:can not|could not) be (?:[\w-]+ )?(?:{LEARNT})\b",
)
LEFT_OUT: Final = loose(
    "it is not said",
    rf"^(?:(?:the|these|those|this|that|any) )?[\w'-]+(?: [\w'-]+){{0,6}}? {_BE} {_SEEN} (?:{HELD})$|^there {_BE} no (?:records?|trace|sign) of\b",
    r"^no [\w'-]+(?: [\w'-]+){0,3}$",
)
FOLLOWS: Final = loose(
    "the source does not say",
    rf"^(?:it|they|none|neither|both|these|that|he|she)? ?{NOT} (?:{SAY}|contain|include|provide|give|offer|cover)\b",
    rf"^(?:it|they) never (?:{SAYS})\b",
    r"^(?:(?:it|they) )?(?:leaves? out|omits?|skips?|lacks?)\b",
    r"^(?:found|saw|see|came across) (?:no|nothing|neither|none)\b",
    r"^(?:it|they) (?:says?|mentions?|gives?|provides?|contains?|offers?) (?:nothing|no|neither|insufficient)\b",
    rf"^(?:none|neither|nothing)\b(?: of (?:them|these))?.{{0,30}} (?:{SAYS})\b",
    r"^(?:it|they) (?:is|are|were|was) not (?:about|related|relevant|clear|sufficient|enough)\b|^not with\b|^not (?:in|of|about|the|its|his|her|their|a|an|how|when|who|what|where|why|which|whether|any|for|on)\b",
    rf"^no (?:[\w'-]+ ){{1,4}}?{_BE} (?:{SAID}|{HELD})$|^(?:nothing|none) (?:about|on|regarding|concerning|for)\b",
    r"^(?:gives?|provides?|mentions?|states?|names?|specif(?:y|ies)|offers?|contains?|includes?|lists?|says?) (?:no|nothing)\b",
    r"^(?:makes?|with|gives?|without) no (?:mention|reference|indication|information|details?)\b|^without (?:specifying|mentioning|stating|giving|saying|indicating|providing|naming|explaining|going into)\b",
)

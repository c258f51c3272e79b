"""English: how its refusals are built."""

# ruff: noqa: E501 - a pattern is read as one line

import re
from typing import Final

from otel_ragfault.judging.refusals.english_refusals import (
    FAILURE,
    FOLLOWS,
    LEFT_OUT,
    MISMATCH,
    NONE,
    NOT_KNOWN,
    NOT_SAID,
    SOURCE,
    SOURCED,
    SPEAKER,
    UNANSWERABLE,
    UNCLEAR,
)
from otel_ragfault.judging.refusals.english_words import (
    ANY_SOURCE,
    REST,
    SAID,
    THE,
    THE_SOURCE,
)
from otel_ragfault.judging.refusals.language import Language, any_of, words

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
_BEEN: Final = re.compile(
    r"\b(has|have|had) not been (?!(?:disclosed|announced|released|published|revealed|confirmed|pro)\w*)"
)
_BE: Final = {"has": "is", "have": "are", "had": "was"}
_IS: Final = re.compile(r"\b(it|that|there|this|here|what|who|which|answer|question)'s\b")
_FILLERS: Final = re.compile(
    r"(?<!, )\b(?:currently|really|actually|simply|just|explicitly|directly|specifically|clearly|even|yet|fully|necessarily|"
    r"sufficiently|at this time|at the moment|at present|right now|presently|also|either|further|itself|themselves|"
    r"definitively|accurately|reliably|confidently|honestly|personally|unfortunately|sadly|regrettably|still|"
    r"(?:seem|appear)s? to|seem|quite|entirely|exactly|precisely|immediately|always|anywhere|somehow|truly|"
    r"readily|adequately|readily|obviously|conclusively|with (?:any )?certainty|thus|therefore|hence) ?\b"
)


def _prepared(text: str) -> str:
    for short, long in _SHORT_FORMS:
        text = text.replace(short, long)
    text = _BEEN.sub(lambda found: f"{_BE[found[1]]} not ", _IS.sub(r"\1 is", text))
    return _FILLERS.sub("", text) if text.count(" ") > 1 else text


ENGLISH: Final = Language(
    name="en",
    words=words(
        "the of and to in is that it for on are with not you be this as or from by at was an have i can do but what no does if there"
    ),
    prepare=_prepared,
    cue=re.compile(
        r"n't\b|\bcannot|truncated|\boff\b|please|clarify|specify|\bnot\b|\bno\b|\bun\w|\bin(?:suff|adeq|appro|concl)|nothing|none|neither|never|nowhere|declin|refus|rather|prefer|outside|beyond|"
        r"out of|lack|fail|trouble|empty|short|prevent|forbid|prohibit|guess|speculat|different|another|blank|at a loss|error|wrong|above my|having|question|impossible|difficult|hard to|silent|missing|absent|omit|only|regret|irrelevant|need|require|abstain|refrain|limited|"
        r"against|violat|ambiguous|leaves?|mute|vague|avoid|without|wrong|omitted|pass on|improper|leave out|left out|open\b|would require|around"
    ),
    bare=re.compile(
        rf"^(?:i )?(?:unanswerable|n/?a|unknown|none(?: (?:found|given|mentioned|available|provided|stated|listed|specified))?|null|nil|nan|not in (?:the )?(?:context|text|documents?|passages?|sources?)|(?:0|zero|no (?:\w+ )?)(?: )?(?:results|matches|hits|documents)(?: found)?|idk|beats me|(?:not |un|in)determinable|dunno|unclear|uncertain|unsure|pass|no comment|no clue|"
        rf"not (?:{SAID}|given|provided|available|found|listed|disclosed|documented|known|reported|applicable|sure|clear|known|answerable|certain|enough (?:information|info|context|data|evidence|details?))|"
        rf"no (?:answer|information|info|idea|data|result|match|response|context|evidence|mention|details?|clue|record)(?:e?s)?(?: (?:found|given|available|provided|possible))?|"
        rf"(?:insufficient|not enough|inadequate) (?:information|info|data|evidence|context|details?)|"
        rf"(?:data|information|answer|details?) (?:not|un) ?(?:available|found|provided|given|specified|known)|(?:can not|could not|unable to) ?(?:answer|say|tell|determine)|noanswer|\?+|-+)$"
    ),
    lead=re.compile(
        r"(?:"
        r"(?:i am|we are)?(?: (?:very|so|really|terribly|truly|deeply))? ?(?:sorry|afraid)(?: (?:for|about) (?:that|any [\w ]{1,30}|the (?:confusion|inconvenience)))?(?: to say)?(?: that(?= (?:i|the|this|there|we|it|no|your|my|our)\b))?|"
        r"(?:i|we|my|our)?(?: (?:do|must|sincerest|deepest|sincere))*? ?(?:sincerely |sincere )?apologi(?:[sz]e|es)(?: for (?:the|any|this|that)\b[\w ]{0,40})?|"
        r"unfortunately|regrettably|sadly|alas|oops|well|hm+|currently|at (?:this time|present)|to be honest|honestly|yes|sure|certainly|of course|ok(?:ay)?|nope|no(?=,)|"
        r"(?:i|we) (?:must|have to|should|need to|will) (?:admit|confess|say|be honest)(?: that)?|"
        r"(?:i )?(?:regret|hate) to (?:say|inform you|tell you)(?: that)?|"
        rf"(?:based|relying|going|judging)(?: solely| only| purely| strictly| exclusively)? (?:up)?(?:on|by|from) [^,]{{0,80}}?(?:{ANY_SOURCE}|knowledge|have|given|provided)\b[^,]{{0,30}},|"
        rf"(?:based|relying)(?: solely| only)? (?:up)?on (?:{THE} )?(?:[\w'-]+ ){{0,3}}?{ANY_SOURCE}(?: (?:provided|given|above|available|retrieved))?|"
        rf"(?:according to|from|in|within|given(?: only| just| solely)?|after (?:reviewing|checking|searching|reading|analy[sz]ing)|looking at|per|as per|having (?:reviewed|read|checked)) (?:the|this|these|my|our|your|what)\b[^,]{{0,80}}?(?:{ANY_SOURCE}|have|given|provided)\b[^,]{{0,40}},|"
        r"(?:as of|since) my (?:(?:last|latest|most recent|knowledge|training) )+(?:update|training|cut-?off)\b(?: (?:in|date) [^,]{1,30})?,?|"
        r"(?:as of|as far as|to (?:the best of )?my|from what|to my|for now|at least|in my)\b[^,]{0,60},|(?:from|with|going by) (?:the|this|these|those|what) [^,]{0,60}(?:alone|only),|"
        rf"(?:from|in|based on|according to) {THE} (?:[\w'-]+ ){{0,2}}?{ANY_SOURCE}(?: alone| provided)?,?(?= (?:it|i|one|we|there|you) )|"
        r"(?:to avoid|rather than|instead of) [^,]{1,80},|"
        r"without (?:any |more |additional |that |access to |the |seeing |knowing )*[^,]{1,60},|"
        r"as an? (?:ai|assistant|(?:large )?language model|artificial intelligence|chatbot|virtual assistant|text-based)\b[^,]{0,40},?|"
        r"thank(?:s| you)(?: (?:for|so much) [^,]{0,40})?|(?:hi|hello|hey)(?: there)?|(?:final |short )?answer(?: is)?|response|(?:the|my) answer(?: is(?! (?:not|un|in)\w*)|(?= *$))|a:|"
        r"(?:it (?:seem|appear|look)s?(?: like)?|i think|i believe|it is clear|i would say|it is worth noting|it should be noted|it is important to note|(?:it )?appears)(?: that)?(?= )|"
        r"and|so|therefore|then|thus|hence|consequently|as a result|overall|in (?:conclusion|summary|short)|to conclude|please note(?: that)?|note that|since|because|as such|as|given that|for this reason|accordingly|"
        r"(?:specifically|additionally|furthermore|moreover|also|in addition|finally|lastly|in fact|interestingly|similarly)"
        r")(?:[,;:.!-]+\s*|\s+|$)"
    ),
    sourced=re.compile(
        rf"(?:based|relying|according|from|in|within|given|after|looking|per|as per|having|judging|going)\b.{{0,90}}\b(?:{ANY_SOURCE}|given|provided|have)\b"
    ),
    opening=any_of(
        r"^(?:you (?:asked|are asking|want(?:ed)?|would like|mentioned)|(?:the|your|this) (?:question|query|user) (?:is|be|asks?|assumes|seems|refers?|concerns|presupposes|implies|mentions))\b",
        r"^i am (?:programmed|designed|built|trained|made|only|merely)\b",
        r"^(?:i|we) (?:understand (?:that|your)|appreciate|see that you)\b",
        r"^(?:i|we) (?:must|have to|should|will|need to|would|can only) (?:respond|reply|answer|say|state|conclude)(?: with| that| by saying| as follows)?$",
        r"^(?:the|my|our) (?:[\w-]+ ){0,2}?(?:data|information|documents?|sources?|knowledge|records?|context|training|files?|reports?)\b[^,]{0,40} (?:ends?|stops?|(?:only )?(?:goes?|extends?|runs?|reaches?)(?: only)?(?: up)? (?:to|until|through|as far as))\b",
        r"^(?:i (?:would|wish|want)|we would) (?:love|like|be happy|be glad|i could|to help|i had)\b",
        r"^let(?:'s| me| us)\b|^(?:(?:that|this) is an? )?(?:great|good|interesting|excellent|tricky|tough|fair|important) question\b|^(?:thank|hello|hi|hey|dear|welcome)\b|^i (?:am )?(?:here to|an? (?:ai|(?:large )?language model|\w+ (?:assistant|bot|chatbot)))\b",
        r"^(?:question|answer|context|response|explanation|reasoning|note|sources?|references?)$|^here (?:is|are)\b.{0,100}$|^(?:sure|yes|ok|okay|certainly|of course)$|^how (?:can|may) i\b",
    ),
    split=re.compile(
        r"(?P<turn>\s*,?\s+(?:but|however|although|though|whereas|nevertheless|nonetheless|yet|still)\b(?: (?:that said|instead|still|rather))?,?\s+|^(?:however|but|that said|nevertheless|nonetheless|instead|still|that being said|having said that|with that said|on the other hand|in general|generally|typically|usually)\b,?\s+|\s+- (?=\w))|"
        r"(?P<so>\s*,?\s+(?:so|and so|therefore|and therefore|thus|hence|which means(?: that)?|meaning(?: that)?)\b,?\s+(?!(?:that|much|many|far|long|on|called|often|few|little|as)\b))|(?P<end>,?\s+(?:as|because|since)\s+(?=i |it is not|the |there |no |they |this |these |neither|none)|,?\s+and\s+(?=i |there |could not|can not|found (?:nothing|no)|none |neither |nothing |no (?:mention|information|answer)|(?:gives?|makes?|provides?|offers?|contains?|mentions?|says?) (?:no|nothing)\b)|,\s+(?:and|which|or|while|nor)\s+(?=i |it |they |there |the |your |do|no |is not|are not|none|neither|nothing|unable|can not|could not|not )|,\s+(?=i (?:can|could|do|am|have)\b|nor |not |making )|\s+(?=without (?:giving|specifying|mentioning|stating|saying|providing|indicating|naming|explaining|going into))|\s+and (?=(?:do|does|did|can|could|is|are) not (?:\w+ )?(?:mention|say|specify|state|provide|contain|give|address|answer|include|discuss|explain|indicate|describe)))"
    ),
    against=re.compile(
        r"\bhowever\b|\b(?:it|text|passage|document|context|article|they) (?:does|do) (?:say|state|mention|note|indicate|explain|suggest|tell)\b"
    ),
    conclusion=re.compile(
        r"^(?:therefore|so|thus|hence|in conclusion|overall|as a result|consequently|for (?:this|that|these) reasons?|accordingly|in summary|to conclude|since|as such)\b|"
        r"\b(?:the|this|your) question\b|"
        r"\b(?:unable to|can ?not|can't) answer\b|\b(?:therefore|thus|hence)\b"
    ),
    explains=re.compile(
        r"\bbecause (?:it|he|she|they|there (?:is|are|was|were))\b(?!.{0,60}\b(?:not|only|focus\w*|lacks?|no|limited|mention\w*|discuss\w*|describ\w*)\b)"
    ),
    conceding=re.compile(
        r"^(?:while|although|though|even though|whereas|despite|since|because|as|given that|whilst)\b"
    ),
    condition=re.compile(
        r"^(?:(?:when|where)(?!.* (?:is|are|was|were) not (?:stated|said|mentioned|given|specified|known|clear|described)\b[^,]*$)|if|whenever|unless|once|in case|until|provided that|should (?:you|the|it)|for (?:those|anyone) who)\b"
    ),
    refuses=(SPEAKER, UNANSWERABLE, NOT_KNOWN, SOURCE, NONE, NOT_SAID, UNCLEAR, FAILURE),
    follows=(FOLLOWS,),
    of_topic=(LEFT_OUT, MISMATCH),
    of_source=(SOURCED,),
    about=any_of(
        r"^i (?:was|am|have been) (?:asked|told|instructed|required|supposed)\b",
        r"^there (?:is|are) (?:(?!no\b|not\b)\w+ )?(?:mentions?|references?|discussions?|information|details) (?:of|to|about|on)\b(?!.*\b(?:which|that) (?:is|are|was|were|means?|stands?|says?|states?)\b)|^i (?:can |do )?(?:see|found|find) (?:\w+ )?(?:references?|mentions?|information|documents?|passages?|articles?|results|sections?|polic(?:y|ies)|reviews?|guides?|entr(?:y|ies)|tickets?|e-?mails?|pages?|reports?|papers?|studies|items?|files?|matches)\b",
        rf"^(?:{THE_SOURCE}){REST} (?:has|have|holds?) (?:\w+ ){{0,2}}?(?:articles?|sections?|entr(?:y|ies)|documents?|pages?|chapters?|guides?|tables?) (?:about|on|for|of|covering|describing)\b",
        r"^(?:i|we) (?:have |just )?(?:searched|looked|checked|reviewed|read|scanned|went|examined|gone|consulted|carefully|combed)\b(?!.{0,30}(?:: |your (?:account|order)))",
        rf"^(?:{THE_SOURCE}|(?:passage|document|source|text|chunk|article|context|excerpt|paragraph)s? ?(?:\d+|[a-d]|one|two|three)?|the (?:first|second|third|other|last|only|results)(?: [\w-]+)?|it|they|these|those|both|each|all(?: of them)?|most(?: of)?(?: \w+)*|\[\d+\](?: and \[\d+\])?|what)\b{REST} (?:only|solely|merely|mainly|mostly|primarily|instead|rather|exclusively|briefly|generally)\b",
        rf"^(?:{THE_SOURCE}|(?:passage|document|source|text|chunk|article|context|excerpt|paragraph)s? ?(?:\d+|[a-d]|one|two|three)?|the (?:first|second|third|other|last|only)(?: [\w-]+)?|it|they|these|those|both|each|all(?: of them)?|\[\d+\](?: and \[\d+\])?|most of (?:it|them))\b{REST} (?:(?:is|are|was|were|seems? to be) (?:all |mostly |mainly |just )?(?:about|related|focused|concerned|limited|on|from|dealing|centered|a (?:general|list|description))|(?:discuss(?:es)?|talks? (?:about|of)|speaks? (?:about|of)|focus(?:es)?(?: on)?|deals? with|describes?|covers?|concerns?|centers?|relates? to|revolves?|refers? to|addresse?s?|explores?|touch(?:es)?|(?:mentions?|provides?|gives?|contains?|includes?|explains?|offers?|outlines?|details?|lists?|highlights?|presents?)(?! that\b| (?:\w+ ){{0,3}}(?:is|are|was|were|must|should|can)\b)))\b",
        r"^(?:this|that|it|the answer|the [\w ]{1,40}) (?:will|would|may|can|could)? ?(?:depends?|var(?:y|ies))\b|^(?:the|your) question (?:is|was|asks|seems|relates|refers)\b|^the requested\b|^it (?:is|may be|might be) possible (?:that )?(?:it|this|the|there|you)\b|^.{1,60} (?:can|could|may) (?:stand for|mean|refer to) (?:several|many|different|various|multiple)\b",
    ),
    tells=any_of(
        rf"^(?:{THE_SOURCE}|(?:passage|document|source|text|chunk|article|context|excerpt|paragraph)s? ?\[?(?:\d+|[a-d]|one|two|three)\]?|it|they|these|both|each|\[\d+\])\b{REST} (?:is|are|states?|says?|mentions?|notes?|explains?|indicates?|describes?|discuss(?:es)?|compares?|reports?|shows?|lists?|gives?|provides?|covers?|contains?|includes?|outlines?)\b",
    ),
    redirect=any_of(
        r"^(?:so )?(?:please|kindly|feel free|contact|consult|try|visit|refer to|reach out|see (?:the|our|your)|ask (?:a|an|your|the)|check (?:with|the|our|your)|do not hesitate|if possible|perhaps try|maybe)\b",
        r"^you (?:would |will )?(?:have|need) to (?:ask|contact|check|consult|call|speak|talk|see|look|provide|search|refer)\b",
        r"^(?:you|one|users?|readers?|customers?|patients?) (?:can|could|may|might|should|will|would|must)(?: (?:also|want to|need to|wish to|have to|like to|try|consider|always|still|better|be able to))* ?(?:to )?(?:contact|consult|check(?:ing)? (?:with|the (?:website|official|manufacturer|manual|company|hotel|source|document))|refer|reach|ask|visit|look (?:up|at|it|for|elsewhere)|search|find (?:it|this|that|more|the|out|information|them)|provide|call|speak|talk|seek|see|verify|get in touch|rephrase|research|email|write)\w*\b",
        r"^(?:i|we) (?:would |can |could |will |am |do |strongly |'d )*(?:recommend|suggest|advise|encourage|happy|glad|help|be (?:happy|glad)|try|assist|be able|here|only|answer|provide)\w*\b",
        r"^it (?:is|would be|might be|may be) (?:always |also )?(?:best|advisable|recommended|helpful|better|necessary|a good idea|advised|suggested|important|worth|wise|useful|prudent)\b.{0,20}\b(?:contact|consult|check with|refer|reach|ask|speak|seek|look|provide|visit|verify|consider|note)",
        r"^(?:for|to (?:get|find|obtain|learn|answer|determine|be sure|confirm|know|help|provide)) .{0,120}(?:contact|consult|refer|check|visit|ask|reach|need|require|see|provide|look|would|speak)\w*\b",
        r"^if (?:you|there|possible|the|this|anyone|more|that|so)\b.{0,160}(?:\b(?:i (?:can|will|would|may|might|could|am)|let me|please|feel free|happy|contact|consult|provide|share|ask|refer)\b)|^if you (?:have|need|can|could|would|provide|share|want|let|tell|give|wish)\b",
        r"^(?:an?|the|your|our) (?:[\w-]+ ){1,4}(?:can|could|will|would|may|might|should) (?:be able to )?(?:help|assist|advise|tell you|answer|give you|confirm)\b",
        r"^(?:this|that|it) (?:is|would be|sounds like|might be|seems) (?:best|better|more)? ?(?:a (?:question|matter|topic)|something|answered|one|a good question) (?:best )?(?:for|by|that|to|you)\b",
        r"^(?:is there|would you|do you (?:want|need|have any other)|can i|may i|shall i|how (?:else )?(?:can|may) i|what else|anything else|are you|could you|can you|did you)\b|^(?:otherwise|meanwhile)\b|^(?:the|your) (?:\w+ ){0,3}(?:team|doctor|pharmacist|support|lawyer|attorney|dealer|manufacturer|website|manager) (?:can|may|might|will|should|would)\b",
        r"^i have (?:passed|forwarded|escalated|noted|flagged|logged|created|opened|sent)\b|^(?:a|your) (?:support )?(?:ticket|request|question) has been\b",
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
        r"^to (?:answer|help|assist|give|find|look|proceed|check|continue)\b.{0,60}\b(?:i|we) (?:would |will )?need\b|^(?:i|we) (?:just |would |will )?need (?:to know(?:$|[:,]| (?:your|which|what|whether|if|how|when|where|more)\b)|your\b)",
        r"^(?:which|what|who|when|where|how (?:many|much|old|long|often))\b.{0,100}\b(?:do|did|are|were|would|have) you\b|\bdo you mean\b|\bare you (?:asking|referring|looking|interested|talking|using)\b|\bdid you mean\b",
    ),
)

"""How English answers refuse, as regular expressions over one sentence.

They describe the construction of a refusal (who cannot do what; what the source does not do; what there is none of),
not sentences of any one model. A sentence arrives in lower case, with plain quotes and single blanks, without leading
apologies and sources ("i'm sorry, but", "based on the context,"); ``^`` is its first word after those.
"""

# ruff: noqa: E501 - a pattern is read as one line

from typing import Final

_HOW = (
    r"(?:(?:currently|unfortunately|really|actually|simply|just|explicitly|directly|specifically|clearly|even|yet|"
    r"necessarily|sufficiently|fully|at this time|seem to|appear to) )*"
)
_NOT = r"(?:do not|don't|did not|didn't|does not|doesn't)"
_CANNOT = (
    r"(?:can ?not|can't|could not|couldn't|will not|won't|(?:am|are|was|were|is|'m|'re)(?: not able| unable) to|"
    r"(?:am|are|was|were|'m|'re)n?'?t? (?:not )?able to)"
)
_INFORMATION = (
    r"(?:information|info|details?|data|context|knowledge|evidence|answers?|mention|records?|references?|indication|"
    r"documents?|results?|guidance|specifics)"
)
_KNOWLEDGE = (
    r"(?:information|info|data|context|knowledge|evidence|answers?|mention|reference|indication|guidance|specifics)"
)
_ABOUT = (
    r"(?:about|on|in|for|regarding|to|of|that|available|provided|given|found|whether|as to|related|concerning|here|"
    r"(?:is|was) (?:available|provided|given|found))"
)
_SOURCE = (
    r"(?:contexts?|documents?|documentation|passages?|texts?|sources?|materials?|excerpts?|articles?|"
    r"(?:search|retrieved) results?|results|knowledge base|content|snippets?|paragraphs?|chunks?|sections?|information|"
    r"handbook|manual|polic(?:y|ies)|guidelines?|records?|files?|pages?)"
)
_SAY = (
    r"(?:mention|specify|state|say|contain|provide|give|answer|address|discuss|describe|indicate|explain|reveal|"
    r"disclose|list|cover|include|have|offer|clarify|detail|define)"
)
_SAID = (
    r"(?:mentioned|specified|stated|said|contained|provided|given|answered|addressed|discussed|described|indicated|"
    r"explained|disclosed|listed|found|available|included|present|clear|clarified|detailed|defined|documented)"
)
_OF_SOURCE = (
    rf"(?:(?:provided|given|available|retrieved|above|supplied|relevant|current|following|attached) )*{_SOURCE}"
)

REFUSAL_PHRASES: Final = (
    # Somebody says "I do not know".
    rf"/^(?:i|we) {_HOW}{_NOT} {_HOW}know\b/",
    r"/^(?:i am|i'm|we are|we're) not (?:sure|certain|aware)\b/",
    r"/^(?:i|we) have no (?:idea|knowledge|information|access|data|record)\b/",
    # Somebody cannot do what was asked.
    rf"/^(?:i|the assistant|this assistant) {_HOW}{_CANNOT} {_HOW}\w+/",
    r"/^(?:i'm|i am) (?:not able|unable) to \w+/",
    rf"/^(?:we|we're|we are) {_HOW}(?:{_CANNOT}|not able to|unable to) {_HOW}(?:find|answer|locate|determine|confirm|help|assist|say|tell)\b/",
    rf"/^(?:i|we) {_HOW}(?:{_NOT}|{_CANNOT}) {_HOW}(?:find|see|locate)\b/",
    rf"/^i {_HOW}{_NOT} {_HOW}have (?:[\w'-]+ ){{0,3}}?{_INFORMATION}\b/",
    rf"/^(?:i|we) {_HOW}{_NOT} {_HOW}have (?:(?:enough|sufficient|any|access|the|specific|that|this|such|real-time|more|further|relevant|to|adequate|an?) )+.*{_INFORMATION}\b/",
    r"/^(?:i|we) (?:do not|don't) have (?:access|that information)\b/",
    r"/^i(?:'d| would| must| have to| will)? (?:rather not|prefer not to|have to decline|need to decline|must decline|decline)\b/",
    r"/^(?:unable|not able) to (?:answer|find|determine|locate|provide|help|assist)\b/",
    r"/^(?:this|that|it|your question|the question|the request)(?: is|'s) (?:outside|beyond|out of)\b/",
    # The source does not say it.
    rf"/^(?:the|this|that|these|those|your|our|none of the|neither) (?:[\w'-]+ ){{0,5}}?{_SOURCE}\b.{{0,60}}? (?:{_NOT}|can ?not|can't|fails? to|lacks?) {_HOW}{_SAY}(?:\b(?! (?:for|by)\b).*)\b(?:{_INFORMATION}|whether|how|what|when|where|which|who|why|if|any|anything|the answer|(?:specific|exact|explicit)\w*)\b/",
    rf"/^(?:the|this|that|these|those) (?:[\w'-]+ ){{0,5}}?{_SOURCE}\b.{{0,60}}? {_NOT} {_HOW}(?:mention|specify|state|say|address|discuss|describe|indicate|explain|answer|clarify)\b/",
    rf"/^(?:the|this|that) (?:[\w'-]+ ){{0,5}}?{_SOURCE} (?:is|are|was|were) (?:not|in)sufficient\b/",
    # There is none of it.
    rf"/^(?:there (?:is|are|was|were)|there's|there (?:is|are)(?:n't| not)|i (?:found|see|have)) (?:no|not enough|enough|any|not any|insufficient|nothing) (?:[\w'-]+ ){{0,3}}?(?:{_KNOWLEDGE}(?:$| {_ABOUT}\b)|(?:[\w'-]+ ){{0,6}}?(?:in|within|from) (?:the|this|these|your|my|our) {_OF_SOURCE}\b)/",
    rf"/^(?:no|not enough|insufficient|nothing) (?:[\w'-]+ ){{0,3}}?{_KNOWLEDGE}(?:$| {_ABOUT}\b| .{{0,60}}?\b(?:is|are|was|were) (?:available|provided|found|given)\b)/",
    rf"/^no (?:[\w'-]+ ){{0,3}}?{_INFORMATION} .{{0,60}}?\b(?:is|are|was|were|could be) (?:available|provided|found|given)\b/",
    # It was not said there.
    rf"/^(?:[^,;]{{1,120}} )?(?:is|are|was|were|isn't|aren't|has|have)(?: not|n't| not been)? {_HOW}(?<=n't |not |een ){_SAID}\b.{{0,30}}?\b(?:in|by|within|from|by) (?:the|this|that|any|these|your|our|my) {_OF_SOURCE}\b/",
    rf"/^(?:it|this|that|the answer|the question|your question|this question)(?: is|'s) not (?:{_SAID}|possible to (?:answer|determine|say|tell))\b/",
    r"/^(?:it|this|that|the answer|the question|your question|this question) (?:can ?not|can't|could not) be (?:answered|determined|found|inferred|verified|established)\b/",
    r"/\b(?:can ?not|can't|could not) be (?:answered|determined|inferred) (?:from|based on|using|with) (?:the|this|that|these)\b/",
    r"/^(?:it|this|that|the question|this question|the answer)(?: is|'s) (?:unclear|unanswerable|unknown|impossible to|difficult to (?:say|tell|answer|provide|determine))\b/",
    rf"/^(?:the answer|this|that|it|this information|the information)(?: is| was)(?: not|n't) (?:\w+ )?(?:in|part of|within) (?:the|this|these|your|my|our) {_OF_SOURCE}\b/",
    rf"/^(?:the|this|that|such) information\b.{{0,60}}? (?:is|was)(?: not|n't) {_HOW}{_SAID}\b/",
    rf"/^[^,;]{{1,120}} (?:is|are|was|were)(?: not|n't) {_HOW}covered (?:in|by) (?:the|this|these) (?:(?:provided|given|available|retrieved|above|supplied) )+{_SOURCE}\b/",
    # One word for all of it.
    r"/^(?:i )?(?:unanswerable|n\/a|unknown|not (?:specified|stated|mentioned|found|available|provided|applicable)|no answer(?: found)?|idk|no idea|no comment|none found)$/",
)
"""The phrases that make a refusal unless the configuration names others."""

"""The words of English refusals: sources, what is said of them, what the speaker cannot do. Patterns without anchors."""

# ruff: noqa: E501 - a list of words is read as one line

from typing import Final

GIVEN: Final = (
    r"(?:provided|given|supplied|available|retrieved|above|presented|shared|uploaded|attached|listed|indexed|source)"
)
TEXTS: Final = r"(?:contexts?|passages?|texts?|excerpts?|extracts?|snippets?|documents?|documentation|docs|sources?|(?:source )?materials?|articles?|paragraphs?|chunks?|(?:search|query|retrieval) results|(?:provided|given|retrieved|returned|above|these) results|knowledge base|information|content|corpus|notes)"
"""Words for what a pipeline hands to its model: whatever they do not say, the answer cannot say."""
WORKS: Final = r"(?:handbook|manual|polic(?:y|ies)|guidelines?|guide|reports?|papers?|stud(?:y|ies)|abstract|authors?|brochure|leaflet|label|contract|agreement|lease|statutes?|judge?ment|ruling|filing|10-[kq]|prospectus|statement|readme|changelog|release notes|faqs?|help (?:articles?|cent(?:er|re)|pages?)|website|web ?page|page|listing|description|spec(?:s|ifications?)|catalog(?:ue)?|itinerary|timetable|schedule|confirmation|invoice|reviews?|records?|summary|chart|table|book|chapter|section|data(?:set| ?sheet|base)?|files?|transcript|thread|post|reference|clause|annex|archive|minutes|instructions|wiki|interviews?|minutes|memo|survey|speech|lecture|talk|presentation|video|recording|podcast|appendix|deck|slides?|syllabus|tutorial|example|quote|trace|log|terms|details|facts|e-?mails?|messages?|tickets?|history|protocol|code|script|forms?|images?|figures?|diagrams?|attachments?|scans?|plan|calendar|inventory|rules?|regulations?|directive|bill|budget|map|menu|pdfs?|entr(?:y|ies)|registry|notice|bulletin|newsletter|announcement|press release|profile|biography|obituary|encyclop[ae]+dia|pamphlet)(?:e?s)?"
"""Words for works that are quoted as sources and are also things of the world: they must fail to *say* something."""
ANY_SOURCE: Final = rf"(?:{TEXTS}|{WORKS})"
INFORMATION: Final = r"(?:information|info|details?|data|context|knowledge|answers?|mentions?|records?|references?|indications?|guidance|specifics|documentation|clues?|hints?|explanation|statement|material|facts?|evidence|anything|background|descriptions?|discussion|definition|insights?|particulars)"
ASKED: Final = rf"(?:{INFORMATION}|breakdown|whether|how|what|when|where|which|who|why|if|anything|enough|(?:specific|exact|explicit|precise|concrete|direct|clear|definitive|sufficient)\w*|figures?|numbers?|dates?|names?|reasons?|values?|(?:list|amount|mass|price) of|(?:clause|section|provision|chapter|entry|paragraph|passage|definition|rule|guidelines?) (?:on|about|for|that|regarding|dealing|covering|of))"
THE: Final = r"(?:the|this|these|those|that|your|my|our|any of the|all of the|both|either of the)"
THE_TEXT: Final = rf"(?:{THE} (?:[\w'/-]+ ){{0,3}}?{TEXTS}|{GIVEN} {TEXTS}|(?:passages|documents|sources|contexts?|excerpts|search results))"
THE_WORK: Final = rf"(?:{THE} (?:[\w'/-]+ ){{0,3}}?{WORKS}|(?:section|chapter|page|article|clause|table|figure|paragraph|appendix|slide|schedule|annex) [\divx.]+)"
THE_PASSAGES: Final = r"(?:(?:the|these|this|those|all|both|my|your|our|any|no|none of the|neither of the) )?(?:[\w-]+ ){0,2}?(?:passages?|excerpts?|contexts?|snippets?|chunks?|search results|knowledge base|(?:provided|given|retrieved|supplied|uploaded) (?:[\w-]+ )?(?:documents?|texts?|materials?|sources?|information|content|articles?)|(?:documents?|texts?|materials?|sources?|information|content) (?:provided|given|supplied|retrieved|i have|you (?:gave|provided|shared)|at (?:my disposal|hand)|above))"
"""What is nothing but what a pipeline handed over: whoever speaks of it and denies something mostly refuses."""
THE_GIVEN_WORK: Final = rf"{THE} (?:[\w'/-]+ ){{0,2}}?(?:(?:{GIVEN} (?:[\w'/-]+ ){{0,2}}?{WORKS}|(?:provided|given|supplied|retrieved|attached|uploaded|shared) [\w'/-]+)|{WORKS} (?:{GIVEN}\b|(?:that )?(?:you|i|we) (?:have )?(?:been |was |were )?(?:provided|gave|given|shared|uploaded|posted|shown)))"
THE_SOURCE: Final = (
    rf"{THE} (?:[\w'/-]+ ){{0,3}}?(?:{ANY_SOURCE}|(?:provided|supplied|retrieved|attached|uploaded) [\w'/-]+)"
)
IN_SOURCE: Final = rf"(?:in|within|from|by|on|across|among|throughout|under|based on|on the basis of|using|with|given) (?:{THE_SOURCE}|(?:{GIVEN} ){TEXTS}|any of (?:{THE_SOURCE}|them)|what (?:i|we|is|was|has|you)\b)"
REST: Final = r"(?: (?!(?:that|which|who|if|says?|states?|said|must|whose|is|are|was|were|because|since|it|they|while|should|will|would|shall|may|requires?|allows?|lets?|means?|shows?)\b)[\w'\"()\[\]/&.-]+){0,9}?"
"""What may stand between a source and what it does not do (``the lease you uploaded does not``); no clause of its own."""
NOT: Final = r"(?:do not|does not|did not|have not|has not|can not|could not|will not|would not|never|fails? to|failed to|neglects? to|omits? to|neither)"
SAY: Final = r"(?:mention|say|state|specify|indicate|explain|address|discuss|clarify|tell|note|reveal|name|elaborate|describe|define|identif[yi]|go into|talk about|speak (?:of|to)|make (?:it )?clear|make (?:any )?(?:mention|reference)|touch (?:up)?on|refer to|answer|comment on|detail|list|record|report|show|break out|look at|disclose|confirm|establish|reference|cite|document|quantify|outline|expand on|shed (?:any )?light|focus on|deal with|spell out|point out|stipulate|capture|date|account for|compare|distinguish|differentiate|break down|analy[sz]e|evaluate|examine|go (?:that|so|this) far|help|pinpoint|quote|enumerate|itemi[sz]e|recount|summari[sz]e)"
SAYS: Final = r"(?:help|mention|say|state|comment|speak|touch(?:e)? on|consider|specif(?:y|ie)|indicate|explain|addresse?|discusse?|clarif(?:y|ie)|tell|note|name|describe|define|identif(?:y|ie)|answer|report|list|show|give|provide|contain|include|cover|touche?|deal|refer|look|talk|record|disclose|confirm|ha(?:s|ve)(?! been)|reveal|quantif(?:y|ie)|confirm|elaborate|is about|are about)s?"
HOLD: Final = r"(?:contain|include|provide|give|offer|have|cover|hold|present|supply|feature|carry|support)"
SAID: Final = r"(?:mentioned|specified|stated|indicated|explained|addressed|discussed|clarified|described|defined|detailed|spelled out|outlined|made clear|touched (?:up)?on)"
"""What only texts do: ``not stated`` alone says that the source is silent."""
HELD: Final = r"(?:given|provided|available|found|included|contained|covered|listed|documented|present|disclosed|reported|recorded|shown|named|identified|supplied|referenced|noted|there|part|located|known|part of)"
"""What other things do as well: ``not available`` refuses only together with a source, or said of information."""
LEARN: Final = r"(?:answer|determine|say|tell|know|find|locate|confirm|verify|identify|establish|infer|conclude|calculate|compute|ascertain|deduce|figure out|provide|give|offer|help|assist|respond|comment|advise|speculate|specify|judge|decide|assess|be (?:sure|certain)|draw|state|see|access|retrieve|discern|pinpoint|compare|explain|evaluate|summari[sz]e|describe|list|extract|look up|work out|recommend|suggest|guess|derive|interpret|make out)"
LEARNT: Final = r"(?:answered|determined|found|inferred|verified|established|identified|calculated|computed|confirmed|concluded|ascertained|deduced|located|known|told|said|given|derived|discerned|assessed|resolved|provided|estimated|decided|judged|extracted|gleaned|pinned down|pinpointed|worked out|made out|traced|recovered|told apart)"
HARD: Final = r"(?:say(?! (?:no|yes|goodbye)\b)|tell|determine|know|answer|provide|give (?:a|an|you|any)|be (?:sure|certain)|ascertain|conclude|draw)"
SUBJECT: Final = r"(?:(?!(?:when|if|unless|because|until|once|whose|where|since|so)\b)\S+ ){1,25}?"
"""A subject of any kind, without another clause that the predicate could belong to."""
DATUM: Final = r"(?:figure|number|date|name|amount|value|price|cost|reason|year|location|total|percentage|rate|duration|size|age|time|answer|explanation|author|definition|deadline|address|title)s?"
"""What questions mostly ask for: of these, *not given* or *omitted* is enough."""

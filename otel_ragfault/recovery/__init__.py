"""What no span says, recovered from texts: which chunks were ranked and reached the prompt, what the answer cites."""

from otel_ragfault.recovery.citations import Citations, leads_astray, map_citations
from otel_ragfault.recovery.ids import ChunkTexts, ToldIds, tell_ids
from otel_ragfault.recovery.prompt import DEFAULT_THRESHOLD, PromptMatch, match_prompt

__all__ = [
    "DEFAULT_THRESHOLD",
    "ChunkTexts",
    "Citations",
    "PromptMatch",
    "ToldIds",
    "leads_astray",
    "map_citations",
    "match_prompt",
    "tell_ids",
]

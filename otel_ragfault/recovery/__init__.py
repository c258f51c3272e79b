"""What no span says, recovered from texts: which chunks reached the prompt, and what the answer cites."""

from otel_ragfault.recovery.citations import Citations, map_citations
from otel_ragfault.recovery.prompt import DEFAULT_THRESHOLD, PromptMatch, match_prompt

__all__ = ["DEFAULT_THRESHOLD", "Citations", "PromptMatch", "map_citations", "match_prompt"]

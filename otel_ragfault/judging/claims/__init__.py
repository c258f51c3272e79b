"""Claims by rule: what words, values and their order decide of them; everything else is left to people and models."""

from otel_ragfault.judging.claims.check import Cut, Judgeable, Judged, judge_claims
from otel_ragfault.judging.claims.run import CLAIM_JUDGE_VERSION, judge_claims_of

__all__ = ["CLAIM_JUDGE_VERSION", "Cut", "Judgeable", "Judged", "judge_claims", "judge_claims_of"]

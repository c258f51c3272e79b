"""Verdicts by rule: is the answer right, is it a refusal, do the shown chunks say it?"""

from otel_ragfault.judging.answer import AnswerVerdict, check_answer
from otel_ragfault.judging.judge import judge_requests
from otel_ragfault.judging.refusal import Refusal, detect_clarification, detect_refusal

__all__ = ["AnswerVerdict", "Refusal", "check_answer", "detect_clarification", "detect_refusal", "judge_requests"]

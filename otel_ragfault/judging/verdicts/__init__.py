"""Verdicts from elsewhere: those of people in files, and those that evaluators attached to traces; who is believed."""

from otel_ragfault.judging.verdicts.meaning import Meaning, meaning_of, source_of
from otel_ragfault.judging.verdicts.policy import store_policy
from otel_ragfault.judging.verdicts.row import VerdictRow, insert_verdicts
from otel_ragfault.judging.verdicts.standing import JudgeStanding, judge_standings

__all__ = [
    "JudgeStanding",
    "Meaning",
    "VerdictRow",
    "insert_verdicts",
    "judge_standings",
    "meaning_of",
    "source_of",
    "store_policy",
]

"""Verdicts from elsewhere: those of people in files, and those that evaluators attached to traces; who is believed."""

from otel_ragfault.judging.verdicts.claims import EXTRACTOR_VERSION, AnswerClaim, claims_of
from otel_ragfault.judging.verdicts.events import EVENT_NAMES, value_of, word_of
from otel_ragfault.judging.verdicts.load import LoadedVerdicts, load_verdicts
from otel_ragfault.judging.verdicts.meaning import Meaning, meaning_of, source_of
from otel_ragfault.judging.verdicts.policy import store_policy
from otel_ragfault.judging.verdicts.row import VerdictRow, insert_verdicts
from otel_ragfault.judging.verdicts.sheet import write_sheet
from otel_ragfault.judging.verdicts.standing import JudgeStanding, judge_standings

__all__ = [
    "EVENT_NAMES",
    "EXTRACTOR_VERSION",
    "AnswerClaim",
    "JudgeStanding",
    "LoadedVerdicts",
    "Meaning",
    "VerdictRow",
    "claims_of",
    "insert_verdicts",
    "judge_standings",
    "load_verdicts",
    "meaning_of",
    "source_of",
    "store_policy",
    "value_of",
    "word_of",
    "write_sheet",
]

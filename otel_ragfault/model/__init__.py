"""What users write, as models: configuration, gold, corpus; and the reader that reports what is wrong with a file."""

from otel_ragfault.model.answer_check import AnswerCheck, Number
from otel_ragfault.model.config import Config
from otel_ragfault.model.config_sources import LoadedConfig, load_config
from otel_ragfault.model.corpus import CorpusChunk
from otel_ragfault.model.evidence import Quote
from otel_ragfault.model.gold import Claim, GoldCase, gold_json_schema
from otel_ragfault.model.problems import InvalidFileError, Problem
from otel_ragfault.model.records import RecordReader
from otel_ragfault.model.replaying import Ordering, Packing

__all__ = [
    "AnswerCheck",
    "Claim",
    "Config",
    "CorpusChunk",
    "GoldCase",
    "InvalidFileError",
    "LoadedConfig",
    "Number",
    "Ordering",
    "Packing",
    "Problem",
    "Quote",
    "RecordReader",
    "gold_json_schema",
    "load_config",
]

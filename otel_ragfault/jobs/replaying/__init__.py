"""Replay without the pipeline: labels under other settings, from the recorded rankings.

rows = replay(con, config, Grid(ks=(2, 3, 14), budgets=(50, 80, 400)), case_id="long-haul-cabin")
for setting in summarise(rows):
print(setting.setting, setting.complete)
"""

from otel_ragfault.jobs.replaying.generation import Generation
from otel_ragfault.jobs.replaying.replay import replay
from otel_ragfault.jobs.replaying.result import Replayed
from otel_ragfault.jobs.replaying.settings import ORDERINGS, PACKINGS, Grid, Setting
from otel_ragfault.jobs.replaying.summary import SettingSummary, summarise
from otel_ragfault.jobs.replaying.tokenizers import load_tokenizer

__all__ = [
    "ORDERINGS",
    "PACKINGS",
    "Generation",
    "Grid",
    "Replayed",
    "Setting",
    "SettingSummary",
    "load_tokenizer",
    "replay",
    "summarise",
]

"""Gold files: checked, loaded, resolved to chunks of snapshots, and compared with the ids that pipelines use."""

from otel_ragfault.gold.check import GoldFile, check_gold
from otel_ragfault.gold.history import GoldVersion, gold_history, gold_list
from otel_ragfault.gold.load import LoadedGold, check_against, load_gold
from otel_ragfault.gold.mismatch import Mismatch, gold_id_mismatches
from otel_ragfault.gold.resolve import NO_GOLD, resolve_quotes, why_no_quote
from otel_ragfault.gold.resolved import Resolved

__all__ = [
    "NO_GOLD",
    "GoldFile",
    "GoldVersion",
    "LoadedGold",
    "Mismatch",
    "Resolved",
    "check_against",
    "check_gold",
    "gold_history",
    "gold_id_mismatches",
    "gold_list",
    "load_gold",
    "resolve_quotes",
    "why_no_quote",
]

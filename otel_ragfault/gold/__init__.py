"""Gold files: checked, loaded, and compared with the ids that the pipeline really uses."""

from otel_ragfault.gold.check import GoldFile, check_gold
from otel_ragfault.gold.load import LoadedGold, load_gold
from otel_ragfault.gold.mismatch import Mismatch, gold_id_mismatches

__all__ = ["GoldFile", "LoadedGold", "Mismatch", "check_gold", "gold_id_mismatches", "load_gold"]

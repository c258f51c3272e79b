"""Corpus files: checked, loaded as snapshots of the index, and compared."""

from otel_ragfault.corpus.check import CorpusFile, check_corpus
from otel_ragfault.corpus.compare import Difference, Snapshot, compare_snapshots, list_snapshots
from otel_ragfault.corpus.load import LoadedCorpus, load_corpus
from otel_ragfault.corpus.mismatch import snapshot_mismatch
from otel_ragfault.corpus.snapshots import drop_snapshot

__all__ = [
    "CorpusFile",
    "Difference",
    "LoadedCorpus",
    "Snapshot",
    "check_corpus",
    "compare_snapshots",
    "drop_snapshot",
    "list_snapshots",
    "load_corpus",
    "snapshot_mismatch",
]

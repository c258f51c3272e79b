"""Corpus files: checked, and loaded as snapshots of the index."""

from otel_ragfault.corpus.check import CorpusFile, check_corpus
from otel_ragfault.corpus.load import LoadedCorpus, load_corpus

__all__ = ["CorpusFile", "LoadedCorpus", "check_corpus", "load_corpus"]

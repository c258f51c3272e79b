"""otel-ragfault: which stage of a RAG pipeline lost the answer."""

__version__ = "0.1.0"

"""How refusals and questions back are built, in each language, and how an answer is read by that."""

from otel_ragfault.judging.refusals.reading import Reading, read_answer

__all__ = ["Reading", "read_answer"]

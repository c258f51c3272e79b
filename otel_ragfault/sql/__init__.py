"""The SQL of ``queries/``, read and composed. No SQL is written in Python except what is generated from the rules."""

from otel_ragfault.sql.labelling import labelling_statement
from otel_ragfault.sql.library import Query, folder_queries, ordered_queries, read_query

__all__ = ["Query", "folder_queries", "labelling_statement", "ordered_queries", "read_query"]

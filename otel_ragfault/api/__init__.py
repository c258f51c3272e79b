"""For notebooks: runs, cases and comparisons as objects that show themselves, and as data frames.

    from otel_ragfault import Run

    run = Run.open("rag.duckdb")
    run["long-haul-cabin"]

Everything is read when it is asked for first, and kept; the database is open for moments only.
"""

from otel_ragfault.api.case import Case
from otel_ragfault.api.comparison import Comparison
from otel_ragfault.api.run import Run
from otel_ragfault.api.table import Table

__all__ = ["Case", "Comparison", "Run", "Table"]

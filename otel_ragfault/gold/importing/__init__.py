"""Gold from files of other tools: tables, relevance judgements, exports of evaluation tools."""

from otel_ragfault.gold.importing.run import FORMATS, Imported, import_gold

__all__ = ["FORMATS", "Imported", "import_gold"]

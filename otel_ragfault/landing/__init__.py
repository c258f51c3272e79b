"""Bring spans and log records into the database: from the SDK in this process, and from files of OTLP requests."""

from otel_ragfault.landing.content import Content
from otel_ragfault.landing.decoding.build import Decoded
from otel_ragfault.landing.decoding.json import decode_json
from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.protobuf import decode_protobuf
from otel_ragfault.landing.decoding.row import SPAN_SCHEMA, SpanRow, to_table
from otel_ragfault.landing.decoding.sdk import decode_spans
from otel_ragfault.landing.exporter import DuckDBSpanExporter, ExporterStats
from otel_ragfault.landing.importing.importer import import_files
from otel_ragfault.landing.importing.report import ImportReport, Problem
from otel_ragfault.landing.land import land
from otel_ragfault.landing.loader import Landed
from otel_ragfault.landing.sink import ContentSink, SpanSink, SpoolSink

__all__ = [
    "SPAN_SCHEMA",
    "Content",
    "ContentSink",
    "Decoded",
    "DuckDBSpanExporter",
    "ExporterStats",
    "ImportReport",
    "Landed",
    "MalformedError",
    "Problem",
    "SpanRow",
    "SpanSink",
    "SpoolSink",
    "decode_json",
    "decode_protobuf",
    "decode_spans",
    "import_files",
    "land",
    "to_table",
]

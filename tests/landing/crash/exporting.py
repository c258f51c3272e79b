"""A writer: two threads export spans of the SDK with a DuckDBSpanExporter, which loads them in a third."""

import os
import sys
import threading
import time
from random import Random

from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SpanExportResult

from otel_ragfault.landing import DuckDBSpanExporter

random = Random()  # noqa: S311 - no secret
exporter = DuckDBSpanExporter(sys.argv[1], load_every=float(sys.argv[2]) if len(sys.argv) > 2 else None)


class Collect(SpanProcessor):
    def __init__(self):
        self.spans = []

    def on_end(self, span):
        self.spans.append(span)


def export(collect, provider):
    tracer = provider.get_tracer("crash")
    while True:
        for i in range(random.randrange(1, 60)):
            tracer.start_span(f"s{i}", attributes={"text": "x" * random.randrange(300)}).end()
        spans, collect.spans = collect.spans, []
        if exporter.export(spans) is SpanExportResult.SUCCESS:
            os.write(1, b"".join(b"%016x\n" % span.context.span_id for span in spans))
        time.sleep(0.005)  # what is left behind has to be loaded after every round


threads = []
for _ in range(2):
    collect, provider = Collect(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(collect)
    threads.append(threading.Thread(target=export, args=(collect, provider)))
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

"""A writer: four threads append OTLP requests to the spool, and a loader runs beside them, as in a receiver."""

import os
import sys
import threading
import time
from random import Random

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from otel_ragfault.landing.loader import SpoolLoader
from otel_ragfault.landing.spool import RecordKind, SpoolError, SpoolWriter

random = Random()  # noqa: S311 - no secret
writer = SpoolWriter(sys.argv[1], source="crash", segment_bytes=50_000, segment_age=0.05, max_bytes=2**28)


def append():
    while True:
        request = ExportTraceServiceRequest()
        spans = request.resource_spans.add().scope_spans.add().spans
        count = random.randrange(1, 60)
        for i in range(count):
            now = time.time_ns()
            spans.add(
                trace_id=os.urandom(16),
                span_id=os.urandom(8),
                name=f"s{i}",
                start_time_unix_nano=now,
                end_time_unix_nano=now,
            )
        try:
            writer.append(RecordKind.OTLP_TRACES, request.SerializeToString(), spans=count)
        except SpoolError:  # the sender is told to try again
            time.sleep(0.05)
            continue
        os.write(1, b"".join(b"%s\n" % span.span_id.hex().encode() for span in spans))
        time.sleep(0.01)


threads = [threading.Thread(target=append) for _ in range(4)]
if sys.argv[2:] != ["no-loader"]:
    threads.append(threading.Thread(target=SpoolLoader(sys.argv[1]).run, args=(threading.Event(),)))
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

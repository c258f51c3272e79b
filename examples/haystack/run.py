"""Ask the Haystack pipeline every question, over OTLP/gRPC into ``ragfault collect``, and label what was recorded.

Haystack reads its switches when it is imported; until then the environment can still be set.
"""

import os

from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

from examples.common.steps import arguments, ask_all, collector, label


def main() -> None:
    """Run everything."""
    given = arguments("haystack", "leave the tracing of content off, as it is by default")
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # otherwise Haystack reports its use to its makers
    os.environ["HAYSTACK_CONTENT_TRACING_ENABLED"] = "false" if given.before else "true"
    from examples.haystack import pipeline

    with collector(given.db, "grpc") as address:
        provider = pipeline.instrument(OTLPSpanExporter(endpoint=address, insecure=True))
        answering = pipeline.build()
        ask_all(lambda question, _: pipeline.ask(answering, question))
        provider.shutdown()
    label(given.db, as_json=given.json)


if __name__ == "__main__":
    main()

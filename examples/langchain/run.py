"""Ask the LangChain pipeline every question, over OTLP/HTTP into ``ragfault collect``, and label what was recorded."""

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

from examples.common.steps import arguments, ask_all, collector, label
from examples.langchain import pipeline


def main() -> None:
    """Run everything."""
    given = arguments("langchain", "index the chunks without ids, as the doctor found them")
    with collector(given.db, "http") as address:
        provider = pipeline.instrument(OTLPSpanExporter(endpoint=f"{address}/v1/traces"))
        chain = pipeline.build(pipeline.index(with_ids=not given.before))
        ask_all(lambda question, case_id: chain.invoke(question, config={"metadata": {"case_id": case_id}}))
        provider.shutdown()
    label(given.db, as_json=given.json)


if __name__ == "__main__":
    main()

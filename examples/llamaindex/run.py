"""Ask the LlamaIndex query engine every question, its spans straight into DuckDB, and label what was recorded."""

from openinference.instrumentation import using_attributes

from examples.common.steps import arguments, ask_all, label
from examples.llamaindex import pipeline
from otel_ragfault.landing import DuckDBSpanExporter


def main() -> None:
    """Run everything."""
    given = arguments("llamaindex", "let the splitter make up ids, as the doctor found them")
    provider = pipeline.instrument(DuckDBSpanExporter(given.db))
    engine = pipeline.build(pipeline.index(with_ids=not given.before))

    def ask(question: str, case_id: str) -> str:
        with using_attributes(metadata={"case_id": case_id}):
            return str(engine.query(question))

    ask_all(ask)
    provider.shutdown()
    label(given.db, as_json=given.json)


if __name__ == "__main__":
    main()

"""Pipelines of every kind are run with their spans captured: coroutines, streams, services, other conventions."""

import pytest

GYM = """
import asyncio, json, threading
import pipeline, pytest
import otel_ragfault as rag

gym = pytest.mark.ragfault(cases="gym-fee")
"""
PASSES = {"pass.correct_refusal": ["gym-fee"]}


@pytest.mark.parametrize(
    "test",
    [
        pytest.param(
            """
            async def ask(question):
                await asyncio.sleep(0)
                return pipeline.ask(question)

            @gym
            def test_rag(ragfault_case):
                assert ragfault_case.check(ask) == pipeline.REFUSAL
            """,
            id="a coroutine function",
        ),
        pytest.param(
            """
            @rag.request()
            async def ask(question):
                shown = pipeline.assemble(pipeline.search(question, 2), 2, 50)["chunks"]
                async for piece in stream(question, shown):
                    yield piece

            @rag.generation(model="m")
            async def stream(question, shown):
                for word in pipeline.REFUSAL.split():
                    yield word + " "

            @gym
            def test_rag(ragfault_case):
                assert "".join(ragfault_case.check(ask)) == pipeline.REFUSAL + " "
            """,
            id="an asynchronous stream",
        ),
        pytest.param(
            """
            def ask(question):
                yield from pipeline.ask(question).split()

            @gym
            def test_rag(ragfault_case):
                assert ragfault_case.check(ask) == pipeline.REFUSAL.split()
            """,
            id="a stream",
        ),
        pytest.param(
            """
            @gym
            def test_rag(ragfault_case):
                with ragfault_case as question:
                    pipeline.ask(question)
                assert ragfault_case.label == "pass.correct_refusal"
            """,
            id="a block",
        ),
        pytest.param(
            """
            @gym
            @pytest.mark.anyio
            async def test_rag(ragfault_case):
                async def ask(question):
                    await asyncio.sleep(0)
                    return pipeline.ask(question)

                assert await ragfault_case.acheck(ask) == pipeline.REFUSAL

            @pytest.fixture
            def anyio_backend():
                return "asyncio"
            """,
            id="a test that is a coroutine",
        ),
        pytest.param(
            """
            @gym
            def test_rag(ragfault_case):
                def ask(question):
                    thread = threading.Thread(target=pipeline.ask, args=(question,))
                    thread.start()
                    thread.join()

                ragfault_case.check(ask)
            """,
            id="a thread that starts without the context",
        ),
        pytest.param(
            """
            @gym
            def test_rag(ragfault_case):
                def apart(work):
                    found = []
                    thread = threading.Thread(target=lambda: found.append(work()))
                    thread.start()
                    thread.join()
                    return found[0]

                def ask(question):
                    ranked = apart(lambda: pipeline.search(question, 2))
                    shown = apart(lambda: pipeline.assemble(ranked, 2, 50))["chunks"]
                    chunks = {one: pipeline.CHUNKS[one] for one in shown}
                    return apart(lambda: pipeline.generate(pipeline.prompt_of(question, chunks), question, chunks))

                ragfault_case.check(ask)
            """,
            id="stages in traces of their own",
        ),
    ],
)
def test_a_pipeline_is_run_to_its_end_and_labelled(project, test):
    project.test("\n".join([GYM, *[line[12:] for line in test.splitlines()]]))
    result = project.run()
    assert project.labels(result) == PASSES
    result.assert_outcomes(passed=1)


def test_check_inside_an_event_loop_says_what_to_write(project):
    project.test(
        GYM
        + """
@gym
def test_rag(ragfault_case):
    async def ask(question):
        pass

    async def main():
        ragfault_case.check(ask)

    asyncio.run(main())
"""
    )
    result = project.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*write: await ragfault_case.acheck(pipeline)*"])


PROVIDER = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
"""


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param("rag.configure(provider=TracerProvider(), exporter=Nowhere())", id="one that capture was given"),
        pytest.param("trace.set_tracer_provider(TracerProvider())", id="the global one"),
    ],
)
def test_a_provider_that_the_pipeline_set_up_keeps_making_its_spans(project, setting):
    project.test(
        GYM
        + PROVIDER
        + f"""
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult, SimpleSpanProcessor

class Nowhere(SpanExporter):
    def export(self, spans):
        return SpanExportResult.SUCCESS

{setting}
seen = trace.get_tracer_provider()

@gym
def test_rag(ragfault_case):
    ragfault_case.check(pipeline.ask)
    assert trace.get_tracer_provider() is seen
"""
    )
    project.run_apart().assert_outcomes(passed=1)


def test_a_provider_of_its_own_is_named_by_a_fixture(project):
    """A pipeline of another convention, OpenInference, whose provider nobody else knows."""
    project.test(
        GYM
        + PROVIDER
        + """
own = TracerProvider()
tracer = own.get_tracer("openinference.instrumentation.manual")

def ask(question):
    with tracer.start_as_current_span("chain") as chain:
        chain.set_attributes({"openinference.span.kind": "CHAIN", "input.value": question})
        with tracer.start_as_current_span("retrieve") as span:
            ranked = pipeline.search.__wrapped__(question, 2)[:2]
            span.set_attributes({"openinference.span.kind": "RETRIEVER", "input.value": question})
            for place, (name, score) in enumerate(ranked):
                before = f"retrieval.documents.{place}.document."
                span.set_attributes({before + "id": name, before + "score": score})
                span.set_attribute(before + "content", pipeline.CHUNKS[name])
        with tracer.start_as_current_span("llm") as span:
            prompt = pipeline.prompt_of(question, {name: pipeline.CHUNKS[name] for name, _ in ranked})
            span.set_attributes({
                "openinference.span.kind": "LLM",
                "llm.input_messages.0.message.role": "user",
                "llm.input_messages.0.message.content": prompt,
                "llm.output_messages.0.message.role": "assistant",
                "llm.output_messages.0.message.content": pipeline.REFUSAL,
            })
        chain.set_attribute("output.value", pipeline.REFUSAL)
    return pipeline.REFUSAL

@pytest.fixture
def ragfault_providers():
    return [own]

@pytest.mark.ragfault(cases=["gym-fee", "long-haul-cabin"])
def test_rag(ragfault_case):
    ragfault_case.check(ask)
"""
    )
    result = project.run_apart()
    result.assert_outcomes(passed=1, failed=1)
    assert project.labels(result) == {**PASSES, "retrieval.not_ranked": ["long-haul-cabin"]}
    result.stdout.fnmatch_lines(["  ranked   : c01(8.095) c02(5.528) | k=2 |", "  in prompt: c01 c02"])


def test_what_is_no_provider_is_an_error_in_one_line(project):
    project.test(
        GYM
        + """
@pytest.fixture
def ragfault_providers():
    return ["mine"]

@gym
def test_rag(ragfault_case):
    pass
"""
    )
    result = project.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*found a str; a TracerProvider of the OpenTelemetry SDK was wanted*"])


def test_an_exception_of_the_pipeline_is_shown_with_the_card_behind_it(project):
    project.test(
        GYM
        + """
@rag.request()
def ask(question):
    pipeline.search(question, 2)
    return model(question)

@rag.generation(model="m")
def model(prompt):
    raise ConnectionError("no model today")

@gym
def test_rag(ragfault_case):
    ragfault_case.check(ask)
"""
    )
    result = project.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "ragfault: error.generation*; the card is below the traceback",
            "*raise ConnectionError*",
            "E       ConnectionError: no model today",
            "*error.generation*",
            "*the pipeline raised ConnectionError: no model today",
            "*  error    : generation: ConnectionError: no model today",
            "FAILED test_rag.py::test_rag?gym-fee? - error.generation*: ConnectionError*",
        ]
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param("return 'x'", "no span of the pipeline was captured; wanted spans of retrieval", id="no span"),
        pytest.param(
            "from opentelemetry import trace\n"
            "        with trace.get_tracer('mine').start_as_current_span('my step'): return 'x'",
            "no request of a RAG pipeline was found in 1 captured span (my step)",
            id="no span of a pipeline",
        ),
    ],
)
def test_a_pipeline_that_records_nothing_fails_with_what_to_do(project, body, said):
    project.test(
        GYM + f"@gym\ndef test_rag(ragfault_case):\n    def ask(q):\n        {body}\n    ragfault_case.check(ask)\n"
    )
    result = project.run()
    result.assert_outcomes(failed=1)
    assert said in result.stdout.str()


def test_spans_and_a_store_are_there_for_tests_of_ones_own(project):
    project.test(
        GYM
        + """
from otel_ragfault.landing import decode_spans, land, to_table

def test_spans(ragfault_spans, ragfault_store):
    assert len(ragfault_spans) == 0
    pipeline.ask("Is the gym free?")
    assert len(ragfault_spans) == 4
    (generation,) = [span for span in ragfault_spans if span.attributes.get("ragfault.stage") == "generation"]
    assert pipeline.REFUSAL in generation.attributes["gen_ai.output.messages"]
    assert ragfault_spans.named(generation.name) == [generation]
    land(ragfault_store, to_table(decode_spans(ragfault_spans).rows), source="test")
    assert ragfault_store.execute("SELECT count(*) FROM span").fetchone() == (4,)

def test_nothing_is_left_of_the_test_before(ragfault_spans, ragfault_store):
    assert len(ragfault_spans) == 0
    assert ragfault_store.execute("SELECT count(*) FROM span").fetchone() == (0,)
"""
    )
    project.run().assert_outcomes(passed=2)


def test_options_of_capture_are_as_they_were_afterwards(project):
    project.test(
        GYM
        + """
import os
from otel_ragfault.capture import current_options

rag.set_capture(content=False, redact=lambda text: text.replace("policy", "[p]"))
before = current_options()

@gym
def test_rag(ragfault_case):
    ragfault_case.check(lambda question: pipeline.ask("What of the policy?"))
    assert "What of the [p]?" in str(ragfault_case.requests[0])

def test_after():
    assert current_options() is before
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" not in os.environ
"""
    )
    project.run("-p", "no:randomly").assert_outcomes(passed=2)


def test_several_requests_of_a_case_are_judged_by_the_worst(project):
    project.test(
        GYM
        + """
@pytest.mark.ragfault(cases="meal-allowance")
def test_rag(ragfault_case):
    def ask(question):
        pipeline.ask(question, k=1, budget=1)
        return pipeline.ask(question)

    ragfault_case.check(ask)
"""
    )
    result = project.run()
    result.assert_outcomes(failed=1)
    assert project.labels(result) == {"assembly.cut": ["meal-allowance"]}


def test_spans_can_be_kept_in_a_database_for_the_other_commands(project):
    from otel_ragfault.landing.loader import load_spool
    from otel_ragfault.store import connect

    project.test()
    project.run("--ragfault-db", "kept.duckdb", "-k", "gym-fee or zurich-hotel").assert_outcomes(
        passed=1, failed=1, deselected=6
    )
    load_spool(project.path / "kept.duckdb")
    with connect(project.path / "kept.duckdb") as con:
        from otel_ragfault.jobs.build import build_requests

        build_requests(con)
        assert con.execute("SELECT case_id FROM request ORDER BY 1").fetchall() == [("gym-fee",), ("zurich-hotel",)]

"""configure(): one call for people who have no tracing, and no harm to those who have."""

import json
import subprocess
import sys

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import otel_ragfault as rag
from otel_ragfault import semconv as s
from otel_ragfault.setup import configure


@pytest.fixture
def memory():
    yield InMemorySpanExporter()
    rag.set_capture()


def configured(memory, **options):
    return configure(exporter=memory, provider=TracerProvider(), batch=False, **options)


def test_spans_reach_the_exporter_with_content_only_when_asked(memory):
    configured(memory, content=True)
    with rag.request(query="why?", case_id="c-1"), rag.retrieval(query="why") as stage:
        stage.record_documents([("a", 1.0)])
    retrieval, request = memory.get_finished_spans()
    assert retrieval.attributes[s.RAGFAULT_CASE_ID] == request.attributes[s.RAGFAULT_CASE_ID] == "c-1"
    assert "why?" in request.attributes[s.GEN_AI_INPUT_MESSAGES]
    memory.clear()
    configured(memory, content=False)
    with rag.request(query="why?"):
        pass
    assert s.GEN_AI_INPUT_MESSAGES not in memory.get_finished_spans()[0].attributes


def test_redaction_sees_every_text_first(memory):
    configured(memory, content=True, redact=lambda text: text.replace("Ann", "[name]"))
    with rag.request(query="who is Ann?"):
        pass
    (span,) = memory.get_finished_spans()
    assert json.loads(span.attributes[s.GEN_AI_INPUT_MESSAGES])[0]["parts"][0]["content"] == "who is [name]?"


PROGRAM = """
import sys
import otel_ragfault as rag
provider = rag.configure(db=sys.argv[1], content=True, service_name="shop")
assert rag.configure(db=sys.argv[1] + ".second", content=True) is provider, "a provider that is installed is used"

@rag.request(case_id="c-1")
def ask(question):
    return "because"

ask("why?")
"""


def test_a_program_that_only_calls_configure_leaves_its_spans_in_the_database_when_it_ends(tmp_path):
    db = tmp_path / "rag.duckdb"
    subprocess.run([sys.executable, "-W", "error", "-c", PROGRAM, db], check=True, timeout=60)
    for path in (db, tmp_path / "rag.duckdb.second"):
        found = subprocess.run(
            [
                sys.executable,
                "-m",
                "otel_ragfault",
                "query",
                "--db",
                path,
                "--json",
                "--sql",
                "SELECT service, case_id, query, answer FROM request",
            ],
            check=True,
            capture_output=True,
            timeout=60,
        )
        assert json.loads(found.stdout) == [{"service": "shop", "case_id": "c-1", "query": "why?", "answer": "because"}]

"""Content is written only when it is wanted, and only as the redaction leaves it."""

import subprocess
import sys

import pytest

from otel_ragfault import semconv
from otel_ragfault.capture import assembly, capture_failures, generation, request, retrieval, set_capture

CONTENT = {"the question", "the chunk", "the prompt", "the answer"}


def run(**settings):
    @retrieval(texts=True, **settings)
    def search(query):
        return [{"id": "a", "score": 0.5, "text": "the chunk"}]

    @assembly(**settings)
    def build(hits):
        return "the prompt", hits

    @generation(**settings)
    def answer(prompt):
        return "the answer", ["a"]

    @request(**settings)
    def ask(question):
        return answer(build(search(question))[0])

    ask("the question")


def written(recorded):
    text = "".join(str(value) for span in recorded.all for value in span.attributes.values())
    return {one for one in CONTENT if one in text}


SWITCH = {
    "SPAN_ONLY": True,
    "span_and_event": True,
    "True": True,
    "NO_CONTENT": False,
    "EVENT_ONLY": False,
    "": False,
    "nonsense": False,
}


@pytest.mark.parametrize(("value", "on"), SWITCH.items(), ids=lambda value: str(value) or "empty")
def test_the_standard_switch_turns_content_on(recorded, no_failures, monkeypatch, value, on):
    monkeypatch.setenv(semconv.CAPTURE_CONTENT_ENV, value)
    set_capture(tracer_provider=recorded.provider)

    run()

    assert written(recorded) == (CONTENT if on else set())


@pytest.mark.parametrize("on", [True, False])
def test_an_explicit_option_overrides_the_switch(recorded, no_failures, monkeypatch, on):
    monkeypatch.setenv(semconv.CAPTURE_CONTENT_ENV, "NO_CONTENT" if on else "SPAN_ONLY")
    set_capture(content=on, tracer_provider=recorded.provider)

    run()

    assert written(recorded) == (CONTENT if on else set())


@pytest.mark.parametrize("on", [True, False])
def test_a_stage_may_override_the_process(recorded, no_failures, on):
    recorded.capture(content=not on)

    run(content=on)

    assert written(recorded) == (CONTENT if on else set())


def test_ids_scores_and_citations_are_written_without_content(recorded, no_failures):
    run()

    assert (
        recorded.named("retrieval search").attributes[semconv.GEN_AI_RETRIEVAL_DOCUMENTS] == '[{"id":"a","score":0.5}]'
    )
    assert recorded.named("chat answer").attributes[semconv.RAGFAULT_CITATIONS] == '["a"]'


def test_texts_of_chunks_are_written_only_on_request(recorded, no_failures):
    recorded.capture(content=True)
    retrieval(lambda: [{"id": "a", "score": 0.5, "text": "the chunk"}])()

    assert recorded.attribute(semconv.GEN_AI_RETRIEVAL_DOCUMENTS) == '[{"id":"a","score":0.5}]'


def test_redaction_sees_every_text_first(recorded, no_failures):
    seen = []
    recorded.capture(content=True, redact=lambda text: seen.append(text) or "***")

    run()

    assert set(seen) == CONTENT
    assert written(recorded) == set()
    assert "***" in recorded.named("chat answer").attributes[semconv.GEN_AI_OUTPUT_MESSAGES]


@pytest.mark.parametrize(
    ("redact", "failures"),
    [(lambda _: 1 / 0, True), (lambda _: 7, True), (lambda _: None, False)],
    ids=["it raises", "it returns no text", "it withholds the text"],
)
def test_a_text_that_is_not_redacted_is_not_written(recorded, redact, failures):
    recorded.capture(content=True, redact=redact)

    run()

    assert written(recorded) == set()
    assert ("redact" in capture_failures()) is failures


def test_a_failure_is_logged_once_and_without_content(recorded, caplog):
    def redact(text):
        raise ValueError(text)

    recorded.capture(content=True, redact=redact)
    run()

    (record,) = caplog.records
    assert record.name == "otel_ragfault"
    assert "redact" in record.getMessage()
    assert not any(text in caplog.text for text in CONTENT)
    assert capture_failures()["redact"] > 1


def test_importing_capture_stays_light():
    code = "import sys, otel_ragfault.capture; print([m for m in ('duckdb','pyarrow','pydantic','click','rich','grpc','numpy') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"

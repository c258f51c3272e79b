"""Log records of an application: evaluation results and messages, as its SDK emits them, to the table log_record."""

import pytest

from collector.receiving import log_records_of
from collector.sending import (
    ANSWER,
    LOGGED_AT,
    MESSAGES,
    QUESTION,
    VERDICT,
    application,
    ask,
    logger,
    tell_messages,
    tell_verdict,
)
from collector.waiting import eventually
from otel_ragfault import semconv
from otel_ragfault.landing import SpoolSink, import_files

pytestmark = pytest.mark.otelcol

PAIRS = 20
WANTED = sorted((name, LOGGED_AT + number) for number in range(PAIRS) for name in (MESSAGES, VERDICT))


def tell_all(collector):
    with logger(collector) as told:
        for number in range(PAIRS):
            tell_messages(told, number)
            tell_verdict(told, number)


def named(records):
    return sorted((one.event_name, one.time) for one in records)


def only(records, event_name):
    return [one.attributes for one in sorted(records, key=lambda one: one.time) if one.event_name == event_name]


def check_whole(records):
    """Every record is there once, and as it was emitted."""
    assert named(records) == WANTED
    said, *_ = only(records, MESSAGES)
    assert said[semconv.GEN_AI_INPUT_MESSAGES][0]["parts"] == [{"type": "text", "content": QUESTION}]
    assert said[semconv.GEN_AI_OUTPUT_MESSAGES][0]["parts"] == [{"type": "text", "content": ANSWER}]
    verdicts = only(records, VERDICT)
    assert [one[semconv.GEN_AI_RESPONSE_ID] for one in verdicts] == [f"response-{number}" for number in range(PAIRS)]
    assert {one[semconv.GEN_AI_EVALUATION_SCORE_VALUE] for one in verdicts} == {0.25}
    assert {one[semconv.GEN_AI_EVALUATION_EXPLANATION] for one in verdicts} == {f"not what was said: {ANSWER}"}


def check_without_content(records):
    """Every record is there once, with scores and ids, and without texts."""
    assert named(records) == WANTED
    assert only(records, MESSAGES) == [{semconv.GEN_AI_RESPONSE_ID: f"response-{n}"} for n in range(PAIRS)]
    assert only(records, VERDICT)[0] == {
        semconv.GEN_AI_EVALUATION_NAME: "Correctness",
        semconv.GEN_AI_EVALUATION_SCORE_VALUE: 0.25,
        semconv.GEN_AI_RESPONSE_ID: "response-0",
    }


CONTENT = [pytest.param("false", check_whole, id="whole"), pytest.param("true", check_without_content, id="removed")]


@pytest.mark.parametrize(("redact", "check"), CONTENT)
def test_log_records_arrive_once_through_agent_and_gateway(start, sink, redact, check):
    sink.start()
    # Neither is sampled nor waits for a decision.
    settings = {"RAGFAULT_SAMPLE_PERCENT": "0", "RAGFAULT_DECISION_WAIT": "1h", "RAGFAULT_REDACT": redact}
    gateway = start("gateway.yaml", RAGFAULT_NEXT_ENDPOINT=sink.endpoint, **settings)
    tell_all(start("agent.yaml", RAGFAULT_NEXT_ENDPOINT=gateway.endpoint))
    eventually(lambda: named(sink.log_records()) == WANTED, what="every log record")
    check(sink.log_records())


def test_log_records_survive_a_kill_while_the_receiver_is_down(start, sink):
    agent = start("agent.yaml", RAGFAULT_NEXT_ENDPOINT=sink.endpoint)
    tell_all(agent)
    agent.kill()
    sink.start()
    agent.start()
    eventually(lambda: named(sink.log_records()) == WANTED, what="every log record")
    check_whole(sink.log_records())


@pytest.mark.parametrize(("redact", "check"), CONTENT)
@pytest.mark.parametrize("file_format", ["json", "proto"])
def test_log_records_arrive_once_through_files_however_often_they_are_imported(
    start, tmp_path, file_format, redact, check
):
    collector = start("file.yaml", RAGFAULT_FILE_FORMAT=file_format, RAGFAULT_REDACT=redact)
    tell_all(collector)
    db, files = tmp_path / "rag.duckdb", sorted((collector.folder / "ragfault-traces").iterdir())
    first, again = (import_files(files, SpoolSink(db)) for _ in range(2))
    assert (first.complete, first.logs, first.log_duplicates) == (True, 2 * PAIRS, 0)
    assert (again.complete, again.logs, again.log_duplicates) == (True, 0, 2 * PAIRS)
    check(log_records_of(db))


def test_spans_and_log_records_share_a_file(start, tmp_path):
    collector = start("file.yaml")
    tell_all(collector)
    with application(collector) as sent:
        ask(QUESTION)
    (file,) = (collector.folder / "ragfault-traces").iterdir()
    report = import_files([file], SpoolSink(tmp_path / "rag.duckdb"))
    assert (report.complete, report.spans, report.logs) == (True, len(sent), 2 * PAIRS)

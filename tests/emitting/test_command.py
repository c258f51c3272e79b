"""``ragfault emit``: what it says, and its exit codes."""

import json
import socket

import pytest
from click.testing import CliRunner

from emitting.receivers import answered, http_receiver
from otel_ragfault.cli.program import program


@pytest.fixture
def run(db):
    def call(*arguments):
        return CliRunner().invoke(program, ["emit", "--db", str(db), *arguments])

    return call


def test_it_says_what_was_sent_and_what_had_been_sent_before(run):
    with http_receiver() as (url, _):
        first = run("--endpoint", url)
        again = run("--endpoint", url, "--json")
    assert (first.exit_code, first.stderr) == (0, "")
    assert first.stdout == f"sent 51 events to {url}/v1/logs (http/protobuf): 8 labels and 43 verdicts\n"
    assert json.loads(again.stdout) == {
        "destination": f"{url}/v1/logs",
        "protocol": "http/protobuf",
        "sent": 0,
        "labels": 0,
        "verdicts": 0,
        "rejected": 0,
        "sent_before": 51,
        "stopped_by": None,
    }


def test_a_dry_run_sends_nothing_and_shows_what_would_be_sent(run):
    with http_receiver() as (url, kept):
        told = run("--endpoint", url, "--dry-run")
        plan = json.loads(run("--endpoint", url, "--dry-run", "--json", "--only", "labels").stdout)
    assert kept.requests == 0
    assert told.stdout.startswith(f"51 events would be sent to {url}/v1/logs (http/protobuf)\n")
    assert "  gen_ai.evaluation.name: ragfault.label\n" in told.stdout
    assert (plan["waiting"], plan["events"]) == (8, {"ragfault.label": 8})
    assert plan["first"]["attributes"]["ragfault.case_id"] == "long-haul-cabin"


def test_nobody_at_the_endpoint_is_one_line_and_exit_code_2(run, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        found = run("--endpoint", url.replace("//", "//me:secret@"))
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr == (
        f"ragfault: {url}/v1/logs: Connection refused; an OTLP receiver of log records was wanted; check the endpoint "
        "and OTEL_EXPORTER_OTLP_HEADERS, then run this again: what was accepted is not sent twice\n"
    )


def test_events_that_were_refused_are_counted_with_the_reason_and_exit_code_2(run):
    with http_receiver(lambda records: (200, answered(len(records), "no logs today"))) as (url, _):
        found = run("--endpoint", url)
    assert (found.exit_code, found.stdout) == (2, "")
    assert "51 events refused by the receiver (no logs today); none of them counts as sent" in found.stderr


def test_the_endpoint_of_the_environment_is_used(run, monkeypatch):
    with http_receiver() as (url, kept):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
        assert run("--only", "labels").exit_code == 0
    assert len(kept.records) == 8


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--endpoint", "nonsense"], "--endpoint: found 'nonsense'", id="no address"),
        pytest.param(["--protocol", "http/json"], "--protocol", id="no protocol"),
        pytest.param(["--labelling", "x", "--dry-run"], "found labelling 'x'", id="no labelling"),
    ],
)
def test_what_is_wrong_is_one_line(run, arguments, said):
    found = run(*arguments)
    assert found.exit_code == 2
    assert said in found.stderr
    assert found.stderr.count("\n") == 1

"""Credentials that instrumentations leak do not reach the database, and nothing else changes."""

import json
import uuid

import pytest

from otel_ragfault.landing.decoding import scrub
from otel_ragfault.landing.decoding.build import Described, Parts, make_origin, make_row
from otel_ragfault.landing.decoding.json import decode_json
from otel_ragfault.landing.decoding.logs import LogParts, make_log_row
from otel_ragfault.landing.decoding.row import to_table
from otel_ragfault.landing.loader.batch import Batch
from otel_ragfault.landing.loader.store import store
from paths import REPOSITORY

RECORDINGS = REPOSITORY / "tests" / "conventions" / "recordings"
NOWHERE = Described({}, 0, "")


@pytest.fixture
def configured(monkeypatch):
    """Set RAGFAULT_SCRUB for one test."""

    def configure(text):
        monkeypatch.setenv(scrub.ENVIRONMENT, text)
        scrub.current.cache_clear()

    yield configure
    scrub.current.cache_clear()


def landed(attributes, events=(), scope=NOWHERE):
    parts = Parts(
        *(bytes(15) + b"\1", bytes(7) + b"\1", b"", "a span", 1, 1, 2, 0, None, attributes, list(events), []),
        *(None, 0, 0, 0, 0),
    )
    return make_row(parts, make_origin(NOWHERE, scope, "a scope", None))


def stored(attributes):
    return json.loads(landed(attributes).attributes)


def told(row):
    return [] if row.repairs is None else json.loads(row.repairs).get(scrub.NOTE, [])


SECRETS = (
    "authorization",
    "http.request.header.Authorization",
    "Proxy-Authorization",
    "x-api-key",
    "openai_api_key",
    "OPENAI_API_KEY",
    "openaiApiKey",
    "db.password",
    "client_secret",
    "aws.secretAccessKey",
    "LANGFUSE_SECRET_KEY",
    "LANGFUSE_PUBLIC_KEY",
    "access_token",
    "app.refreshToken",
    "http.response.header.set-cookie",
    "langsmith.metadata.LANGSMITH_ENDPOINT",
)
HARMLESS = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
    "gen_ai.request.max_tokens",
    "llm.token_count.prompt",
    "token",
    "prompt.id",
    "ragfault.assembly.chunk_ids",
    "public_key",
    "author",
    "keyword",
    "secretary",
    "metadata.prompt_key",
    "traceloop.prompt.key",
    "langsmith.span.kind",
    "session.id",
    "cookies_enabled",
)


@pytest.mark.parametrize("name", SECRETS)
def test_the_value_of_a_credential_is_replaced_and_its_name_noted(name):
    row = landed({"before": "b", name: "hunter2", "after": 1})
    assert json.loads(row.attributes) == {"before": "b", name: "[scrubbed]", "after": 1}
    assert told(row) == [f"attributes.{name}"]


@pytest.mark.parametrize("name", HARMLESS)
def test_other_names_stay(name):
    row = landed({name: "value"})
    assert (json.loads(row.attributes), row.repairs) == ({name: "value"}, None)


@pytest.mark.parametrize("value", [None, True, False, ""])
def test_a_credential_without_a_value_stays_as_it_is(value):
    assert stored({"api_key": value}) == {"api_key": value}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "api_key": "k", "b": "é"}', '{"a": 1, "api_key": "[scrubbed]", "b": "é"}'),
        ('{"a":{"password":"it\'s"}}', '{"a":{"password":"[scrubbed]"}}'),
        ('{"password": 1234, "x": 2}', '{"password": "[scrubbed]", "x": 2}'),
        ('{"api_key": null, "secret": true}', '{"api_key": null, "secret": true}'),
        ("{'LANGSMITH_API_KEY': 'k', 'b': 2}", "{'LANGSMITH_API_KEY': '[scrubbed]', 'b': 2}"),
        (r'{"inner": "{\"api_key\": \"k\", \"b\": 1}"}', r'{"inner": "{\"api_key\": \"[scrubbed]\", \"b\": 1}"}'),
        ("{\"repr\": \"{'api_key': 'k'}\"}", "{\"repr\": \"{'api_key': '[scrubbed]'}\"}"),
        ('{"openai_api_key": {"type": "secret", "id": ["X"]}}', '{"openai_api_key": {"type": "secret", "id": ["X"]}}'),
        ('{"a": "b", "LANGSMITH_ENDPOINT": "http://cut', "[scrubbed]"),
        (r'{"password": "with \" a quote", "b": 1}', "[scrubbed]"),
        ('{"text": "set LANGSMITH_API_KEY: now"}', '{"text": "set LANGSMITH_API_KEY: now"}'),
        ('{"password":', '{"password":'),
    ],
)
def test_metadata_that_is_text_loses_only_the_values_of_credentials(text, expected):
    assert stored({"metadata": text}) == {"metadata": expected}


def test_structured_metadata_and_headers_are_looked_into():
    said = {"request.headers": {"Authorization": "k", "list": [{"cookie": "c", "n": 1}]}}
    row = landed(said)
    assert json.loads(row.attributes) == {
        "request.headers": {"Authorization": "[scrubbed]", "list": [{"cookie": "[scrubbed]", "n": 1}]}
    }
    assert told(row) == ["attributes.request.headers.Authorization", "attributes.request.headers.list[0].cookie"]


def test_content_is_not_searched_for_secrets():
    said = {
        "input.value": '{"password": "the word in a document"}',
        "retrieval.documents.0.document.metadata": '{"password": "the title of a chunk"}',
    }
    assert stored(said) == said


def test_the_settings_of_langsmith_are_found_wherever_they_are():
    said = {"input.value": '{"metadata": {"LANGSMITH_API_KEY": "k"}, "n": 1}', "deep": [{"LANGSMITH_PROJECT": "p"}]}
    assert stored(said) == {
        "input.value": '{"metadata": {"LANGSMITH_API_KEY": "[scrubbed]"}, "n": 1}',
        "deep": [{"LANGSMITH_PROJECT": "[scrubbed]"}],
    }


def test_the_public_key_on_a_scope_is_scrubbed_for_every_span_of_it():
    scope = Described({"public_key": "pk-lf-1", "version": "2"}, 0, "")
    row = landed({"api_key": "k"}, scope=scope)
    assert json.loads(row.scope)["attributes"] == {"public_key": "[scrubbed]", "version": "2"}
    assert told(row) == ["scope.attributes.public_key", "attributes.api_key"]
    assert told(landed({}, scope=scope)) == ["scope.attributes.public_key"]


def test_events_are_scrubbed():
    event = {"name": "e", "time_unix_nano": 1, "attributes": {"password": "p", "n": 1}, "dropped_attributes_count": 0}
    row = landed({}, [event])
    assert json.loads(row.events)[0]["attributes"] == {"password": "[scrubbed]", "n": 1}
    assert told(row) == ["events[0].attributes.password"]
    assert event["attributes"]["password"] == "p"  # noqa: S105 - what the sender holds is the sender's


def test_log_records_are_scrubbed():
    parts = LogParts(1, 1, b"", b"", 9, None, "e", {"api_key": "k", "n": 1}, {"authorization": "k"}, 0, 0)
    row = make_log_row(parts, make_origin(NOWHERE, NOWHERE, "a scope", None))
    assert json.loads(row.body) == {"api_key": "[scrubbed]", "n": 1}
    assert json.loads(row.attributes) == {"authorization": "[scrubbed]"}
    assert told(row) == ["body.api_key", "attributes.authorization"]


def test_the_environment_adds_names(configured):
    configured("tenant.pin, *.SSN")
    assert stored({"tenant.pin": "1", "user.ssn": "2", "ssn": "3", "api_key": "4"}) == {
        "tenant.pin": "[scrubbed]",
        "user.ssn": "[scrubbed]",
        "ssn": "3",
        "api_key": "[scrubbed]",
    }


def test_the_environment_switches_it_off(configured):
    configured(" OFF ")
    said = {"api_key": "k", "metadata": '{"LANGSMITH_API_KEY": "k"}'}
    row = landed(said, scope=Described({"public_key": "p"}, 0, ""))
    assert (json.loads(row.attributes), row.repairs) == (said, None)
    assert json.loads(row.scope)["attributes"] == {"public_key": "p"}


def test_names_are_remembered_but_not_without_bound(monkeypatch):
    monkeypatch.setattr(scrub, "_MOST_NAMES", 3)
    scrubber = scrub.Scrubber()
    for number in range(10):
        scrubber.by_name({f"name.{number}": 1}, "attributes", [], frozenset())
    assert len(scrubber.harmless) <= 3


# --- recordings -------------------------------------------------------------------------------------------------------

LEAKS = {
    "langfuse": ("pk-lf-local",),
    "langsmith-otel": ("127.0.0.1",),  # what LANGSMITH_ENDPOINT says
}


def rows_of(name):
    lines = (RECORDINGS / f"{name}.jsonl").read_bytes().splitlines()
    return [row for line in lines for row in decode_json(json.loads(line)).rows]


@pytest.mark.parametrize("name", LEAKS)
def test_no_column_holds_what_a_recording_leaked_and_nothing_else_changed(memory_factory, configured, name):
    scrubbed = rows_of(name)
    configured("off")
    whole = rows_of(name)
    leaked = " ".join(str(row) for row in whole)
    assert all(secret in leaked for secret in LEAKS[name])
    con = memory_factory()
    store(con, [Batch(uuid.uuid4(), "test", spans=to_table(scrubbed))])
    for secret in LEAKS[name]:
        assert con.execute("SELECT count(*) FROM span WHERE contains(span::VARCHAR, ?)", [secret]).fetchall() == [(0,)]
    for before, after in zip(whole, scrubbed, strict=True):
        assert told(after)
        assert [a for a, b in zip(before[:14], after[:14], strict=True) if a != b] == []
        for column in ("attributes", "resource", "scope", "events", "links"):
            was, now = getattr(before, column), getattr(after, column)
            assert without_secrets(was) == without_secrets(now), column


def without_secrets(text):
    found = json.loads(text) if text else {}
    inner = found.get("attributes", found)
    return {
        key: value
        for key, value in {**found, **inner, "attributes": None}.items()
        if key != "public_key" and "LANGSMITH_" not in key
    }

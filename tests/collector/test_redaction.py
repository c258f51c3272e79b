"""What removal of content leaves of the ranked documents, told from what arrives."""

import json
import random

import pytest

from collector.receiving import all_arrive
from collector.sending import ids_of, post, post_logs, span
from collector.waiting import eventually
from otel_ragfault import semconv

pytestmark = pytest.mark.otelcol

DOCUMENTS = semconv.GEN_AI_RETRIEVAL_DOCUMENTS
HARD = [
    '"',
    "\\",
    "\\\\",
    '\\"',
    ",",
    "{",
    "}",
    "[",
    "]",
    ":",
    "content",
    '"content":',
    "\n",
    "\t",
    "é",
    "😀",
    " ",
    "a",
    "$1",
    "${x}",
]

UNHARMED = {  # a ranking as recorded, and without content; texts, so that digits count
    "last member": ('[{"id":"a","score":1.50,"content":"x"}]', '[{"id":"a","score":1.50}]'),
    "first member": ('[{"content":"x","id":"a","score":1e-07}]', '[{"id":"a","score":1e-07}]'),
    "in the middle": ('[{"id":"a","content":"x","score":-0.0}]', '[{"id":"a","score":-0.0}]'),
    "only member": ('[{"content":"x"},{"content":""}]', "[{},{}]"),
    "every document": ('[{"id":1,"content":"x"},{"id":2,"content":"y"}]', '[{"id":1},{"id":2}]'),
    "white space": ('[ {"id" : "a" , "content" : "x" } ]', '[ {"id" : "a"  } ]'),
    "quotes and backslashes": (r'[{"id":"a","content":"say \"x\", \\","score":1}]', '[{"id":"a","score":1}]'),
    "looks like content": (
        r'[{"id":"a","title":"x, \"content\":\"y\""}]',
        r'[{"id":"a","title":"x, \"content\":\"y\""}]',
    ),
    "content as a value": ('[{"id":"content","kind":["a","content"]}]', '[{"id":"content","kind":["a","content"]}]'),
    "another name": ('[{"id":"a","content_type":"html"}]', '[{"id":"a","content_type":"html"}]'),
    "nested": (
        '[{"id":"a","metadata":{"content":"x","n":9007199254740993}}]',
        '[{"id":"a","metadata":{"n":9007199254740993}}]',
    ),
    "null": ('[{"id":"a","score":null,"content":null}]', '[{"id":"a","score":null,"content":null}]'),
    "none": ("[]", "[]"),
}
NOT_IN_SHAPE = {  # what cannot be told apart goes, rather than staying
    "cut by a length limit": '[{"id":"a","score":1,"content":"a secr',
    "cut after a backslash": '[{"id":"a","content":"a secret\\',
    "a list of parts": '[{"id":"a","content":[{"text":"a secret"}]}]',
    "an object": '[{"id":"a","content":{"text":"a secret"}}]',
}


@pytest.fixture
def gateway(start, http_sink):
    """A gateway that removes content."""
    http_sink.start()
    variables = {"RAGFAULT_NEXT_ENDPOINT": http_sink.endpoint, "RAGFAULT_REDACT": "true"}
    return start("gateway.yaml", RAGFAULT_DECISION_WAIT="1s", **variables)


@pytest.fixture
def redact(gateway, http_sink):
    """Send spans through the gateway; return the attributes that arrive, in the order sent."""

    def send(*attributes):
        spans = [span(number, one) for number, one in enumerate(attributes)]
        assert post(gateway, *spans) == 200
        arrived = {one[:2]: one.attributes for one in all_arrive(http_sink, ids_of(spans))}
        return [arrived[one] for one in ids_of(spans)]

    return send


def test_only_content_leaves_a_ranking(redact):
    arrived = redact(*({DOCUMENTS: recorded} for recorded, _ in UNHARMED.values()))
    left = dict(zip(UNHARMED, [one[DOCUMENTS] for one in arrived], strict=True))
    assert left == {name: wanted for name, (_, wanted) in UNHARMED.items()}


def test_content_in_no_known_shape_does_not_stay(redact):
    arrived = redact(*({DOCUMENTS: recorded} for recorded in NOT_IN_SHAPE.values()))
    assert "secr" not in json.dumps(arrived)


def test_any_text_leaves_the_ranking_it_stood_in_whole(redact):
    chance = random.Random(7)  # noqa: S311  # the same texts each time
    rankings = [[_document(chance) for _ in range(8)] for _ in range(100)]
    arrived = redact(*({DOCUMENTS: json.dumps(one, ensure_ascii=chance.random() < 0.5)} for one in rankings))
    wanted = [
        [{key: value for key, value in one.items() if key != "content"} for one in ranking] for ranking in rankings
    ]
    assert [json.loads(one[DOCUMENTS]) for one in arrived] == wanted


def _document(chance):
    members = [("id", _text(chance)), ("score", chance.random()), ("title", _text(chance)), ("content", _text(chance))]
    chance.shuffle(members)
    return dict(members)


def _text(chance):
    return "".join(chance.choices(HARD, k=chance.randrange(12)))


def test_a_structured_ranking_becomes_json_without_content(redact):
    members = {"id": {"stringValue": "a"}, "score": {"doubleValue": 0.1}, "content": {"stringValue": 'a "secret"'}}
    document = {"kvlistValue": {"values": [{"key": key, "value": value} for key, value in members.items()]}}
    (arrived,) = redact({DOCUMENTS: {"arrayValue": {"values": [document]}}})
    assert json.loads(arrived[DOCUMENTS]) == [{"id": "a", "score": 0.1}]


def test_every_content_attribute_goes_and_what_labels_need_stays(redact):
    content = [
        semconv.GEN_AI_INPUT_MESSAGES,
        semconv.GEN_AI_OUTPUT_MESSAGES,
        semconv.GEN_AI_SYSTEM_INSTRUCTIONS,
        semconv.GEN_AI_RETRIEVAL_QUERY_TEXT,
        "gen_ai.prompt",
        "gen_ai.prompt.0.content",
        "gen_ai.prompt.variable.name",
        "gen_ai.completion",
        "gen_ai.completion.0.content",
        "gen_ai.tool.call.result",
    ]
    kept = {name: "kept" for name in vars(semconv).values() if isinstance(name, str) and name.startswith("ragfault.")}
    kept |= {semconv.GEN_AI_PROMPT_NAME: "p", semconv.GEN_AI_PROMPT_VERSION: "2", semconv.GEN_AI_RESPONSE_MODEL: "m"}
    (arrived,) = redact({**kept, **dict.fromkeys(content, "a secret")})
    assert arrived == kept


def test_content_goes_from_span_events_and_log_records(gateway, http_sink):
    secrets = [{"key": name, "value": {"stringValue": "a secret"}} for name in ("gen_ai.input.messages", DOCUMENTS)]
    kept = {"key": "gen_ai.response.id", "value": {"stringValue": "r-1"}}
    one = span(0, {}, events=[{"name": "e", "timeUnixNano": "1790000000000000000", "attributes": [*secrets, kept]}])
    record = {"eventName": "gen_ai.choice", "body": {"stringValue": "a secret"}, "attributes": [*secrets, kept]}
    assert [post(gateway, one), post_logs(gateway, record)] == [200, 200]
    all_arrive(http_sink, ids_of([one]))
    eventually(http_sink.log_records)
    arrived = http_sink.everything()
    assert "secret" not in arrived
    assert arrived.count("r-1") == 2

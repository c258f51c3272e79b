"""The whole way: an application, an agent, a gateway, and what takes the spans in the end."""

import json

import pytest

from collector.receiving import all_arrive
from collector.sending import QUESTION, RANKING, TEXT, application, ask, post, span
from otel_ragfault import semconv

pytestmark = pytest.mark.otelcol


@pytest.fixture
def token(tmp_path):
    path = tmp_path / "token"
    path.write_text("right\nsoon-right\n", encoding="utf-8")
    return {"RAGFAULT_TOKEN_FILE": str(path)}


@pytest.fixture
def gateway(start, sink, token):
    variables = {"RAGFAULT_NEXT_ENDPOINT": sink.endpoint, "RAGFAULT_DECISION_WAIT": "1s", **token}
    return start("gateway.yaml", "options/require-token.yaml", **variables)


def test_requests_arrive_once_through_agent_and_gateway(start, sink, gateway, token):
    sink.start()
    agent = start("agent.yaml", "options/send-token.yaml", RAGFAULT_NEXT_ENDPOINT=gateway.endpoint, **token)
    with application(agent) as sent:
        for number in range(25):
            ask(QUESTION, case_id=f"case-{number}")
    arrived = all_arrive(sink, sent)
    assert sorted(one[:2] for one in arrived) == sorted(sent)
    rankings = [
        one.attributes[name] for one in arrived if (name := semconv.GEN_AI_RETRIEVAL_DOCUMENTS) in one.attributes
    ]
    wanted = [{"id": chunk, "score": score, "content": f"{TEXT} {chunk}"} for chunk, score in RANKING]
    assert [json.loads(one) for one in rankings] == [wanted] * 25


@pytest.mark.parametrize(
    ("header", "status"),
    [({}, 401), ({"Authorization": "Bearer wrong"}, 401), ({"Authorization": "Bearer soon-right"}, 200)],
)
def test_a_gateway_takes_requests_only_with_its_token(start, http_sink, token, header, status):
    gateway = start("gateway.yaml", "options/require-token.yaml", RAGFAULT_NEXT_ENDPOINT=http_sink.endpoint, **token)
    assert post(gateway, span(0, {}), headers=header) == status

"""The whole way: an application, an agent, a gateway, and what takes the spans in the end."""

import json
import shutil
import subprocess

import pytest

from collector.receiving import all_arrive
from collector.sending import QUESTION, RANKING, TEXT, application, ask, ids_of, post, span
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
    return start("gateway.yaml", "options/require-token.yaml", "options/send-token.yaml", **variables)


def test_requests_arrive_once_through_agent_and_gateway(start, sink, gateway, token):
    sink.start(token_file=token["RAGFAULT_TOKEN_FILE"])
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


def test_the_first_token_is_sent_to_the_next_hop(start, http_sink, token):
    http_sink.start()
    agent = start("agent.yaml", "options/send-token.yaml", RAGFAULT_NEXT_ENDPOINT=http_sink.endpoint, **token)
    one = span(0, {})
    assert post(agent, one) == 200
    all_arrive(http_sink, ids_of([one]))
    assert http_sink.authorizations == ["Bearer right"]


@pytest.fixture
def certificate(tmp_path):
    """A certificate for loopback, and its key."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl to make a certificate with")
    files = ["-keyout", str(tmp_path / "tls.key"), "-out", str(tmp_path / "tls.crt")]
    name = ["-subj", "/CN=loopback", "-addext", "subjectAltName=IP:127.0.0.1"]
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subprocess.run(["openssl", "req", "-x509", "-days", "2", *key, *name, *files], check=True, capture_output=True)
    return tmp_path / "tls.crt", tmp_path / "tls.key"


def test_an_agent_speaks_tls_to_a_gateway(start, http_sink, certificate):
    http_sink.start()
    cert, key = map(str, certificate)
    tls = {"RAGFAULT_TLS_CERT": cert, "RAGFAULT_TLS_KEY": key}
    next_hop = {"RAGFAULT_NEXT_ENDPOINT": http_sink.endpoint, "RAGFAULT_DECISION_WAIT": "1s"}
    gateway = start("gateway.yaml", "options/receive-tls.yaml", **tls, **next_hop)
    endpoint = gateway.endpoint.replace("http:", "https:")
    agent = start("agent.yaml", RAGFAULT_NEXT_ENDPOINT=endpoint, RAGFAULT_CA_FILE=cert)
    one = span(0, {})
    assert post(agent, one) == 200
    assert len(all_arrive(http_sink, ids_of([one]))) == 1


def test_another_backend_may_speak_grpc(start, http_sink, another_sink):
    http_sink.start()
    another_sink.start()
    backend = start("agent.yaml", RAGFAULT_NEXT_ENDPOINT=another_sink.endpoint)
    variables = {"RAGFAULT_NEXT_ENDPOINT": http_sink.endpoint, "RAGFAULT_DECISION_WAIT": "1s"}
    grpc = {"RAGFAULT_BACKEND_EXPORTER": "otlp_grpc/backend", "RAGFAULT_BACKEND_ENDPOINT": backend.grpc_endpoint}
    gateway = start("gateway.yaml", "options/backend.yaml", RAGFAULT_BACKEND_INSECURE="true", **variables, **grpc)
    spans = [span(number, {"text": "x" * 100_000}) for number in range(60)]  # more than gRPC takes at a time by default
    assert post(gateway, *spans) == 200
    assert len(all_arrive(http_sink, ids_of(spans))) == len(spans)
    assert len(all_arrive(another_sink, ids_of(spans))) == len(spans)

"""Where events are sent: options before the environment, the names of OpenTelemetry, the address in one form."""

import pytest

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.emitting import destination

GENERAL, LOGS = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"
PROTOCOL, LOGS_PROTOCOL = "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL"


@pytest.mark.parametrize(
    ("endpoint", "protocol", "environment", "spoken", "url"),
    [
        pytest.param(None, None, {}, "http/protobuf", "http://localhost:4318/v1/logs", id="nothing is said"),
        pytest.param(None, "grpc", {}, "grpc", "http://localhost:4317", id="the default of gRPC"),
        pytest.param("http://h:1", None, {}, "http/protobuf", "http://h:1/v1/logs", id="the path is added"),
        pytest.param("http://h:1/otlp/", None, {}, "http/protobuf", "http://h:1/otlp/v1/logs", id="below a path"),
        pytest.param("http://h/v1/logs", None, {}, "http/protobuf", "http://h/v1/logs", id="the path is there"),
        pytest.param(
            None, None, {GENERAL: "https://h"}, "http/protobuf", "https://h/v1/logs", id="from the environment"
        ),
        pytest.param(None, None, {LOGS: "https://h/x"}, "http/protobuf", "https://h/x", id="that of logs as it is"),
        pytest.param(None, None, {LOGS: "http://a", GENERAL: "http://b"}, "http/protobuf", "http://a", id="logs first"),
        pytest.param("http://c", None, {LOGS: "http://a"}, "http/protobuf", "http://c/v1/logs", id="the option first"),
        pytest.param(None, None, {PROTOCOL: "grpc", GENERAL: "http://h:4"}, "grpc", "http://h:4", id="gRPC"),
        pytest.param(None, None, {LOGS_PROTOCOL: "grpc", PROTOCOL: "x"}, "grpc", "http://localhost:4317", id="of logs"),
        pytest.param(None, None, {PROTOCOL: "grpc", GENERAL: "h:4"}, "grpc", "https://h:4", id="no scheme is secured"),
        pytest.param(
            *(None, None, {PROTOCOL: "grpc", GENERAL: "h:4", "OTEL_EXPORTER_OTLP_INSECURE": "true"}),
            *("grpc", "http://h:4"),
            id="unless it is said",
        ),
        pytest.param(
            "", None, {GENERAL: " "}, "http/protobuf", "http://localhost:4318/v1/logs", id="empty is not said"
        ),
    ],
)
def test_the_address_of_a_receiver(endpoint, protocol, environment, spoken, url):
    found = destination(endpoint, protocol, None, environment)
    assert (found.protocol, found.url, found.name) == (spoken, url, url)


def test_credentials_in_an_address_are_neither_shown_nor_remembered():
    found = destination("https://me:secret@h:8/v1/logs?key=1", None, None, {})
    assert found.url == "https://me:secret@h:8/v1/logs?key=1"
    assert found.name == found.address == "https://h:8/v1/logs"


@pytest.mark.parametrize(
    ("one", "other", "protocol", "same"),
    [
        pytest.param("http://h:1", "http://h:1/", "http/protobuf", True, id="a last slash"),
        pytest.param("http://h:1", "http://h:1/v1/logs/", "http/protobuf", True, id="the default path"),
        pytest.param("http://h:1", "HTTP://H:1", "http/protobuf", True, id="capitals"),
        pytest.param("http://h", "http://h:80", "http/protobuf", True, id="the port of HTTP"),
        pytest.param("https://h", "https://h:443/", "http/protobuf", True, id="the port of HTTPS"),
        pytest.param("http://[::1]", "http://[::1]:80", "http/protobuf", True, id="an address in brackets"),
        pytest.param("http://h", "http://h:443", "grpc", True, id="the port of gRPC"),
        pytest.param("http://h", "http://h:80", "grpc", False, id="a port of gRPC"),
        pytest.param("http://h", "https://h", "http/protobuf", False, id="another scheme"),
        pytest.param("http://h/A", "http://h/a", "http/protobuf", False, id="capitals of a path"),
        pytest.param("http://localhost", "http://127.0.0.1", "http/protobuf", False, id="another name"),
    ],
)
def test_spellings_of_an_address_are_one_destination(one, other, protocol, same):
    names = {destination(address, protocol, None, {}).name for address in (one, other)}
    assert len(names) == (1 if same else 2)


def test_a_destination_can_be_named():
    found = destination("http://h", None, "tenant-7", {})
    assert (found.name, found.address) == ("tenant-7", "http://h/v1/logs")


@pytest.mark.parametrize(
    ("endpoint", "protocol", "environment", "said"),
    [
        pytest.param("h:4318", None, {}, "--endpoint: found 'h:4318'", id="no scheme"),
        pytest.param("ftp://h", None, {}, "--endpoint: found 'ftp://h'", id="another scheme"),
        pytest.param("http://", None, {}, "--endpoint: found 'http://'", id="no host"),
        pytest.param("http://h:99999", None, {}, "--endpoint: found", id="no such port"),
        pytest.param("http://a b", None, {}, "--endpoint: found", id="a blank"),
        pytest.param("x://me:secret@h", None, {}, "found '…@h'", id="without the password"),
        pytest.param(None, None, {GENERAL: "nonsense"}, f"{GENERAL}: found 'nonsense'", id="in the environment"),
        pytest.param(None, None, {PROTOCOL: "http/json"}, f"{PROTOCOL}: found 'http/json'", id="a protocol"),
    ],
)
def test_what_is_none_is_refused_in_one_line(endpoint, protocol, environment, said):
    with pytest.raises(InputError, match="was wanted") as refused:
        destination(endpoint, protocol, None, environment)
    assert said in str(refused.value)
    assert "secret" not in str(refused.value)

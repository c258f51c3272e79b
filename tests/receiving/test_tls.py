"""TLS of both protocols, with certificates of a CA made for the test, and how they are renewed while it runs."""

import datetime as dt
import ipaddress
import shutil
import signal
import socket
import ssl

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from otel_ragfault.errors import ConfigError
from otel_ragfault.receiving.tls import Tls, TlsFiles
from receiving.served import post, request, trusting, wait_for
from receiving.test_grpc import TRACES

DAY = dt.timedelta(days=1)
LOCAL = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]


def certificate(name, issuer=None):
    """A key and its certificate, signed by an issuer (key and certificate) or by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    signer, parent = (key, None) if issuer is None else issuer
    now = dt.datetime.now(dt.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if parent is None else parent.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)
        .not_valid_after(now + DAY)
        .add_extension(x509.BasicConstraints(ca=parent is None, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(LOCAL), critical=False)
    )
    return key, builder.sign(signer, hashes.SHA256())


def write(folder, name, pair):
    """Write key and certificate in PEM; return their paths."""
    key, cert = pair
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / f"{name}.key").write_bytes(secret)
    (folder / f"{name}.crt").write_bytes(cert.public_bytes(serialization.Encoding.PEM))
    return folder / f"{name}.crt", folder / f"{name}.key"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Paths by name: ``ca``, ``other_ca``, pairs of the first ``server``, ``client``, of the other ``renewed``, ``stranger``."""
    folder = tmp_path_factory.mktemp("tls")
    ca, other = certificate("tests CA"), certificate("another CA")
    return {
        "ca": write(folder, "ca", ca)[0],
        "other_ca": write(folder, "other_ca", other)[0],
        "server": write(folder, "server", certificate("server", ca)),
        "renewed": write(folder, "renewed", certificate("renewed", other)),
        "client": write(folder, "client", certificate("client", ca)),
        "stranger": write(folder, "stranger", certificate("stranger", other)),
    }


def start(serve, files, client_ca=None):
    tls = Tls(TlsFiles(*files["server"], client_ca))
    return serve(grpc=True, context=tls.http, credentials=tls.grpc)


def over_grpc(server, files, pair=None, ca="ca"):
    return send_grpc(server.grpc.address.port, files, pair, ca)


def send_grpc(port, files, pair=None, ca="ca"):
    read = [None, None] if pair is None else [files[pair][1].read_bytes(), files[pair][0].read_bytes()]
    credentials = grpc.ssl_channel_credentials(files[ca].read_bytes(), *read)
    with grpc.secure_channel(f"localhost:{port}", credentials) as channel:
        return channel.unary_unary(TRACES)(request(1), timeout=20)


def over_http(server, files, pair=None, ca="ca"):
    return send_http(server.address.port, files, pair, ca)


def send_http(port, files, pair=None, ca="ca"):
    context = trusting(files[ca], *(files[pair] if pair else ()))
    return post(port, body=request(1), context=context).status


def test_both_protocols_are_encrypted(serve, files):
    server = start(serve, files)
    assert over_http(server, files) == 200
    assert over_grpc(server, files) == b""
    with pytest.raises((ConnectionError, OSError)):
        post(server.address.port, body=request(1))
    with pytest.raises(grpc.RpcError), grpc.insecure_channel(f"localhost:{server.grpc.address.port}") as channel:
        channel.unary_unary(TRACES)(request(1), timeout=5)
    with pytest.raises(ssl.SSLError):
        post(server.address.port, body=request(1), context=trusting())


def test_senders_may_need_a_certificate_of_a_ca(serve, files):
    server = start(serve, files, files["ca"])
    assert over_http(server, files, "client") == 200
    assert over_grpc(server, files, "client") == b""
    for pair in (None, "stranger"):
        with pytest.raises((ssl.SSLError, ConnectionError)):
            over_http(server, files, pair)
        with pytest.raises(grpc.RpcError):
            over_grpc(server, files, pair)


def test_old_versions_are_refused(serve, files):
    context = trusting(files["ca"])
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionError)):
        post(start(serve, files).address.port, body=request(1), context=context)


def test_who_does_not_shake_hands_holds_nobody_up(serve, files):
    server = start(serve, files)
    silent = [socket.create_connection(("127.0.0.1", server.address.port)) for _ in range(50)]
    assert over_http(server, files) == 200
    for connection in silent:
        connection.close()


def test_the_command_with_tls(collect, files):
    cert, key = files["server"]
    command = collect("--tls-cert", str(cert), "--tls-key", str(key))
    answer = post(command.http, body=request(1), context=trusting(files["ca"]))
    assert answer.status == 200


@pytest.fixture
def place(files, tmp_path):
    """Put a pair of files where a receiver looks for its certificate and key, and a CA where it looks for that."""

    def put(pair, ca="ca"):
        cert, key = files[pair]
        for source, name in ((cert, "tls.crt"), (key, "tls.key"), (files[ca], "ca.crt")):
            shutil.copy(source, tmp_path / f"{name}.new")
            (tmp_path / f"{name}.new").replace(tmp_path / name)
        return TlsFiles(tmp_path / "tls.crt", tmp_path / "tls.key", tmp_path / "ca.crt")

    return put


def test_renewed_files_are_for_new_connections_and_old_ones_go_on(serve, files, place):
    tls = Tls(place("server"))
    server = serve(grpc=True, context=tls.http, credentials=tls.grpc)
    cert, key = files["client"]
    credentials = grpc.ssl_channel_credentials(files["ca"].read_bytes(), key.read_bytes(), cert.read_bytes())
    with grpc.secure_channel(f"localhost:{server.grpc.address.port}", credentials) as channel:
        old = channel.unary_unary(TRACES)
        assert old(request(1), timeout=20) == b""
        place("renewed", "other_ca")
        tls.reload()
        for _ in range(3):
            assert over_grpc(server, files, "stranger", "other_ca") == b""
            assert over_http(server, files, "stranger", "other_ca") == 200
        assert old(request(1), timeout=20) == b""
    for send in (over_grpc, over_http):  # the old certificate is not shown, nor the old CA trusted
        with pytest.raises((grpc.RpcError, ssl.SSLError, ConnectionError)):
            send(server, files, "stranger", "ca")
        with pytest.raises((grpc.RpcError, ssl.SSLError, ConnectionError)):
            send(server, files, "client", "other_ca")


def test_files_that_cannot_be_used_leave_both_protocols_as_they_were(serve, files, place):
    tls = Tls(place("server"))
    server = serve(grpc=True, context=tls.http, credentials=tls.grpc)
    given = place("renewed", "other_ca")
    given.key.write_bytes(files["client"][1].read_bytes())
    with pytest.raises(ConfigError, match="was wanted"):
        tls.reload()
    assert over_grpc(server, files, "client") == b""
    assert over_http(server, files, "client") == 200


def test_the_command_takes_a_renewed_certificate_on_sighup(collect, files, place):
    tls = place("server")
    command = collect("--tls-cert", str(tls.cert), "--tls-key", str(tls.key))
    assert send_http(command.http, files) == 200
    assert send_grpc(command.grpc, files) == b""
    place("renewed")
    command.signal(signal.SIGHUP)
    wait_for(lambda: any('"reloaded"' in line for line in command.errors))
    assert send_http(command.http, files, ca="other_ca") == 200
    assert send_grpc(command.grpc, files, ca="other_ca") == b""
    tls.cert.write_text("no PEM")
    command.signal(signal.SIGHUP)
    wait_for(lambda: any("reload failed" in line for line in command.errors))
    assert send_grpc(command.grpc, files, ca="other_ca") == b""
    assert command.stop() == 0


def test_files_that_do_not_fit_are_named(files, tmp_path):
    (tmp_path / "text").write_text("no PEM")
    (cert, key), (_, other_key) = files["server"], files["client"]
    for wrong in (TlsFiles(cert, other_key), TlsFiles(tmp_path / "text", key), TlsFiles(cert, key, tmp_path / "text"),
                  TlsFiles(tmp_path / "none", key)):  # fmt: skip
        with pytest.raises(ConfigError, match="was wanted"):
            Tls(wrong)

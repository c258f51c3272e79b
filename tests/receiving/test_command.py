"""The command: where it listens, how it stops, what it says, and what it leaves."""

import json
import os
import signal
import subprocess
import sys
import time

import duckdb
import pytest

from otel_ragfault.landing.spool import spool_folder
from otel_ragfault.store import connect
from receiving.served import PROTOBUF, request, wait_for


def stored(db):
    with connect(db, read_only=True) as con:
        return con.execute("SELECT count(*), count(DISTINCT (trace_id, span_id)) FROM span").fetchone()


def ragfault(*words, env=None):
    return subprocess.run(
        [sys.executable, "-m", "otel_ragfault", *map(str, words)],
        capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **(env or {})},
    )  # fmt: skip


def events(command):
    return [json.loads(line) for line in command.errors]


def test_sigterm_finishes_drains_and_exits_with_0(collect):
    command = collect()
    for seed in range(1, 6):
        assert command.post(body=request(50, seed=seed)).status == 200
    assert command.stop() == 0
    assert stored(command.db) == (250, 250)
    assert not list(spool_folder(command.db).glob("*.segment"))
    assert [event["event"] for event in events(command)] == ["started", "stopping", "stopped"]
    assert events(command)[-1]["drained"] is True


def test_one_interrupt_does_the_same(collect):
    command = collect()
    command.post(body=request(50))
    command.signal(signal.SIGINT)
    assert command.wait() == 0
    assert stored(command.db) == (50, 50)


def test_two_interrupts_exit_at_once_and_lose_nothing(collect):
    command = collect()
    holder = duckdb.connect(str(command.db))  # so that draining would take for ever
    holder.execute("CREATE TABLE mine (i INTEGER)")
    holder.execute("DROP TABLE mine")
    assert command.post(body=request(50)).status == 200
    command.signal(signal.SIGINT)
    wait_for(lambda: any("stopping" in line for line in command.errors))
    began = time.monotonic()
    command.signal(signal.SIGINT)
    assert command.wait() == 130
    assert time.monotonic() - began < 15  # of the 30 that draining may take
    holder.close()
    result = ragfault("load", "--db", command.db, "--json")
    assert json.loads(result.stdout)["spans"] == 50
    assert stored(command.db) == (50, 50)


def test_a_request_under_way_is_answered_before_the_end(collect):
    command = collect()
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", command.http, timeout=20)
    connection.putrequest("POST", "/v1/traces")
    connection.putheader("content-type", PROTOBUF)
    body = request(20)
    connection.putheader("content-length", str(len(body)))
    connection.endheaders(body[:100])
    time.sleep(0.3)
    command.signal(signal.SIGTERM)
    time.sleep(0.3)
    connection.send(body[100:])
    assert connection.getresponse().status == 200
    connection.close()
    assert command.wait() == 0
    assert stored(command.db) == (20, 20)


def test_when_the_receiver_is_killed_the_loader_ends_and_load_finishes(collect):
    command = collect()
    assert command.post(body=request(50)).status == 200
    loader = loader_pid(command)
    command.signal(signal.SIGKILL)
    command.wait()
    wait_for(lambda: not runs(loader))
    assert ragfault("load", "--db", command.db).returncode == 0
    assert stored(command.db) == (50, 50)
    status = json.loads(ragfault("status", "--db", command.db, "--json").stdout)
    assert [receiver["running"] for receiver in status["receivers"]] == [False]
    assert status["database"]["spans"] == 50


def loader_pid(command):
    """The loader's process, as the receiver's note has it."""

    def look():
        notes = spool_folder(command.db).glob("receiver-*.json")
        return next((json.loads(path.read_bytes())["loader"]["pid"] for path in notes), None)

    wait_for(look)
    return look()


def runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_loader_that_dies_is_started_again(collect):
    command = collect()
    os.kill(loader_pid(command), signal.SIGKILL)
    wait_for(lambda: command.get("/readyz").status == 503)
    assert command.post(body=request(10)).status == 200
    wait_for(lambda: command.get("/readyz").status == 200)
    assert command.stop() == 0
    assert stored(command.db) == (10, 10)
    assert any(event["event"].startswith("loader ended") for event in events(command))


def test_status_while_the_collector_runs_and_while_the_database_is_held(collect):
    command = collect()
    command.post(body=request(30, bad=2))
    command.post(body=b"abc")
    wait_for(lambda: json.loads(ragfault("status", "--db", command.db, "--json").stdout)["database"].get("spans") == 30)
    wait_for(lambda: json.loads(ragfault("status", "--db", command.db, "--json").stdout)["receivers"][0]["refused"])
    status = json.loads(ragfault("status", "--db", command.db, "--json").stdout)
    assert status["receivers"][0]["http"] == f"127.0.0.1:{command.http}"
    assert status["receivers"][0]["refused"] == {"malformed": 1.0}
    assert status["database"]["rejected"] == {"trace id of 5 bytes, not 16": 2}
    assert status["database"]["days"][0]["spans"] == 30
    holder = hold(command.db)
    command.post(body=request(5, seed=2))
    time.sleep(1.5)
    result = ragfault("status", "--db", command.db, "--json")
    assert result.returncode == 0, result.stderr
    status = json.loads(result.stdout)
    assert status["database"]["state"] == "in use"
    assert status["database"]["holder"]["pid"] == holder.pid
    assert status["spool"]["sealed"] == 1
    assert status["lag"] > 0.5
    text = ragfault("status", "--db", command.db).stdout
    assert f"in use by process {holder.pid}" in text
    holder.communicate(b"\n")
    assert command.stop() == 0
    assert stored(command.db) == (35, 35)


def hold(db):
    """A process that holds a database until it gets a line."""
    code = "import duckdb, sys; con = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.readline()"
    for _ in range(100):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(db)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        if process.stdout.readline():
            return process
        process.communicate()
    raise AssertionError("the database was never free")


def test_a_token_file_is_read_again_on_sighup(collect, tmp_path):
    token = tmp_path / "token"
    token.write_text("old\n")
    command = collect("--token-file", str(token))
    assert command.post(body=request(1), headers={"authorization": "Bearer old"}).status == 200
    token.write_text("new\n")
    command.signal(signal.SIGHUP)
    wait_for(lambda: command.post(body=request(1), headers={"authorization": "Bearer new"}).status == 200)
    assert command.post(body=request(1), headers={"authorization": "Bearer old"}).status == 401
    token.write_text("")
    command.signal(signal.SIGHUP)
    wait_for(lambda: any("reload failed" in line for line in command.errors))
    assert command.post(body=request(1), headers={"authorization": "Bearer new"}).status == 200


def test_a_token_from_the_environment(collect):
    command = collect(env={"RAGFAULT_COLLECT_TOKEN": "secret"})
    assert command.post(body=request(1)).status == 401
    assert command.post(body=request(1), headers={"authorization": "Bearer secret"}).status == 200
    assert not any("secret" in line for line in command.errors)


def test_requests_are_not_logged_one_by_one(collect):
    command = collect()
    for _ in range(50):
        command.post(body=b"abc")
        command.post(body=request(1))
    command.stop()
    lines = [event for event in events(command) if event["event"] == "requests refused"]
    assert 1 <= len(lines) <= 2
    assert sum(line["counts"]["malformed"] for line in lines) == 50


USAGE = {
    "an open door": (["--http", "0.0.0.0:0"], "other machines reach this address"),
    "an open door for gRPC": (["--grpc", "0.0.0.0:0"], "other machines reach this address"),
    "an open door on IPv6": (["--http", "[::]:0"], "other machines reach this address"),
    "nothing to serve": (["--http", "off", "--grpc", "off"], "neither HTTP nor gRPC"),
    "no port": (["--http", "localhost"], "wanted HOST:PORT"),
    "a port too high": (["--http", "localhost:70000"], "up to 65535"),
    "no such host": (["--http", "no-such-host.invalid:0"], "an address of this machine was wanted"),
    "no such address": (["--http", "192.0.2.1:0", "--insecure-no-auth"], "192.0.2.1:0"),
    "no token file": (["--token-file", "missing"], "a file with a token a line was wanted"),
    "a key without a certificate": (["--tls-key", "missing"], "belong together"),
    "no certificate": (["--tls-key", "missing", "--tls-cert", "missing"], "missing"),
    "a CA without a certificate": (["--tls-client-ca", "missing"], "needs --tls-cert"),
}


@pytest.mark.parametrize(("arguments", "said"), USAGE.values(), ids=USAGE)
def test_wrong_usage_is_told_in_one_line(tmp_path, arguments, said):
    result = ragfault("collect", "--db", tmp_path / "a.duckdb", "--http", "127.0.0.1:0", "--grpc", "off", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_an_open_door_may_be_asked_for(collect):
    assert collect("--http", "0.0.0.0:0", "--insecure-no-auth").post(body=request(1)).status == 200


def test_a_port_in_use_is_named_and_the_spool_left_alone(collect):
    first = collect()
    second = ragfault("collect", "--db", first.db, "--grpc", "off", "--http", f"127.0.0.1:{first.http}")
    assert second.returncode == 2
    assert "stop who uses it" in second.stderr


def test_two_receivers_for_one_database(collect):
    first, second = collect(), collect()
    for seed in range(1, 5):
        assert first.post(body=request(25, seed=seed)).status == 200
        assert second.post(body=request(25, seed=seed)).status == 200
    assert (first.stop(), second.stop()) == (0, 0)
    ragfault("load", "--db", first.db)
    assert stored(first.db) == (100, 100)


@pytest.mark.parametrize("package", ["uvicorn", "prometheus_client"])
def test_without_the_extra_the_command_says_what_to_install_and_the_others_work(tmp_path, package):
    code = (
        f"import sys; sys.modules[{package!r}] = None; from otel_ragfault.cli import main; "
        f"sys.argv = ['ragfault', sys.argv[1], '--db', {str(tmp_path / 'a.duckdb')!r}]; main()"
    )
    results = {
        command: subprocess.run([sys.executable, "-c", code, command], capture_output=True, text=True, check=False)
        for command in ("collect", "status", "load")
    }
    assert [result.returncode for result in results.values()] == [2, 0, 0]
    assert results["collect"].stderr.endswith("pip install 'otel-ragfault[collect]'\n")
    assert len(results["collect"].stderr.splitlines()) == 1

"""A reader gets the database within a second while the collector receives all it can."""

import http.client
import statistics
import subprocess
import sys
import threading
import time

from otel_ragfault.store import connect
from receiving.served import PROTOBUF, request, wait_for

QUERY = (
    "import duckdb, sys, time; began = time.monotonic()\n"
    "while True:\n"
    "    try: con = duckdb.connect(sys.argv[1], read_only=True); break\n"
    "    except duckdb.IOException: time.sleep(0.01)\n"
    "con.execute('SELECT count(*) FROM span').fetchone(); con.close(); print(time.monotonic() - began)"
)


def send(command, stop, seeds, failed):
    connection = http.client.HTTPConnection("127.0.0.1", command.http, timeout=30)
    while not stop.is_set():
        body = request(512, seed=next(seeds), text="x" * 300)
        connection.request("POST", "/v1/traces", body, {"content-type": PROTOBUF})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            failed.append(answer.status)
    connection.close()


def seconds_to_read(db):
    result = subprocess.run(
        [sys.executable, "-c", QUERY, str(db)], capture_output=True, text=True, timeout=60, check=True
    )
    return float(result.stdout)


def test_a_query_gets_through_under_full_load(collect, tmp_path):
    """A database that nobody writes is read beside it: what takes longer there is owed to other work of the machine."""
    quiet = tmp_path / "quiet.duckdb"
    connect(quiet, create=True).close()
    command = collect()
    stop, failed = threading.Event(), []
    senders = [
        threading.Thread(target=send, args=(command, stop, iter(range(first, 10**9, 4)), failed))
        for first in range(1, 5)
    ]
    for sender in senders:
        sender.start()
    try:
        wait_for(command.db.exists)
        time.sleep(1)
        waits, beside = [], []
        for _ in range(5):
            waits.append(seconds_to_read(command.db))
            beside.append(seconds_to_read(quiet))
            named = subprocess.run(
                [sys.executable, "-m", "otel_ragfault", "query", "--db", str(command.db), "--sql", "SELECT 1 AS one"],
                capture_output=True, text=True, timeout=60, check=False,
            )  # fmt: skip
            assert named.returncode == 0, named.stderr
    finally:
        stop.set()
        for sender in senders:
            sender.join()
    assert failed == []
    assert sorted(waits)[-2] < max(1.0, 10 * statistics.median(beside)), (waits, beside)
    command.kill()

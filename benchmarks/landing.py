"""What landing over OTLP/HTTP takes: `ragfault collect` and a load generator on the cores of this machine.

Bodies of 512 spans, four to a trace: a root, a retrieval with 50 ids and scores in one JSON attribute, an assembly with
8 ids, and a generation with an answer of 450 characters. Measured are spans acknowledged and spans that can be queried
a second, the time to acknowledge at full and at half load, and memory. The ratios compare with one thread that parses
the same bodies (upb) and makes Arrow tables of them, measured in the same run before and after, so that they say
something on a busy machine too.

    python benchmarks/landing.py --spans 1000000 [--grpc] [--json]
"""

import argparse
import http.client
import json
import multiprocessing
import os
import queue
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

import duckdb
import grpc
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from otel_ragfault.landing import decode_protobuf, to_table

SPANS_A_BODY = 512
SENDERS = 8
STAGES = ("ask", "retrieve", "assemble", "generate")
METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
HEADERS = {"content-type": "application/x-protobuf"}


def make_template():
    """Returns a request whose ids and times :func:`fresh` fills in."""
    message = ExportTraceServiceRequest()
    group = message.resource_spans.add()
    group.resource.attributes.add(key="service.name").value.string_value = "benchmark"
    spans = group.scope_spans.add()
    spans.scope.name = "benchmark"
    for number in range(SPANS_A_BODY):
        span = spans.spans.add(name=STAGES[number % len(STAGES)], kind=1)
        for key, value in content(number).items():
            attribute = span.attributes.add(key=key).value
            if isinstance(value, int):
                attribute.int_value = value
            else:
                attribute.string_value = value
    return message


def content(number):
    """Returns the attributes of one span."""
    source = random.Random(number)
    ids = [f"doc-{source.randrange(10**6):06d}#{source.randrange(9)}" for _ in range(50)]
    stage = STAGES[number % len(STAGES)]
    if stage == "ask":
        return {"gen_ai.operation.name": "invoke_workflow", "ragfault.case.id": f"case-{number}"}
    if stage == "retrieve":
        ranking = [{"id": name, "score": round(source.random(), 6)} for name in ids]
        return {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": json.dumps(ranking),
                "gen_ai.retrieval.top_k": 5, "gen_ai.retrieval.query.text": "how long may a flight be?"}  # fmt: skip
    if stage == "assemble":
        return {"ragfault.stage": "assembly", "ragfault.assembly.prompt_ids": json.dumps(ids[:8])}
    answer = " ".join(source.choice(("cabin", "hours", "eight", "class", "policy")) for _ in range(75))
    return {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 900,
            "gen_ai.output.messages": answer}  # fmt: skip


def fresh(message, number):
    """Returns the body of a request with ids that no other number has."""
    now = time.time_ns()
    for at, span in enumerate(message.resource_spans[0].scope_spans[0].spans):
        span.trace_id = (number + 1).to_bytes(8) + (at // 4 + 1).to_bytes(8)
        span.span_id = (number << 16 | (at + 1)).to_bytes(8)
        span.start_time_unix_nano = now + at * 1000
        span.end_time_unix_nano = span.start_time_unix_nano + 5_000_000
    return message.SerializeToString()


def parse_rate(bodies, seconds=2.0):
    """Returns the spans a second that one thread parses into Arrow tables."""
    began, spans = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        for body in bodies:
            spans += to_table(decode_protobuf(body).rows).num_rows
    return spans / (time.perf_counter() - began)


class Collector:
    """`ragfault collect` in a process of its own."""

    def __init__(self, db):
        command = [sys.executable, "-m", "otel_ragfault", "collect", "--db", str(db), "--http", "127.0.0.1:0"]
        self.process = subprocess.Popen(  # noqa: S603 - this interpreter and our own command
            [*command, "--grpc", "127.0.0.1:0", "--drain-timeout", "600", "--max-spool", "20000"],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.http, self.grpc = (int(self.process.stdout.readline().rsplit(":", 1)[1]) for _ in range(2))

    def wait_until_loaded(self, spans):
        """Waits until so many spans are in the database, as the loader says; asking the database would hold it up."""
        while self.loaded() < spans:
            time.sleep(0.05)

    def loaded(self):
        """Returns how many spans the loader has stored."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.http}/metrics") as page:
            lines = page.read().decode().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("ragfault_loader_spans_total"))

    def memory(self):
        """Returns the MiB of receiver and loader."""
        return round((resident(self.process.pid) + sum(map(resident, children(self.process.pid)))) / 1024)

    def stop(self):
        """Ends it; it drains."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait()


def children(pid):
    """Returns the processes that a process started."""
    lists = [path.read_text("ascii") for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for text in lists for child in text.split()]


def resident(pid):
    """Returns the KiB that a process has in memory."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def send_all(port, over_grpc, bodies, pace, taken, failed):
    """One sender: sends what the queue holds, at its pace, and notes how long each answer took."""
    if over_grpc:
        channel = grpc.insecure_channel(f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)])
        call = channel.unary_unary(METHOD)
        send = lambda body: call(body, timeout=60) == b""  # noqa: E731 - two forms of one thing
    else:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

        def send(body):
            connection.request("POST", "/v1/traces", body, HEADERS)
            answer = connection.getresponse()
            return answer.read() == b"" and answer.reason == "OK"

    next_at = time.perf_counter() + random.random() * pace
    while (body := bodies.get()) is not None:
        if pace:
            time.sleep(max(0.0, next_at - time.perf_counter()))
            next_at += pace
        began = time.perf_counter()
        if send(body):
            taken.append(time.perf_counter() - began)
        else:
            failed.append(time.perf_counter() - began)


def generate(port, over_grpc, first, count, pace, result):
    """A process that sends ``count`` bodies over eight connections."""
    message = make_template()
    bodies, taken, failed = queue.Queue(16), [], []
    arguments = (port, over_grpc, bodies, pace, taken, failed)
    senders = [threading.Thread(target=send_all, args=arguments) for _ in range(SENDERS)]
    for sender in senders:
        sender.start()
    began = time.perf_counter()
    for number in range(first, first + count):
        bodies.put(fresh(message, number))
    for _ in senders:
        bodies.put(None)
    for sender in senders:
        sender.join()
    result.put((time.perf_counter() - began, taken, len(failed)))


def load(port, over_grpc, first, count, rate=None):
    """Returns seconds, times to acknowledge and failures of one load; ``rate`` is in bodies a second."""
    result = multiprocessing.get_context("spawn").Queue()
    pace = 0 if rate is None else SENDERS / rate
    process = multiprocessing.get_context("spawn").Process(
        target=generate, args=(port, over_grpc, first, count, pace, result)
    )
    process.start()
    found = result.get()
    process.join()
    return found


def stored(db):
    """Returns how many spans can be queried, once the collector has ended."""
    with duckdb.connect(str(db), read_only=True) as con:
        return con.execute("SELECT count(*) FROM span").fetchone()[0]


def milliseconds(times, share):
    """Returns a quantile."""
    return round(statistics.quantiles(times, n=100)[round(share * 100) - 1] * 1000, 1)


def measure(arguments, folder):
    """Returns the figures."""
    db, count = Path(folder) / "landing.duckdb", arguments.spans // SPANS_A_BODY
    message = make_template()
    bodies = [fresh(message, 2**30 + number) for number in range(16)]
    before = parse_rate(bodies)
    collector = Collector(db)
    port = collector.grpc if arguments.grpc else collector.http
    load(port, arguments.grpc, 0, 20)  # warm
    collector.wait_until_loaded(20 * SPANS_A_BODY)
    memory = collector.memory()
    began = time.perf_counter()
    seconds, times, failures = load(port, arguments.grpc, 20, count)
    collector.wait_until_loaded((20 + count) * SPANS_A_BODY)
    visible = time.perf_counter() - began
    acknowledged = count * SPANS_A_BODY / seconds
    half_count = max(100, count // 4)
    _, half_times, half_failures = load(port, arguments.grpc, 20 + count, half_count, acknowledged / SPANS_A_BODY / 2)
    total = (20 + count + half_count) * SPANS_A_BODY
    collector.wait_until_loaded(total)
    memory_after = collector.memory()
    code = collector.stop()
    parsed = statistics.mean((before, parse_rate(bodies)))
    queryable = count * SPANS_A_BODY / visible
    return {
        "protocol": "grpc" if arguments.grpc else "http",
        "spans": total,
        "stored": stored(db),
        "bytes_a_span": round(len(bodies[0]) / SPANS_A_BODY),
        "acknowledged_per_s": round(acknowledged),
        "queryable_per_s": round(queryable),
        "parse_per_s": round(parsed),
        "acknowledged_ratio": round(acknowledged / parsed, 2),
        "queryable_ratio": round(queryable / parsed, 2),
        "full_p50_ms": milliseconds(times, 0.5),
        "full_p99_ms": milliseconds(times, 0.99),
        "half_p50_ms": milliseconds(half_times, 0.5),
        "half_p99_ms": milliseconds(half_times, 0.99),
        "failures": failures + half_failures,
        "memory_mib": [memory, memory_after],
        "exit_code": code,
        "cores": os.cpu_count(),
    }


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="What landing over OTLP takes.")
    parser.add_argument("--spans", type=int, default=500_000, help="how many to send at full load")
    parser.add_argument("--grpc", action="store_true", help="over gRPC instead of HTTP")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--dir", help="where to make the database, instead of the folder for temporary files")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.dir) as folder:
        figures = measure(arguments, folder)
    if arguments.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:20} {value}")


if __name__ == "__main__":
    main()

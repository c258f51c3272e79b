"""What landing over OTLP/HTTP takes: `ragfault collect` and a load generator on the cores of this machine.

Bodies of 512 spans, four to a trace: a root, a retrieval with 50 ids and scores in one JSON attribute, an assembly with
8 ids, and a generation with an answer of 450 characters. Measured are spans acknowledged and spans that can be queried
a second, from the first request on, the time to acknowledge at full and at half load, memory, and the CPU time of each
process. The receiver is warm: its loader has started the processes that decode. The ratios compare with one thread that
parses the same bodies (upb) and makes Arrow tables of them, measured in the same run before and after, so that they say
something on a busy machine too; CPU time says most there.

    python benchmarks/landing.py --spans 1000000 [--grpc] [--json]
"""

import argparse
import http.client
import json
import multiprocessing
import operator
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
from typing import NamedTuple

import duckdb
import grpc
import numpy as np
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from otel_ragfault.landing import decode_protobuf, to_table

SPANS_A_BODY = 512
SENDERS = 8
WARM = 120  # bodies: as many as it takes until the loader decodes in processes of their own
STAGES = ("ask", "retrieve", "assemble", "generate")
ROLES = ("senders", "receiver", "loader", "decoders")
METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
HEADERS = {"content-type": "application/x-protobuf"}


def make_template():
    """Returns a request without ids and times."""
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


class Bodies:
    """Requests that differ in ids and times only, which are written into the bytes of one: a generator costs cores."""

    def __init__(self):
        message, marks = make_template(), []
        for at, span in enumerate(message.resource_spans[0].scope_spans[0].spans):
            marks.append(b"%08d" % at)
            span.trace_id, span.span_id = b"template" + marks[-1], marks[-1]
            span.start_time_unix_nano = span.end_time_unix_nano = 2**62 + at
        content = message.SerializeToString()
        trace_ids = [content.index(b"template" + mark) for mark in marks]
        span_ids = [content.index(mark, found + 16) for mark, found in zip(marks, trace_ids, strict=True)]
        starts = [content.index((2**62 + at).to_bytes(8, "little"), found) for at, found in enumerate(span_ids)]
        self.content = np.frombuffer(content, np.uint8)
        self.trace_ids, self.span_ids, self.starts = (places(found) for found in (trace_ids, span_ids, starts))
        self.ends = self.starts + 9  # a tag lies between

    def fresh(self, number):
        """Returns the body of a request with ids that no other number has."""
        made, at = self.content.copy(), np.arange(SPANS_A_BODY, dtype=np.uint64)
        starts = np.uint64(time.time_ns()) + at * np.uint64(1000)
        made[self.trace_ids] = octets(np.full(SPANS_A_BODY, number + 1, ">u8"))
        made[self.trace_ids + 8] = octets((at // np.uint64(4) + np.uint64(1)).astype(">u8"))
        made[self.span_ids] = octets((np.uint64(number << 16) | (at + np.uint64(1))).astype(">u8"))
        made[self.starts] = octets(starts.astype("<u8"))
        made[self.ends] = octets((starts + np.uint64(5_000_000)).astype("<u8"))
        return made.tobytes()


def places(found):
    """Returns the places of eight bytes from each of those on."""
    return np.array(found)[:, None] + np.arange(8)


def octets(numbers):
    """Returns the eight bytes of each number."""
    return numbers.view(np.uint8).reshape(-1, 8)


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

    def spent(self):
        """Returns the seconds on a core of receiver, loader and the processes that decode."""
        loaders = children(self.process.pid)
        decoders = [child for loader in loaders for child in children(loader)]
        return [sum(map(on_core, pids)) for pids in ([self.process.pid], loaders, decoders)]

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


def on_core(pid):
    """Returns the seconds that a process has spent on a core."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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


class Load(NamedTuple):
    """What became of one load: when it began, the seconds until the last answer, those of its process on a core."""

    began: float
    seconds: float
    cpu: float
    times: list
    failures: int


def generate(port, over_grpc, first, count, pace, result):
    """A process that sends ``count`` bodies over eight connections."""
    source, bodies, taken, failed = Bodies(), queue.Queue(16), [], []
    arguments = (port, over_grpc, bodies, pace, taken, failed)
    senders = [threading.Thread(target=send_all, args=arguments) for _ in range(SENDERS)]
    began, spent = time.monotonic(), time.process_time()
    for sender in senders:
        sender.start()
    for number in range(first, first + count):
        bodies.put(source.fresh(number))
    for _ in senders:
        bodies.put(None)
    for sender in senders:
        sender.join()
    result.put(Load(began, time.monotonic() - began, time.process_time() - spent, taken, len(failed)))


def load(port, over_grpc, first, count, rate=None):
    """Returns what became of a load; ``rate`` is in bodies a second."""
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
    source = Bodies()
    bodies = [source.fresh(2**30 + number) for number in range(16)]
    before = parse_rate(bodies)
    collector = Collector(db)
    port = collector.grpc if arguments.grpc else collector.http
    load(port, arguments.grpc, 0, WARM)
    collector.wait_until_loaded(WARM * SPANS_A_BODY)
    memory, spent = collector.memory(), collector.spent()
    full = load(port, arguments.grpc, WARM, count)
    collector.wait_until_loaded((WARM + count) * SPANS_A_BODY)
    visible = time.monotonic() - full.began
    spent = [full.cpu, *map(operator.sub, collector.spent(), spent)]
    acknowledged = count * SPANS_A_BODY / full.seconds
    half_count = max(100, count // 4)
    half = load(port, arguments.grpc, WARM + count, half_count, acknowledged / SPANS_A_BODY / 2)
    total = (WARM + count + half_count) * SPANS_A_BODY
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
        **{
            f"{role}_cpu_us_a_span": round(seconds / count / SPANS_A_BODY * 1e6, 2)
            for role, seconds in zip(ROLES, spent, strict=True)
        },
        "full_p50_ms": milliseconds(full.times, 0.5),
        "full_p99_ms": milliseconds(full.times, 0.99),
        "half_p50_ms": milliseconds(half.times, 0.5),
        "half_p99_ms": milliseconds(half.times, 0.99),
        "failures": full.failures + half.failures,
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

"""What exporting costs a pipeline: our exporter beside the OTLP/protobuf exporter over HTTP.

One request is four spans: the request, a retrieval with 50 ids and scores, an assembly with 8 ids, a generation with an
answer of about 450 characters, recorded as our decorators record them. Each exporter runs in a process of its own
behind a BatchSpanProcessor; the OTLP exporter sends to a server in another process that answers and forgets. Two things
are measured: the CPU time of the process beyond that of one that exports to nowhere, divided by the requests, and how
long the pipeline takes for a request while the exporter works in the background, at a fixed rate. "duckdb" includes
loading the spool into the database; "duckdb, not loaded" is what is comparable to OTLP, where a server does that.

    python benchmarks/exporter_cost.py [--requests 4000] [--rate 400] [--rounds 3] [--json]
"""

import argparse
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

KINDS = ("nowhere", "otlp", "duckdb", "duckdb, not loaded")
ANSWER = "A flight of more than 8 hours may be booked in business class when the traveller works on arrival. " * 5
QUESTION = "Which cabin may I book for a flight of ten hours?"


def make_exporter(kind, target):
    if kind == "otlp":
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        return OTLPSpanExporter(endpoint=target)
    if kind.startswith("duckdb"):
        from otel_ragfault.landing import DuckDBSpanExporter

        return DuckDBSpanExporter(target, **({"load_every": None} if "not" in kind else {}))
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

    class Nowhere(SpanExporter):
        def export(self, _spans):
            return SpanExportResult.SUCCESS

    return Nowhere()


def make_request(tracer):
    """Return a function that records one request, with attributes as the decorators write them."""
    documents = json.dumps([{"id": f"chunk-{i:04}", "score": 20 / (i + 1)} for i in range(50)])
    chunks = json.dumps([f"chunk-{i:04}" for i in range(8)])
    messages = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": ANSWER[:450]}]}])
    stages = {
        "retrieval": {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.retrieval.query.text": QUESTION,
            "gen_ai.retrieval.documents": documents,
            "ragfault.retrieval.complete": True,
            "ragfault.retrieval.score_kind": "bm25",
        },
        "assembly": {"ragfault.assembly.chunk_ids": chunks, "ragfault.assembly.budget": 400},
        "generation": {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "model",
            "gen_ai.output.messages": messages,
            "gen_ai.usage.input_tokens": 400,
            "gen_ai.usage.output_tokens": 90,
        },
    }

    def request():
        with tracer.start_as_current_span("rag", attributes={"ragfault.stage": "request", "ragfault.case_id": "c"}):
            for stage, attributes in stages.items():
                with tracer.start_as_current_span(stage, attributes={"ragfault.stage": stage}) as span:
                    span.set_attributes(attributes)

    return request


def child(kind, target, requests, rate):
    """Record requests at a rate; print the CPU seconds of the process and the median microseconds of a request."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    exporter = make_exporter(kind, target)
    provider = TracerProvider(resource=Resource({"service.name": "bench"}))
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=500))
    request = make_request(provider.get_tracer("bench"))
    for _ in range(200):
        request()
    provider.force_flush()
    if kind.startswith("duckdb"):
        exporter.force_flush()
    gc.collect()
    before = time.process_time()
    began = time.perf_counter()
    times = []
    for i in range(requests):
        start = time.perf_counter()
        request()
        times.append(time.perf_counter() - start)
        ahead = began + (i + 1) / rate - time.perf_counter()
        if ahead > 0:
            time.sleep(ahead)
    provider.shutdown()
    cpu = time.process_time() - before
    cuts = statistics.quantiles(times, n=100)
    micros = {"median": cuts[49] * 1e6, "mean": statistics.mean(times) * 1e6, "p95": cuts[94] * 1e6}
    print(json.dumps({"cpu": cpu, **micros}))


def null_server():
    class Answer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    print(server.server_port, flush=True)
    server.serve_forever()


def run(kind, target, arguments):
    command = [sys.executable, __file__, "--child", kind, "--target", target]
    command += ["--requests", str(arguments.requests), "--rate", str(arguments.rate)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - ourselves
    return json.loads(done.stdout)


def compare(arguments):
    server = subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, __file__, "--server"], stdout=subprocess.PIPE, text=True
    )
    port = server.stdout.readline().strip()
    results = {kind: [] for kind in KINDS}
    try:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(arguments.rounds):
                for kind in KINDS:
                    database = str(Path(folder) / f"{kind[-3:]}-{number}.duckdb")
                    target = f"http://127.0.0.1:{port}/v1/traces" if kind == "otlp" else database
                    results[kind].append(run(kind, target, arguments))
    finally:
        server.kill()
    return {
        kind: {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}
        for kind, rounds in results.items()
    }


def report(results, requests):
    nothing = results["nowhere"]
    rows = {
        kind: {
            "cpu_us_a_request": round((found["cpu"] - nothing["cpu"]) / requests * 1e6, 1),
            "caller_median_us": round(found["median"], 1),
            "caller_mean_us": round(found["mean"], 1),
            "caller_p95_us": round(found["p95"], 1),
        }
        for kind, found in results.items()
    }
    otlp = rows["otlp"]["cpu_us_a_request"]
    ratios = {
        "cpu_of_otlp": round(rows["duckdb"]["cpu_us_a_request"] / otlp, 2),
        "cpu_of_otlp_not_loaded": round(rows["duckdb, not loaded"]["cpu_us_a_request"] / otlp, 2),
        "caller_median_of_nowhere": round(results["duckdb"]["median"] / nothing["median"], 2),
        "caller_mean_of_nowhere": round(results["duckdb"]["mean"] / nothing["mean"], 2),
        "otlp_caller_mean_of_nowhere": round(results["otlp"]["mean"] / nothing["mean"], 2),
    }
    return {"exporters": rows, "ratios": ratios}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=400.0, help="requests a second")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", dest="as_json")
    parser.add_argument("--child", choices=KINDS, help=argparse.SUPPRESS)
    parser.add_argument("--target", help=argparse.SUPPRESS)
    parser.add_argument("--server", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.server:
        null_server()
    elif arguments.child:
        child(arguments.child, arguments.target, arguments.requests, arguments.rate)
    else:
        found = report(compare(arguments), arguments.requests)
        if arguments.as_json:
            print(json.dumps(found))
            return
        for kind, row in found["exporters"].items():
            print(f"{kind:20}" + "".join(f"  {name} {value:>9,.1f}" for name, value in row.items()))
        for name, ratio in found["ratios"].items():
            print(f"{name:32}{ratio:>8}")


if __name__ == "__main__":
    main()

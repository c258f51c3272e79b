"""Does `ragfault collect` stay as it is over ten million spans? Memory, rate, time to acknowledge, million by million.

Spans are sent as fast as they are taken, in rounds; after each round the collector loads what waits. Memory is that of
the receiver, of the loader and of what the loader started, the greatest of each round. What the promise is about is the
last column against the second round (the first one warms up).

    python benchmarks/soak.py [--spans 10000000] [--rounds 10] [--grpc] [--json]
"""

import argparse
import json
import tempfile
import threading
import time
from pathlib import Path

from landing import SPANS_A_BODY, Collector, children, load, milliseconds, resident, stored


class Watch:
    """Samples the memory of the collector's processes until it is stopped."""

    def __init__(self, pid):
        self.pid = pid
        self.most = {"receiver": 0, "loader": 0, "decoders": 0}
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        """Samples."""
        while not self.ended.wait(0.1):
            loaders = children(self.pid)
            found = {
                "receiver": resident(self.pid),
                "loader": sum(map(resident, loaders)),
                "decoders": sum(resident(child) for loader in loaders for child in children(loader)),
            }
            self.most = {role: max(self.most[role], kib) for role, kib in found.items()}

    def stop(self):
        """Returns the greatest MiB of each role."""
        self.ended.set()
        self.thread.join()
        return {role: kib // 1024 for role, kib in self.most.items()}


def one_round(collector, port, over_grpc, first, count):
    """Returns the figures of a round."""
    watch = Watch(collector.process.pid)
    sent = load(port, over_grpc, first, count)
    collector.wait_until_loaded((first + count) * SPANS_A_BODY)
    visible = time.monotonic() - sent.began
    return {
        "spans": (first + count) * SPANS_A_BODY,
        "acknowledged_per_s": round(count * SPANS_A_BODY / sent.seconds),
        "queryable_per_s": round(count * SPANS_A_BODY / visible),
        "p99_ms": milliseconds(sent.times, 0.99),
        "failures": sent.failures,
        **{f"{role}_mib": mib for role, mib in watch.stop().items()},
    }


def measure(arguments, folder):
    db, bodies = Path(folder) / "soak.duckdb", arguments.spans // SPANS_A_BODY // arguments.rounds
    collector = Collector(db)
    port = collector.grpc if arguments.grpc else collector.http
    rounds = []
    for number in range(arguments.rounds):
        rounds.append(one_round(collector, port, arguments.grpc, number * bodies, bodies))
        if not arguments.json:
            show(rounds[-1], header=not number)
    code = collector.stop()
    size = db.stat().st_size // 2**20
    return {"rounds": rounds, "sent": rounds[-1]["spans"], "stored": stored(db), "database_mib": size, "exit": code}


def show(figures, *, header):
    if header:
        print("".join(f"{name:>20}" for name in figures), flush=True)
    print("".join(f"{value:>20,}" for value in figures.values()), flush=True)


def main():
    parser = argparse.ArgumentParser(description="Memory and rate over many spans.")
    parser.add_argument("--spans", type=int, default=10_000_000, help="how many to send in all")
    parser.add_argument("--rounds", type=int, default=10, help="in how many rounds")
    parser.add_argument("--grpc", action="store_true", help="over gRPC instead of HTTP")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--dir", help="where to make the database, instead of the folder for temporary files")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.dir) as folder:
        figures = measure(arguments, folder)
    if arguments.json:
        print(json.dumps(figures))
        return
    second, last = figures["rounds"][min(1, arguments.rounds - 1)], figures["rounds"][-1]
    for role in ("receiver", "loader", "decoders"):
        print(f"{role:10} last / second round: {last[f'{role}_mib'] / max(1, second[f'{role}_mib']):.2f}")
    print(f"sent {figures['sent']:,}, stored {figures['stored']:,}, database {figures['database_mib']:,} MiB")


if __name__ == "__main__":
    main()

"""What capture costs: one decorated retrieval of 50 (id, score) pairs against an empty span of the SDK.

Run with ``--json`` for scripts. All forms are interleaved in short rounds, so that a busy machine slows them alike, and
the ratio is the median over rounds of the ratio within a round.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from otel_ragfault.capture import RagfaultSpanProcessor, retrieval, set_capture
from otel_ragfault.capture._rankings import ranking_json
from otel_ragfault.capture._text import View

HITS = [(f"doc-{number:04d}#{number % 7}", 1.0 / (number + 1.37)) for number in range(50)]
OBJECTS = [{"id": name, "score": score, "metadata": {}} for name, score in HITS]
BLIND = View(content=False, redact=None)


class NullExporter(SpanExporter):
    """Takes spans and forgets them."""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Accepts all."""
        del spans
        return SpanExportResult.SUCCESS


def forms(provider: TracerProvider) -> dict[str, Callable[[], object]]:
    """Returns what is timed, by name."""
    tracer = provider.get_tracer("benchmark")

    def plain(query: str = "q") -> list[tuple[str, float]]:
        return HITS if query else []

    def empty_span() -> None:
        with tracer.start_as_current_span("empty"):
            pass

    decorated = retrieval(k=5, score_kind="bm25", complete=True)(plain)
    bare = retrieval(plain)

    def with_form() -> None:
        with retrieval(query="q", k=5) as span:
            span.record_documents(HITS)

    def mappings(query: str = "q") -> list[dict[str, object]]:
        return OBJECTS if query else []

    return {
        "plain call": plain,
        "empty SDK span": empty_span,
        "@retrieval(k, score_kind, complete)": decorated,
        "@retrieval": bare,
        "@retrieval of mappings": retrieval(mappings),
        "with retrieval(...)": with_form,
        "  of which: ranking as JSON": lambda: ranking_json(HITS, BLIND),
    }


def measure(rounds: int, calls: int) -> dict[str, list[float]]:
    """Returns the µs per call of each form in each round."""
    provider = TracerProvider()
    provider.add_span_processor(RagfaultSpanProcessor())
    provider.add_span_processor(BatchSpanProcessor(NullExporter()))
    set_capture(content=False, tracer_provider=provider)
    timed = forms(provider)
    taken: dict[str, list[float]] = {name: [] for name in timed}
    for number in range(rounds + 1):
        for name, form in timed.items():
            started = time.perf_counter()
            for _ in range(calls):
                form()
            elapsed = (time.perf_counter() - started) / calls * 1e6
            provider.force_flush()  # outside of the timing, so that the exporting thread runs in no form's time
            if number:  # the first round warms up
                taken[name].append(elapsed)
    taken["no provider: @retrieval"] = _without_provider(rounds, calls)
    provider.shutdown()
    return taken


def _without_provider(rounds: int, calls: int) -> list[float]:
    set_capture(content=False, tracer_provider=trace.NoOpTracerProvider())
    traced = retrieval(k=5)(lambda query: HITS if query else [])
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        for _ in range(calls):
            traced("q")
        taken.append((time.perf_counter() - started) / calls * 1e6)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--calls", type=int, default=300)
    options = parser.parse_args()
    taken = measure(options.rounds, options.calls)
    micros = {name.strip(): round(statistics.median(times), 2) for name, times in taken.items()}
    empty = taken["empty SDK span"]
    ratios = {
        name: round(statistics.median(t / e for t, e in zip(times, empty, strict=True)), 2)
        for name, times in taken.items()
    }
    ratio = ratios["@retrieval(k, score_kind, complete)"]
    if options.json:
        print(json.dumps({"ratio": ratio, "limit": 2.0, "microseconds": micros}))
        return
    for name, times in taken.items():
        print(f"{name:38} {statistics.median(times):8.2f} µs  {ratios[name]:5.2f}x")
    print(f"one decorated retrieval of 50 pairs costs {ratio:.2f}x an empty SDK span (at most 2.0x wanted)")


if __name__ == "__main__":
    main()

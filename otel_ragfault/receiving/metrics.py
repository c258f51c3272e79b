"""The numbers of ``/metrics``, in the text format of Prometheus."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from otel_ragfault.receiving.checks import Checked
from otel_ragfault.receiving.signals import Signal

Reading = Callable[[], dict[str, float]]
"""Numbers that are looked up when they are asked for, by name; a name that ends in ``_total`` is a counter."""

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_HELP: Final = {
    "spool_bytes": "Bytes of the segments that wait for the database.",
    "spool_segments": "Segments that wait for the database.",
    "spool_oldest_age_seconds": "Age of the oldest of them.",
    "loader_up": "Whether the loader process runs.",
    "spool_torn_pieces": "Pieces without a whole record that are kept aside.",
    "spool_rejected_pieces": "Records and rows that cannot be stored and are kept aside.",
    "loader_spans_total": "Spans that are in the database.",
    "loader_duplicates_total": "Spans that were in the database before, and were dropped.",
    "loader_set_aside_total": "Spans, log records and pieces that cannot be stored.",
    "loader_lock_waits_total": "How often the database was found in use.",
    "loader_last_load_timestamp_seconds": "When something was last loaded.",
    "loader_lag_seconds": "From the arrival of a record to its row, in the last load.",
    "loader_hold_seconds": "How long the last load held the database.",
    "ready": "Whether /readyz says yes.",
}


class Metrics:
    """Counters of one receiver.

    Args:
        readings: numbers that are looked up at each scrape.
    """

    def __init__(self, readings: Iterable[Reading] = ()) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call] # twice as many lines for nothing that is asked
        self._registry = CollectorRegistry(auto_describe=False)
        self._requests = self._counter("requests", "Requests by answer.", "protocol", "signal", "encoding", "code")
        self._accepted = self._counter("accepted", "Items that are durable.", "signal", "protocol", "encoding")
        self._unusable = self._counter("rejected", "Items set aside in requests that were taken.", "signal", "protocol")
        self._refused = self._counter("requests_refused", "Requests that were refused.", "protocol", "reason")
        self._seconds = Histogram(
            "ragfault_request_duration_seconds",
            "From the head of a request to its answer.",
            ["protocol"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._registry.register(_Readings(tuple(readings)))

    def taken(self, protocol: str, signal: Signal, encoding: str, checked: Checked) -> None:
        """Count a request that was taken."""
        self._requests.labels(protocol, signal.value, encoding, "ok").inc()
        if checked.good:
            self._accepted.labels(signal.value, protocol, encoding).inc(checked.good)
        if checked.unusable:
            self._unusable.labels(signal.value, protocol).inc(checked.unusable.total())

    def refused(self, protocol: str, reason: str) -> None:
        """Count a request that was refused."""
        self._refused.labels(protocol, reason).inc()

    def took(self, protocol: str, seconds: float) -> None:
        """Count the duration of a request."""
        self._seconds.labels(protocol).observe(seconds)

    def text(self) -> bytes:
        """Return everything as text."""
        return generate_latest(self._registry)

    def totals(self) -> dict[str, dict[str, float]]:
        """Return what was taken and refused in all, for the file that ``ragfault status`` reads."""
        return {
            "accepted": _sums(self._accepted, "signal"),
            "set_aside": _sums(self._unusable, "signal"),
            "refused": _sums(self._refused, "reason"),
        }

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"ragfault_{name}", text, labels, registry=self._registry)


class _Readings(Collector):
    def __init__(self, readings: tuple[Reading, ...]) -> None:
        self._readings = readings

    def collect(self) -> Iterable[Metric]:
        for reading in self._readings:
            for name, value in reading().items():
                family: Any = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
                text = _HELP.get(name, name.removesuffix("_total").replace("_", " ").capitalize() + ".")
                yield family(f"ragfault_{name}", text, value=value)


def _sums(counter: Counter, label: str) -> dict[str, float]:
    sums: dict[str, float] = {}
    for family in counter.collect():
        for sample in family.samples:
            if sample.name.endswith("_total"):
                name = sample.labels[label]
                sums[name] = sums.get(name, 0) + sample.value
    return sums

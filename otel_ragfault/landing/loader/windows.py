"""The windows of time in which the spans, or log records, of a batch could have been stored before."""

from itertools import pairwise
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_NAMES = "abcd"
_SECOND = 1_000_000_000
_NEVER = (1, 0)


def search_windows(starts: pa.ChunkedArray) -> dict[str, Any]:
    """Return the parameters of the search for stored spans: at most four windows that hold every start.

    They are cut where the starts lie furthest apart, so that one span with a clock of its own does not make the search
    read everything between its time and ours.
    """
    known = starts.drop_null().cast(pa.int64()).combine_chunks().sort()
    windows = _cut(known) if len(known) else []
    parameters: dict[str, Any] = {"timeless": starts.null_count > 0}
    for i, name in enumerate(_NAMES):
        first, last = windows[i] if i < len(windows) else _NEVER
        parameters |= {f"start_{name}": first, f"end_{name}": last}
    return parameters


def log_windows(logs: pa.Table) -> dict[str, Any]:
    """Return the parameters of the search for stored log records: one window of times, one of when they were seen."""
    observed = logs["observed_time"].filter(pc.is_null(logs["time"]))
    earliest, latest = _window(logs["time"])
    first_seen, last_seen = _window(observed)
    return {
        "earliest": earliest,
        "latest": latest,
        "first_seen": first_seen,
        "last_seen": last_seen,
        "timeless": observed.null_count > 0,
    }


def _window(times: pa.ChunkedArray) -> tuple[int, int]:
    found = pc.min_max(times.cast(pa.int64())).as_py()
    return _NEVER if found["min"] is None else (found["min"], found["max"])


def _cut(known: pa.Array) -> list[tuple[int, int]]:
    gaps = pc.subtract(known[1:], known[:-1])
    widest = pc.top_k_unstable(gaps, k=min(len(_NAMES) - 1, len(gaps))).to_pylist() if len(gaps) else []
    cuts = sorted(i + 1 for i in widest if gaps[i].as_py() > _SECOND)
    edges = [0, *cuts, len(known)]
    return [(known[a].as_py(), known[b - 1].as_py()) for a, b in pairwise(edges)]

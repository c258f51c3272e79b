"""Single values of a comparison as text."""

from dataclasses import asdict
from typing import Any, Final

from otel_ragfault.counting import counted
from otel_ragfault.jobs.comparing import Comparison, Side
from otel_ragfault.statistics.resampling import Method


def share(value: float | None) -> str:
    """Return a mean, or nothing where there is none."""
    return "" if value is None else f"{value:.4f}"


def change(value: float | None) -> str:
    """Return a change with its sign."""
    return "" if value is None else f"{value:+.4f}"


def interval(low: float | None, high: float | None) -> str:
    """Return an interval of a change."""
    return "" if low is None or high is None else f"{low:+.4f} to {high:+.4f}"


def p_value(value: float | None) -> str:
    """Return a p-value; a very small one as a bound."""
    if value is None:
        return ""
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"  # noqa: PLR2004 - the last digit shown


def confidence(comparison: Comparison) -> str:
    """Return how sure an interval is, such as ``95%``."""
    return f"{100 * comparison.confidence:.4g}%"


_METHODS: Final[dict[Method, str]] = {
    "best": "paired, over cases, the wider of Student's t and the studentized bootstrap, as if two more cases changed",
    "bca": "paired bootstrap over cases, BCa",
    "percentile": "paired bootstrap over cases, percentiles",
}


def method(interval: Method, *, replicates: int, seed: int) -> str:
    """Return how intervals of changes are made. With ``best`` an interval has width where no case changed."""
    return f"{_METHODS[interval]} ({interval}), {replicates} replicates, seed {seed}"


def percent(part: int, whole: int) -> str:
    """Return a share of a count."""
    return f"{part / whole:.1%}" if whole else ""


def side(one: Side) -> str:
    """Return what a side is, in one line."""
    what = "all requests" if one.run is None else f"{one.kind if one.kind == 'labelling' else 'run'} {one.run}"
    where = "" if one.database is None else f" of {one.database}"
    return f"{what}{where}"


def size(one: Side) -> str:
    """Return how large a side is."""
    return f"{counted(one.cases, 'case')}, {counted(one.requests, 'request')}"


def plain(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as plain values, for JSON."""
    found = asdict(comparison)
    for name in ("before", "after"):
        found[name]["database"] = None if found[name]["database"] is None else str(found[name]["database"])
    for name in ("labels", "outcomes", "boundaries"):
        found[name] = [one._asdict() for one in getattr(comparison, name)]
    found["changed_settings"] = {
        name: {"before": before, "after": after} for name, (before, after) in comparison.changed_settings.items()
    }
    return found

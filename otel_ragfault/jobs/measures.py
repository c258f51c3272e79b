"""Retrieval measures in the mean over judged cases, with bootstrap intervals, for groups of requests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from otel_ragfault.errors import NothingJoinedError
from otel_ragfault.jobs.measure_names import MEASURES
from otel_ragfault.sql import read_query
from otel_ragfault.statistics import Mean, Resampling, means

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config

_JUDGED_SHARE: Final = "judged_share"
_COLUMNS: Final = (*MEASURES.values(), _JUDGED_SHARE)


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure of one group of requests at one cutoff.

    ``k`` is ``None`` for the whole ranking, ``group`` where the dimension is not named. ``cases`` are the judged cases
    that have a value; ``requests`` those of all judged cases of the group, of which ``without_ranking`` are in no mean.
    ``unjudged_share`` is the mean share of ranked chunks within k that nobody judged. ``known_depth`` is the shortest
    ranking that is not known to be complete.
    """

    group: str | None
    measure: str
    k: int | None
    mean: float | None
    low: float | None
    high: float | None
    cases: int
    requests: int
    without_ranking: int
    unjudged_share: float | None
    known_depth: int | None


def measure(
    con: "DuckDBPyConnection", config: "Config", *, by: str = "run", within: Mapping[str, str | None] | None = None
) -> list[Measured]:
    """Measure every labelled request whose case has judgments.

    Args:
        con: a database; reading is enough.
        config: cutoffs, the choices of the measures, and how to resample.
        by: a dimension of ``request_group``.
        within: only requests of a run, ``{"pipeline": name, "labelling": None}`` or the other way round.

    Raises:
        NothingJoinedError: no labelled request belongs to a case with judgments.
    """
    with con.cursor() as cursor:
        query = read_query("measures", "case_value" if within is None else "case_value_within").body
        table = cursor.sql(query, params=_parameters(config, by) | dict(within or {})).to_arrow_table()
    if not table.num_rows:
        raise NothingJoinedError(
            "no labelled request belongs to a case with judgments; gold with evidence or relevance, and labelled "
            "requests, were wanted; run ragfault gold load, then ragfault label"
        )
    how = resampling(config)
    return [row for start, stop in _groups(table) for row in _group(table.slice(start, stop - start), how)]


def resampling(config: "Config") -> Resampling:
    """Return how the configuration wants intervals to be made."""
    return Resampling(config.bootstrap_seed, config.bootstrap_replicates, config.bootstrap_confidence)


def choices(config: "Config") -> dict[str, Any]:
    """Return the choices that the measures depend on, by the names of the SQL parameters."""
    return {
        "gain": config.measure_gain,
        "discount": config.measure_discount,
        "unjudged": config.measure_unjudged,
        "order": config.measure_order,
        "repeats": config.measure_repeats,
        "relevant_from": config.measure_relevant_from,
    }


def _parameters(config: "Config", by: str) -> dict[str, Any]:
    return {"grouped_by": by, "ks": list(config.measure_cutoffs), **choices(config)}


def _groups(table: "pa.Table") -> Iterator[tuple[int, int]]:
    """Yield where each group starts and stops; the rows of a group stand together."""
    start = 0
    for _, rows in groupby(table.column("group_value").to_pylist()):
        stop = start + sum(1 for _ in rows)
        yield start, stop
        start = stop


def _group(table: "pa.Table", how: Resampling) -> list[Measured]:
    ks = table.column("k").to_pylist()
    cutoffs = ks[: ks.index(None) + 1]  # every case has every cutoff, and the whole ranking last
    case_ids = table.column("case_id").to_pylist()[:: len(cutoffs)]
    cube = np.column_stack([_numbers(table, name) for name in _COLUMNS]).reshape(len(case_ids), -1)
    found = iter(means(case_ids, cube, how))
    rows = []
    for place, k in enumerate(cutoffs):
        of_k = dict(zip(_COLUMNS, found, strict=False))
        facts = _facts(table, of_k[_JUDGED_SHARE], place, len(cutoffs))
        rows += [_measured(name, k, of_k[column], facts) for name, column in MEASURES.items()]
    return rows


def _numbers(table: "pa.Table", name: str) -> Any:
    """Return a column of numbers, with NaN for NULL."""
    return np.asarray(table.column(name).to_numpy(), dtype=np.float64)


def _facts(table: "pa.Table", judged: Mean, place: int, step: int) -> dict[str, Any]:
    """Return what is told of a group beside each of its measures."""
    depths = [depth for depth in table.column("known_depth").to_pylist() if depth is not None]
    return {
        "group": table.column("group_value")[0].as_py(),
        "requests": sum(table.column("requests").to_pylist()[place::step]),
        "without_ranking": sum(table.column("without_ranking").to_pylist()[place::step]),
        "unjudged_share": None if judged.mean is None else 1 - judged.mean,
        "known_depth": min(depths, default=None),
    }


def _measured(name: str, k: int | None, mean: Mean, facts: dict[str, Any]) -> Measured:
    return Measured(measure=name, k=k, mean=mean.mean, low=mean.low, high=mean.high, cases=mean.cases, **facts)


def selected(rows: Sequence[Measured], names: Sequence[str]) -> list[Measured]:
    """Return the rows of the named measures, a measure at a time within its group; of all when none is named.

    ``ndcg`` is all of its rows, ``ndcg@5`` the one at that rank.
    """
    order = list(MEASURES)
    kept = [row for row in rows if not names or {row.measure, f"{row.measure}@{row.k}"} & set(names)]
    groups = list(dict.fromkeys(row.group for row in rows))
    return sorted(kept, key=lambda row: (groups.index(row.group), order.index(row.measure)))

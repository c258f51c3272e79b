"""Judge and read what probes brought, and store what they mean."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from otel_ragfault.jobs.probing.interventions import INTERVENTIONS
from otel_ragfault.jobs.probing.readings import REFINED, Read, read_probes
from otel_ragfault.jobs.probing.tally import Probed, Tally, tally_of
from otel_ragfault.jobs.probing.verdicts import judge_probes
from otel_ragfault.sql import read_query
from otel_ragfault.statistics.drops import share_interval
from otel_ragfault.store import named_rows, registered, transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config

RECORDED: Final = "(the recorded answer)"
"""The generator of readings that rest on what was recorded: none was asked."""

_ORDER: Final = {name: place for place, name in enumerate(INTERVENTIONS)}
_READING: Final = pa.schema(
    {
        "request_id": pa.string(),
        "case_id": pa.string(),
        "generator_id": pa.string(),
        "reading": pa.string(),
        "refines": pa.string(),
        "meaning": pa.string(),
        "evidence": pa.string(),
        "next_experiment": pa.string(),
        "place": pa.uint32(),
        "probed_at": pa.timestamp("us"),
        "read_at": pa.timestamp("us"),
    }
)


@dataclass(frozen=True, slots=True)
class Result:
    """The probes of one request with one generator: what they came to, and what they mean."""

    request_id: str
    case_id: str
    label: str
    generator: str
    generator_id: str
    probed_at: datetime
    probed: Probed
    readings: tuple[Read, ...]

    @property
    def refined(self) -> str | None:
        """The label made finer by a reading; ``None`` where none does, or the label is not of that kind."""
        if self.label not in REFINED:
            return None
        return next((read.reading.key for read in self.readings if read.reading.refines), None)

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain values."""
        return {
            "case_id": self.case_id,
            "request_id": self.request_id,
            "label": self.label,
            "refined": self.refined,
            "generator": self.generator,
            "probes": [_tally_json(one) for one in self.probed.tallies],
            "readings": [_read_json(read) for read in self.readings],
        }


@dataclass(frozen=True, slots=True)
class Held:
    """What it means that something of a request was held and judged again. No generator was asked."""

    request_id: str
    case_id: str
    label: str
    readings: tuple[Read, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "case_id": self.case_id,
            "request_id": self.request_id,
            "label": self.label,
            "readings": [_read_json(read) for read in self.readings],
        }


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of cases with its interval; ``None`` where there is no case."""

    cases: int
    of: int
    share: float | None
    low: float | None
    high: float | None


def read_results(con: "DuckDBPyConnection", config: "Config", request_ids: Sequence[str] | None = None) -> list[Result]:
    """Judge what was not judged, and return what the probes of requests came to and mean, which is stored as well.

    Args:
        con: a database opened for writing.
        config: what makes a refusal, and the default snapshot.
        request_ids: only these requests; ``None`` for all that were probed.
    """
    with transaction(con):
        judge_probes(con, config)
        results = list(_results(con, config, request_ids))
        store_readings(con, results)
    return results


def unjustified_rate(results: Iterable[Result], confidence: float) -> Rate:
    """Return in how many cases most runs without support are answered all the same, with an exact interval."""
    told = [one for result in results if (one := _without_support(result.probed)) is not None]
    answered = sum(2 * one.answers > one.answers + one.refusals for one in told)
    if not told:
        return Rate(0, 0, None, None, None)
    low, high = share_interval(answered, len(told), confidence)
    return Rate(answered, len(told), answered / len(told), low, high)


def _without_support(probed: Probed) -> Tally | None:
    return next((one for one in probed.without_support if one.answers + one.refusals), None)


def _results(con: "DuckDBPyConnection", config: "Config", request_ids: Sequence[str] | None) -> Iterable[Result]:
    from otel_ragfault.jobs.probing.selection import default_snapshot

    parameters = {
        "request_ids": None if request_ids is None else list(request_ids),
        "default_snapshot": default_snapshot(con, config),
    }
    rows = named_rows(con.execute(read_query("probing", "results").body, parameters))
    for _, group in groupby(rows, key=lambda row: (row["case_id"], row["request_id"], row["generator_id"])):
        of_request = list(group)
        first = of_request[0]
        tallies = sorted(map(tally_of, of_request), key=lambda one: _ORDER.get(one.intervention, len(_ORDER)))
        probed = Probed(first["label"], first["expect"], frozenset(first["required_ids"]), tuple(tallies))
        yield Result(
            request_id=first["request_id"],
            case_id=first["case_id"],
            label=first["label"],
            generator=first["generator"],
            generator_id=first["generator_id"],
            probed_at=max(row["started_at"] for row in of_request),
            probed=probed,
            readings=tuple(read_probes(probed)),
        )


def store_readings(con: "DuckDBPyConnection", results: "Sequence[Result | Held]") -> None:
    """Store readings in the place of those that were there of the same request and generator."""
    now = datetime.now(UTC).replace(tzinfo=None)
    rows = [
        {
            "request_id": result.request_id,
            "case_id": result.case_id,
            "generator_id": _generator_of(result),
            "reading": read.reading.key,
            "refines": result.label if read.reading.refines and result.label in REFINED else None,
            "meaning": read.reading.meaning,
            "evidence": read.evidence,
            "next_experiment": read.reading.next_experiment,
            "place": place,
            "probed_at": result.probed_at if isinstance(result, Result) else now,
            "read_at": now,
        }
        for result in results
        for place, read in enumerate(result.readings, 1)
    ]
    for result in results:
        con.execute(
            "DELETE FROM probe_reading WHERE request_id = CAST(? AS UUID) AND generator_id = ?",
            [result.request_id, _generator_of(result)],
        )
    if rows:
        with registered(con, "incoming_reading", pa.Table.from_pylist(rows, schema=_READING)):
            con.execute(read_query("probing", "insert_readings").body)


def _generator_of(result: "Result | Held") -> str:
    return result.generator_id if isinstance(result, Result) else RECORDED


def _read_json(read: Read) -> dict[str, Any]:
    return {
        "reading": read.reading.key,
        "meaning": read.reading.meaning,
        "evidence": read.evidence,
        "next_experiment": read.reading.next_experiment,
    }


def _tally_json(one: Tally) -> dict[str, Any]:
    return {
        "intervention": one.intervention,
        "step": one.step,
        "chunks": list(one.chunk_ids),
        "runs": one.runs,
        "passes": one.passes,
        "fails": one.fails,
        "unjudged": one.unjudged,
        "failures": one.failures,
        "refusals": one.refusals,
        "grounded": one.grounded,
        "ungrounded": one.ungrounded,
        "majority": one.majority,
        "agreement": one.agreement,
        "planted": one.planted,
        "replaced": one.replaced,
        "with_planted": one.with_planted,
        "with_replaced": one.with_replaced,
        "answer": one.answer,
        "error": one.error,
    }

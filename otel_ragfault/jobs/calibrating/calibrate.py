"""Calibrate the similarity floor: the score of evidence against that of everything else that was ranked."""

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError, NothingJoinedError
from otel_ragfault.jobs.calibrating.roc import Choose, Curve, Scores, at_most, curve, youden
from otel_ragfault.jobs.label import join_to_gold, prepare_requests, select_subjects, statement_parameters
from otel_ragfault.semconv import (
    GEN_AI_DATA_SOURCE_ID,
    GEN_AI_REQUEST_MODEL,
    OPERATION_EMBEDDINGS,
    OPERATION_RETRIEVAL,
    STAGE_RETRIEVAL,
)
from otel_ragfault.sql import read_query
from otel_ragfault.statistics import Resampling

if TYPE_CHECKING:
    import numpy as np
    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray

    from otel_ragfault.model import Config

    Matrix = NDArray[np.float64]

DIMENSIONS: Final = ("service", "data_source", "embedding_model")
_FEWEST: Final = 2
_ENOUGH: Final = 30
_ATTRIBUTES: Final[dict[str, dict[str, str | None]]] = {
    "data_source": {"path": GEN_AI_DATA_SOURCE_ID, "operation": OPERATION_RETRIEVAL, "stage": STAGE_RETRIEVAL},
    "embedding_model": {"path": GEN_AI_REQUEST_MODEL, "operation": OPERATION_EMBEDDINGS, "stage": None},
}


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The floor of one group of requests.

    Attributes:
        group: what the requests have in common; ``None`` where they are not told apart, or name nothing.
        curve: the curve and the chosen floor; ``None`` where there is none, which ``problem`` explains.
        problem: why there is none.
        warnings: what to know before relying on it.
        requests: how many requests were used.
        cases: how many cases have evidence that was ranked.
        unranked: how many required groups of used requests were not ranked, so that they have no score.
        unanswerable: how many unanswerable questions were used.
        unanswerable_passed: which share of them has a chunk at the floor or above.
        unused: how many requests could not be used, by reason.
        runs: the runs of the pipeline that the used requests belong to.
    """

    group: str | None
    curve: Curve | None
    problem: str | None
    warnings: tuple[str, ...]
    requests: int
    cases: int
    unranked: int
    unanswerable: int
    unanswerable_passed: float | None
    unused: dict[str, int]
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was calibrated: how the point was chosen, what requests were told apart by, and a floor a group."""

    operating_point: str
    by: str | None
    how: Resampling
    groups: tuple[Calibrated, ...]


def calibrate(
    con: "DuckDBPyConnection",
    config: "Config",
    *,
    by: str | None = None,
    max_false_rejection: float | None = None,
    depth: int | None = None,
) -> Calibration:
    """Calibrate the floor from every request that has gold and similarities.

    Args:
        con: a database open for writing: what has landed is built first.
        config: how intervals are made, and the default snapshot.
        by: one of :data:`DIMENSIONS`; a floor for each value of it.
        max_false_rejection: the highest floor that rejects no more of the evidence; without it the one at which
            evidence kept and others left out are most in sum (Youden).
        depth: how far down a ranking chunks count that are no evidence; all of it by default.

    Raises:
        InputError: no gold is loaded, or scores are not similarities.
        NothingJoinedError: no request has gold.
    """
    prepare_requests(con, config)
    choose: Choose = youden if max_false_rejection is None else at_most(max_false_rejection)
    point = "youden" if max_false_rejection is None else f"false rejection of at most {max_false_rejection:g}"
    how = Resampling(config.bootstrap_seed, config.bootstrap_replicates, config.bootstrap_confidence)
    with con.cursor() as cursor:
        select_subjects(cursor)
        _, joined = join_to_gold(cursor)
        if not joined:
            raise NothingJoinedError(
                "no request has gold; labelled requests were wanted, to see how evidence scores; load gold, and send "
                "the case id or the question of a case with the traffic"
            )
        _group(cursor, by)
        parameters = statement_parameters(cursor, config, None)
        cursor.execute(_query("observed"), {"default_snapshot": parameters["default_snapshot"]})
        counts = _counts(cursor)
        _refuse_other_kinds(counts)
        groups = tuple(_calibrated(cursor, group, of_group, choose, how, depth) for group, of_group in counts.items())
    return Calibration(point, by, how, groups)


def _group(con: "DuckDBPyConnection", by: str | None) -> None:
    if by is None or by == "service":
        con.execute(_query("ungrouped" if by is None else "by_service"))
        return
    attribute = _ATTRIBUTES[by]
    con.execute(_query("by_attribute"), {**attribute, "path": f'$."{attribute["path"]}"'})


def _counts(con: "DuckDBPyConnection") -> dict[str | None, dict[str | None, tuple[int, tuple[str, ...]]]]:
    """Return how many requests of which runs each group has, by the reason why they cannot be used."""
    found: dict[str | None, dict[str | None, tuple[int, tuple[str, ...]]]] = defaultdict(dict)
    for group, unusable, requests, runs in con.execute(_query("kinds")).fetchall():
        found[group][unusable] = (requests, tuple(runs or ()))
    return dict(found)


def _refuse_other_kinds(counts: dict[str | None, dict[str | None, tuple[int, tuple[str, ...]]]]) -> None:
    """Refuse what no floor can be calibrated from, where there is nothing else."""
    if any(None in of_group for of_group in counts.values()):
        return
    reasons: defaultdict[str, int] = defaultdict(int)
    for of_group in counts.values():
        for reason, (requests, _) in of_group.items():
            reasons[reason or ""] += requests
    found = ", ".join(f"{counted(number, 'request')}: {_REASONS.get(why, why)}" for why, number in reasons.items())
    advice = " ".join(dict.fromkeys(_ADVICE[why] for why in reasons if why in _ADVICE))
    raise InputError(
        f"no request has similarities to calibrate a floor from ({found}); requests with gold whose ranking has "
        f"similarities were wanted; {advice or 'record rankings with scores and score_kind similarity'}"
    )


_REASONS: Final = {"bm25": "BM25 scores", "distance": "distances"}
_ADVICE: Final = {
    "bm25": "BM25 scores cannot be compared between questions and need no floor: a score of 0 is retrieval.no_overlap.",
    "distance": "Distances grow where similarity falls: record similarities, such as 1 - distance for cosine distance, "
    "with score_kind similarity.",
}


def _calibrated(
    con: "DuckDBPyConnection",
    group: str | None,
    counts: dict[str | None, tuple[int, tuple[str, ...]]],
    choose: Choose,
    how: Resampling,
    depth: int | None,
) -> Calibrated:
    table = con.sql(_query("score"), params={"group_value": group, "depth": depth}).to_arrow_table()
    kinds: dict[str, dict[str, Matrix]] = {"evidence": {}, "other": {}, "unanswerable": {}}
    columns = (table.column(name) for name in ("case_id", "kind", "scores"))
    for case_id, kind, scores in zip(*columns, strict=True):
        if len(scores.values):
            kinds[kind.as_py()][case_id.as_py()] = scores.values.to_numpy()
    unranked = sum(table.column("unscored").to_pylist())
    sides = Scores.of(kinds["evidence"], {**kinds["other"], **kinds["unanswerable"]})
    cases, unanswerable = len(kinds["evidence"]), kinds["unanswerable"]
    problem = _problem(cases, sum(len(one) > 0 for one in sides.others))
    found = None if problem else curve(sides, choose, how)
    requests, runs = counts.get(None, (0, ()))
    best = [one.max() for one in unanswerable.values()]
    return Calibrated(
        group=group,
        curve=found,
        problem=problem,
        warnings=() if found is None else tuple(_warnings(found, cases, unranked)),
        requests=requests,
        cases=cases,
        unranked=unranked,
        unanswerable=len(unanswerable),
        unanswerable_passed=(
            None if found is None or not best else sum(bool(one >= found.chosen.floor) for one in best) / len(best)
        ),
        unused={_REASONS.get(reason, reason): number for reason, (number, _) in counts.items() if reason is not None},
        runs=runs,
    )


def _problem(cases: int, others: int) -> str | None:
    if cases < _FEWEST:
        return (
            f"{counted(cases, 'case')} with evidence that was ranked; {_FEWEST} or more were wanted: label more cases"
        )
    if others < _FEWEST:
        return (
            f"{counted(others, 'case')} with a ranked chunk that is no evidence; {_FEWEST} or more were wanted: "
            "record more of the ranking, or label unanswerable questions"
        )
    return None


def _warnings(found: Curve, cases: int, unranked: int) -> list[str]:
    warnings = []
    if cases < _ENOUGH:
        warnings.append(
            f"few cases: {cases} with evidence that was ranked; with fewer than {_ENOUGH} the floor moves with every "
            f"case (interval {found.floor_low:g} to {found.floor_high:g})"
        )
    if found.auc_low <= _CHANCE:
        warnings.append(
            f"scores of evidence are not told from others for sure (AUC {found.auc:.2f}, interval from "
            f"{found.auc_low:.2f}): a floor would reject at random"
        )
    if unranked:
        warnings.append(f"{counted(unranked, 'required group was', 'required groups were')} not ranked, and left out")
    return warnings


_CHANCE: Final = 0.5


def _query(name: str) -> Any:
    return read_query("floor", name).body

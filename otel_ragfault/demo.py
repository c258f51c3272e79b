"""The demonstration: eight cases through an instrumented pipeline, landed, labelled, replayed and probed.

The pipeline is ``examples/travel_policy/``. Nothing of the result is written down anywhere: it is read from the
database that the run leaves behind. The eight cases are in one file, with the probes of one of them; runs under other
settings are in a second, so that the first holds one request a case.
"""

import importlib.util
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider

from otel_ragfault.capture import set_capture
from otel_ragfault.corpus import load_corpus
from otel_ragfault.errors import DatabaseError
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.jobs.probing import Wanted, probe_cases
from otel_ragfault.jobs.query import run_named
from otel_ragfault.model import Config
from otel_ragfault.resources import bundled
from otel_ragfault.semconv import SERVICE_NAME
from otel_ragfault.setup import configure
from otel_ragfault.store import connect

WHATIF_CASE = "long-haul-cabin"
WHATIF_SETTINGS = ((2, 50), (3, 50), (3, 80), (14, 400))
PROBED_CASE = "business-10h"
PROBES = ("original", "gold_only", "gold_first")
GENERATOR = "examples/travel_policy/pipeline.py:answer_from"
_CUTOFFS = (1, 2, 3, 5)


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demonstration found; ``as_json`` is the shape that scripts may rely on."""

    db: Path
    experiments_db: Path
    figures: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the figures with the path of the database."""
        return {"db": str(self.db), "experiments_db": str(self.experiments_db), **self.figures}


def run_demo(folder: Path) -> Demo:
    """Run everything; the databases are made anew in ``folder``.

    Raises:
        DatabaseError: a database cannot be written there.
    """
    pipeline = _load_pipeline()
    cases = {case["case_id"]: case for case in pipeline.read_jsonl("cases.jsonl")}
    db, experiments_db = folder / "travel_policy.duckdb", folder / "travel_policy_experiments.duckdb"
    for path in (db, experiments_db):
        _remove(path)
    _record(db, lambda: [pipeline.ask(case["query"], case_id) for case_id, case in cases.items()])
    _label(db, pipeline.SNAPSHOT)
    probes = _probed(db)
    _record(experiments_db, lambda: _experiments(pipeline, cases))
    _label(experiments_db, pipeline.SNAPSHOT)
    return Demo(db, experiments_db, {**_figures(db), "whatif": _whatif(experiments_db), "probes": probes})


def _load_pipeline() -> ModuleType:
    path = bundled("examples/travel_policy") / "pipeline.py"
    spec = importlib.util.spec_from_file_location("travel_policy_pipeline", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _remove(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for file in (path, path.with_name(path.name + ".wal")):
            file.unlink(missing_ok=True)
        shutil.rmtree(path.with_name(f"{path.name}.spool"), ignore_errors=True)
    except OSError as error:
        raise DatabaseError(
            f"{path}: {error.strerror}; a folder to write databases to was wanted; give another --dir"
        ) from error


def _record(db: Path, work: Callable[[], object]) -> None:
    """Run ``work`` with its spans landing in ``db``, whatever tracing this process has otherwise."""
    provider = TracerProvider(resource=Resource({SERVICE_NAME: "travel-policy"}))
    configure(db=db, content=True, provider=provider)
    try:
        work()
    finally:
        provider.shutdown()
        set_capture()


def _probed(db: Path) -> dict[str, dict[str, bool | None]]:
    """Probe the generator with one case; return which probes pass."""
    folder, _, name = GENERATOR.rpartition("/")
    settings = {"generator": str(bundled(folder) / name), "concurrency": 1}
    wanted = Wanted(probes=PROBES, case_ids=(PROBED_CASE,))
    report = probe_cases(db, lambda: connect(db), Config.model_validate({"probing": settings}), wanted)
    return {
        result.case_id: {tally.intervention: tally.majority for tally in result.probed.tallies}
        for result in report.results
    }


def _experiments(pipeline: ModuleType, cases: dict[str, Any]) -> None:
    """Run one case under other settings."""
    query = cases[WHATIF_CASE]["query"]
    for k, budget in WHATIF_SETTINGS:
        pipeline.ask(query, WHATIF_CASE, run_id=f"k={k} budget={budget}", k=k, budget=budget)


def _label(db: Path, snapshot_id: str) -> None:
    folder = bundled("examples/travel_policy")
    with connect(db) as con:
        load_corpus(con, folder / "corpus.jsonl", snapshot_id=snapshot_id)
        load_gold(con, folder / "cases.jsonl")
        label_requests(con, Config())


def _figures(db: Path) -> dict[str, Any]:
    with connect(db, read_only=True) as con:
        labels = dict(con.execute("SELECT case_id, label FROM current_label ORDER BY started_at").fetchall())
        (summary,) = run_named(con, "summary").objects()
        (recall,) = run_named(con, "recall").objects()
    return {
        "labels": labels,
        "recall": {str(cutoff): recall[f"recall_{cutoff}"] for cutoff in _CUTOFFS},
        "cases": summary["cases"],
        "with_gold": summary["with_gold"],
        "correct": summary["correct"],
        "answered": summary["answered"],
        "faithful": summary["answered_grounded"],
        "answered_correct": summary["answered_correct"],
    }


def _whatif(db: Path) -> list[dict[str, Any]]:
    with connect(db, read_only=True) as con:
        rows = con.execute(
            "SELECT request.k, request.budget, prompt_ids, label FROM current_label JOIN request USING (request_id) "
            "WHERE current_label.case_id = ? ORDER BY request.started_at",
            [WHATIF_CASE],
        ).fetchall()
    return [{"k": k, "budget": budget, "prompt": prompt, "label": label} for k, budget, prompt, label in rows]

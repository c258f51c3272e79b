"""The demonstration: eight cases through an instrumented pipeline, landed, labelled, replayed and probed.

The pipeline is ``examples/travel_policy/``. Nothing of the result is written down anywhere: it is read from the
database that the run leaves behind. The eight cases are in one file; runs under other settings and probes are in a
second, so that the first holds one request a case.
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
from otel_ragfault.jobs.query import run_named
from otel_ragfault.model import Config
from otel_ragfault.resources import bundled
from otel_ragfault.semconv import SERVICE_NAME
from otel_ragfault.setup import configure
from otel_ragfault.store import connect

WHATIF_CASE = "long-haul-cabin"
WHATIF_SETTINGS = ((2, 50), (3, 50), (3, 80), (14, 400))
PROBED_CASE = "business-10h"
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
    prompt = _recorded_prompt(db, PROBED_CASE)
    _record(experiments_db, lambda: _experiments(pipeline, cases, prompt))
    _label(experiments_db, pipeline.SNAPSHOT)
    return Demo(db, experiments_db, {**_figures(db), **_experiment_figures(experiments_db)})


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


def _recorded_prompt(db: Path, case_id: str) -> list[str]:
    with connect(db, read_only=True) as con:
        ((prompt,),) = con.execute("SELECT prompt_ids FROM request WHERE case_id = ?", [case_id]).fetchall()
    return list(prompt)


def _experiments(pipeline: ModuleType, cases: dict[str, Any], prompt: list[str]) -> None:
    """Run one case under other settings, and probe the generator of another with its recorded prompt changed."""
    query = cases[WHATIF_CASE]["query"]
    for k, budget in WHATIF_SETTINGS:
        pipeline.ask(query, WHATIF_CASE, run_id=f"k={k} budget={budget}", k=k, budget=budget)
    case = cases[PROBED_CASE]
    gold = [members[0] for members in case["evidence"]]
    prompts = {
        "original": prompt,
        "gold_only": gold,
        "gold_first": [*gold, *(chunk_id for chunk_id in prompt if chunk_id not in gold)],
    }
    for name, chunk_ids in prompts.items():
        pipeline.answer_from(case["query"], chunk_ids, PROBED_CASE, run_id=name)


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


def _experiment_figures(db: Path) -> dict[str, Any]:
    with connect(db, read_only=True) as con:
        rows = con.execute(
            "SELECT request.run_id, request.k, request.budget, prompt_ids, label, correct "
            "FROM current_label JOIN request USING (request_id) WHERE current_label.case_id IN (?, ?) "
            "ORDER BY request.started_at",
            [WHATIF_CASE, PROBED_CASE],
        ).fetchall()
    whatif = [
        {"k": k, "budget": budget, "prompt": prompt, "label": label}
        for _, k, budget, prompt, label, _ in rows
        if budget is not None
    ]
    probes = {run_id: correct for run_id, _, budget, _, _, correct in rows if budget is None}
    return {"whatif": whatif, "probes": {PROBED_CASE: probes}}

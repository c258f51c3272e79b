"""Run instrumented pipelines into databases, and label what they left."""

from contextlib import closing

from opentelemetry.sdk.trace import TracerProvider

from otel_ragfault.capture import set_capture
from otel_ragfault.corpus import load_corpus
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.generators import open_generator
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.jobs.replaying import Generation
from otel_ragfault.model import Config
from otel_ragfault.setup import configure
from otel_ragfault.store import connect


def record(db, work):
    """Do some work whose spans land in a database."""
    provider = TracerProvider()
    configure(db=db, content=True, provider=provider)
    try:
        work()
    finally:
        provider.shutdown()
        set_capture()


def prepare(db, corpus, gold, snapshot_id):
    with connect(db) as con:
        load_corpus(con, corpus, snapshot_id=snapshot_id)
        load_gold(con, gold, allow_contradictions=True)


def labelled(db):
    """Label everything, and return what is asked of a replay: by case and run, the prompt, the label and the outcome."""
    with connect(db) as con:
        label_requests(con, Config())
        rows = con.execute(
            "SELECT request.case_id, request.run_id, request.prompt_ids, label, outcome "
            "FROM current_label JOIN request USING (request_id)"
        ).fetchall()
    return {(case_id, run_id): tuple(found) for case_id, run_id, *found in rows}


def replayed(rows):
    """The same of a replay; the setting tells the run."""
    return {
        (row.case_id, run_of(row.setting.k, row.setting.budget)): (row.prompt, row.label, row.outcome) for row in rows
    }


def run_of(k, budget):
    return f"k={k} budget={budget}"


def generating(place):
    """A generation by a function of a file, closed at the end."""
    generator = open_generator(str(place))
    return closing(generator), Generation(generator)

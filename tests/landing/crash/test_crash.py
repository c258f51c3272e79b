from functools import partial

import pytest

from landing.crash.harness import ROUNDS, Ledger, random_pause, run_until_killed, writer
from otel_ragfault.landing.loader import load_spool
from otel_ragfault.landing.spool import POINTS, spool_folder

pytestmark = pytest.mark.timeout(120 + 10 * ROUNDS)

WRITERS = {
    "exporter": lambda db: writer("exporting", db, "0.05"),
    "spool and loader": lambda db: writer("spooling", db),
}
RECOVERING = "loader.recovering"  # reached only where a process has died before


@pytest.fixture
def db(tmp_path):
    return tmp_path / "spans.duckdb"


def test_every_point_is_tried():
    assert {point for point in POINTS if point.startswith(("spool.", "loader."))} == POINTS


@pytest.mark.parametrize("point", sorted(POINTS - {RECOVERING}))
@pytest.mark.parametrize("name", WRITERS)
def test_process_dies_at_a_point_and_nothing_acknowledged_is_lost_or_doubled(db, name, point):
    ledger = Ledger(db)
    times = {"spool.before_write": 5, "spool.before_fsync": 5, "spool.after_fsync": 5}.get(point, 2)
    ledger.add(run_until_killed(WRITERS[name](db), crash_at=f"{point}:{times}"))
    assert ledger.acknowledged
    assert ledger.check() >= len(ledger.acknowledged)


def test_process_dies_while_it_takes_over_from_a_dead_one(db):
    ledger = Ledger(db)
    ledger.add(run_until_killed(writer("spooling", db, "no-loader"), crash_at="spool.after_fsync:3"))
    for _ in range(2):
        run_until_killed(writer("loading", db), crash_at=RECOVERING)
    ledger.check()


LOADER_POINTS = sorted(point for point in POINTS - {RECOVERING} if point.startswith("loader."))


def test_loader_dies_again_and_again_at_every_point(db):
    ledger = Ledger(db)
    ledger.add(run_until_killed(writer("exporting", db), kill_after=0.5))
    for point in LOADER_POINTS:
        ledger.add(run_until_killed(writer("exporting", db), kill_after=0.1))
        run_until_killed(writer("loading", db), crash_at=point)
    assert ledger.check() >= len(ledger.acknowledged)


@pytest.mark.parametrize("name", WRITERS)
def test_process_dies_at_random_moments(db, name):
    """One database through all rounds: each process finds what the one before it left."""
    ledger = Ledger(db)
    for number in range(ROUNDS):
        ledger.add(run_until_killed(WRITERS[name](db), kill_after=random_pause(number)))
        if number % 3 == 0 or number == ROUNDS - 1:
            ledger.check()
    assert len(ledger.acknowledged) >= ROUNDS


def test_several_processes_and_a_loader_die_at_random_moments(db):
    from concurrent.futures import ThreadPoolExecutor

    ledger = Ledger(db)
    commands = [WRITERS["exporter"](db), WRITERS["spool and loader"](db), WRITERS["exporter"](db)]
    with ThreadPoolExecutor() as pool:
        for number in range(max(1, ROUNDS // 5)):
            runs = [
                pool.submit(partial(run_until_killed, command, kill_after=random_pause(number * 3 + i)))
                for i, command in enumerate(commands)
            ]
            for run in runs:
                ledger.add(run.result())
            ledger.check()


def test_spool_of_a_dead_process_is_loaded_by_the_next(db):
    ledger = Ledger(db)
    ledger.add(run_until_killed(writer("exporting", db), crash_at="spool.after_fsync:3"))
    report = load_spool(db)
    assert report.recovered == 1
    assert report.spans >= len(ledger.acknowledged)
    ledger.check(load=False)
    assert [path.name for path in spool_folder(db).iterdir()] == ["loader.lock"]

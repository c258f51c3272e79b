"""Laws of a comparison: exchanging the runs mirrors it, a run is like itself, the order of requests is of no account."""

from dataclasses import asdict

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from comparing.runs import AFTER, BEFORE, put_cases, put_side
from otel_ragfault.jobs.comparing import Source, compare_runs
from otel_ragfault.model import Config
from otel_ragfault.store.derived import refresh_derived
from otel_ragfault.store.schema import create_schema
from queries.world import put_run

LABELS = st.sampled_from(["pass", "retrieval.below_k", "assembly.cut", "generation.wrong_answer", "unknown.verdict?"])
CASES = [f"case {number}" for number in range(8)]
SIDE = st.lists(st.tuples(st.sampled_from(CASES), LABELS), max_size=12).map(
    lambda more: [(case, "pass") for case in CASES] + more
)
CONFIG = Config(bootstrap_replicates=100, measure_cutoffs=(1,))
MIRRORED = {"improved": "regressed", "regressed": "improved", "moved": "moved", "unchanged": "unchanged"}
OPTIONS = {"expectations": ["passed increases", "retrieval.below_k unchanged within 0.3"], "by": ["expect"]}
_shared = duckdb.connect()
create_schema(_shared, "tests")
refresh_derived(_shared)


def stored(before, after):
    for table in ("request", "label", "gold_case", "gold_evidence", "label_run"):
        _shared.execute(f"DELETE FROM {table}")
    put_run(_shared)
    put_cases(_shared, *CASES)
    for run, side, first in ((BEFORE, before, 1), (AFTER, after, 1_001)):
        for number, (case, label) in enumerate(side, start=first):
            put_side(_shared, run, {case: label}, first=number, prompt_ids=["g"] if number % 2 else ["x"])
    return _shared


def compared(con, before=BEFORE, after=AFTER, **options):
    return compare_runs(Source(con, before), Source(con, after), CONFIG, **options)


@settings(max_examples=12, deadline=None)
@given(SIDE, SIDE)
def test_exchanging_the_runs_mirrors_everything(before, after):
    con = stored(before, after)
    one_way, other_way = compared(con, by=["expect"]), compared(con, AFTER, BEFORE, by=["expect"])
    assert (other_way.before, other_way.after) == (one_way.after, one_way.before)
    assert sorted(other_way.labels) == sorted((after, before, cases) for before, after, cases in one_way.labels)
    assert [(one.case_id, one.before, one.after, MIRRORED[one.change]) for one in other_way.cases] == [
        (one.case_id, one.after, one.before, one.change) for one in one_way.cases
    ]
    for here, there in zip(one_way.boundaries, other_way.boundaries, strict=True):
        assert (here.improved, here.regressed) == (there.regressed, there.improved)
        assert (here.unchanged, here.not_reached) == (there.unchanged, there.not_reached)
    for here, there in zip(one_way.differences + one_way.slices, other_way.differences + other_way.slices, strict=True):
        assert (here.cases, here.left_out, here.before, here.after) == (
            there.cases,
            there.left_out,
            there.after,
            there.before,
        )
        assert (here.p_value, here.adjusted_p) == (there.p_value, there.adjusted_p)
        if here.change is not None:
            assert abs(here.change + there.change) < 1e-9
            assert abs(here.low + there.high) < 1e-9
            assert abs(here.high + there.low) < 1e-9


@settings(max_examples=8, deadline=None)
@given(SIDE)
def test_a_run_compared_with_itself_finds_nothing(side):
    found = compared(stored(side, side), BEFORE, BEFORE, **OPTIONS)
    assert {one.change for one in found.cases} == {"unchanged"}
    assert found.changed_settings == {}
    assert [warning for warning in found.warnings if "compared with itself" not in warning] == []
    assert all(one.before == one.after for one in [*found.labels, *found.outcomes])
    assert all(one.improved == one.regressed == 0 for one in found.boundaries)
    assert all(one.change in {0, None} and one.p_value in {1, None} for one in [*found.differences, *found.slices])
    assert (found.pass_test.only_before, found.pass_test.only_after, found.pass_test.p_value) == (0, 0, 1)
    assert all(one.answer != "yes" for one in found.hypotheses if one.direction != "unchanged")


@settings(max_examples=8, deadline=None)
@given(SIDE, SIDE, st.randoms(use_true_random=False))
def test_the_order_in_which_requests_are_stored_changes_nothing(before, after, rng):
    con = stored(before, after)
    wanted = asdict(compared(con, **OPTIONS))
    for table in ("request", "label", "gold_case"):
        rows = con.execute(f"SELECT * FROM {table}").fetchall()
        con.execute(f"DELETE FROM {table}")
        con.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' for _ in rows[0])})", rng.sample(rows, len(rows)))
    assert asdict(compared(con, **OPTIONS)) == wanted

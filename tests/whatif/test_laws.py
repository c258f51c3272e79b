"""Laws of packing, against an oracle in plain Python; and that a replay of what was recorded changes nothing."""

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faults import worlds
from faults.test_tree import shown_worlds
from faults.test_tree import worlds as any_worlds
from otel_ragfault.jobs.replaying import ORDERINGS, PACKINGS, replay
from otel_ragfault.model import Config
from otel_ragfault.sql import read_query

SIZES = {f"c{number}": size for number, size in enumerate([0, 1, 2, 3, 5, 8, 13])}


@st.composite
def packs(draw):
    """A ranking with scores, a cutoff, a budget and rules."""
    ids = draw(st.lists(st.sampled_from(sorted(SIZES)), max_size=9))
    scores = sorted(draw(st.lists(st.integers(-2, 9), min_size=len(ids), max_size=len(ids))), reverse=True)
    return {
        "ids": ids,
        "scores": [float(score) for score in scores],
        "k": draw(st.integers(0, 10)),
        "budget": draw(st.none() | st.integers(0, 30)),
        "packing": draw(st.sampled_from(PACKINGS)),
        "ordering": draw(st.sampled_from(ORDERINGS)),
    }


@pytest.fixture(scope="module")
def packed():
    """A function that packs many rankings by the statement."""
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE to_pack (request_id INTEGER, ids VARCHAR[], scores DOUBLE[], score_kind VARCHAR, k BIGINT, "
        "budget BIGINT, unit VARCHAR, packing VARCHAR, ordering VARCHAR, snapshot_id VARCHAR)"
    )
    con.execute("CREATE TABLE chunk_size (unit VARCHAR, snapshot_id VARCHAR, chunk_id VARCHAR, size BIGINT)")
    con.executemany("INSERT INTO chunk_size VALUES ('words', 's', ?, ?)", list(SIZES.items()))

    def pack(many):
        con.execute("DELETE FROM to_pack")
        con.executemany(
            "INSERT INTO to_pack VALUES (?, ?, ?, 'bm25', ?, ?, 'words', ?, ?, 's')",
            [
                [number, one["ids"], one["scores"], one["k"], one["budget"], one["packing"], one["ordering"]]
                for number, one in enumerate(many)
            ],
        )
        found = dict(con.execute(read_query("whatif", "packing").body).fetchall())
        return [found[number] for number in range(len(many))]

    yield pack
    con.close()


def oracle(ids, scores, k, budget, packing, ordering):
    """The prompt, as the header of the statement says it."""
    top = [(rank, chunk) for rank, chunk in enumerate(ids[:k]) if ids.index(chunk) == rank]
    worth = {
        "stop": lambda one: one[0],
        "skip": lambda one: one[0],
        "shortest": lambda one: (SIZES[one[1]], one[0]),
        "score_density": lambda one: (
            -max(scores[one[0]], 0) / SIZES[one[1]] if SIZES[one[1]] else float("-inf"),
            one[0],
        ),
    }[packing]
    chosen, used = [], 0
    for rank, chunk in sorted(top, key=worth) if budget is not None else top:
        if budget is not None and used + SIZES[chunk] > budget:
            if packing == "stop":
                break
            continue
        chosen.append(rank)
        used += SIZES[chunk]
    shown = [ids[rank] for rank in sorted(chosen)]
    if ordering == "reversed":
        return shown[::-1]
    return shown[::2] + shown[1::2][::-1] if ordering == "sides" else shown


@given(st.lists(packs(), min_size=1, max_size=60))
@settings(max_examples=60, deadline=None)
def test_the_statement_packs_as_the_oracle_does(packed, many):
    assert packed(many) == [oracle(**one) for one in many]


GROWING = {"stop": ("k", "budget"), "skip": ("k",), "shortest": ("budget",)}


@given(st.lists(packs(), min_size=1, max_size=60), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_where_a_rule_promises_it_more_room_loses_no_chunk(packed, many, more):
    """With room for more, `skip` may take a long chunk where two short ones stood, and `shortest` a short one of lower rank."""
    pairs = [
        (one, {**one, part: one[part] + more})
        for one in many
        for part in GROWING.get(one["packing"], ())
        if one[part] is not None
    ]
    if pairs:
        for narrow, wide in zip(packed([one for one, _ in pairs]), packed([one for _, one in pairs]), strict=True):
            assert set(narrow) <= set(wide)


def test_with_a_larger_budget_skip_may_lose_what_a_smaller_one_showed(packed):
    tried = {"ids": ["c5", "c4", "c3"], "scores": [3.0, 2.0, 1.0], "k": 3, "packing": "skip", "ordering": "ranked"}
    assert packed([{**tried, "budget": 7}, {**tried, "budget": 8}]) == [["c4"], ["c5"]]


@given(st.lists(packs(), min_size=1, max_size=60))
@settings(max_examples=40, deadline=None)
def test_a_prompt_fits_and_nothing_that_was_passed_over_would(packed, many):
    for one, prompt in zip(many, packed(many), strict=True):
        used = sum(SIZES[chunk] for chunk in prompt)
        assert len(set(prompt)) == len(prompt)
        assert one["budget"] is None or used <= one["budget"]
        if one["packing"] != "stop" and one["budget"] is not None:
            left_out = set(one["ids"][: one["k"]]) - set(prompt)
            assert all(used + SIZES[chunk] > one["budget"] for chunk in left_out)


@given(st.lists(any_worlds() | shown_worlds(), min_size=1, max_size=60))
@settings(max_examples=12, deadline=None)
def test_whatever_was_recorded_the_recorded_setting_gives_its_prompt_and_its_label(memory, many):
    worlds.clear(memory)
    ids = [worlds.put(memory, number, world) for number, world in enumerate(many)]
    rows = {row.request_id: row for row in replay(memory, Config())}
    labels = worlds.labels(memory)  # after the replay, which judges what nobody has judged yet
    assert {name: row.label for name, row in rows.items()} == {one.hex: labels[one]["label"] for one in labels}
    for request_id, world in zip(ids, many, strict=True):
        if request_id.hex in rows:
            assert rows[request_id.hex].prompt == (None if world.prompt is None else list(world.prompt))
            assert not rows[request_id.hex].needs_generator

"""Labels of requests whose evidence is named by quote, each told apart from its neighbours."""

import json
import uuid

import pytest

from faults import worlds
from faults.oracle import World
from otel_ragfault.gold import check_gold, load_gold, resolve_quotes

PIECES = {"p1": "The crew rests for 8 hours", "p2": "in the long-haul cabin."}
WHOLE = {"w1": "The crew rests for 8 hours in the long-haul cabin.", "w2": "Tea is served."}
QUOTE = {"quote": "8 hours in the long-haul cabin"}
SEEN = {"ranked": ("p1", "p2", "x"), "prompt": ("p1", "p2"), "kind": "distance", "refused": False, "correct": True}


@pytest.fixture
def label(memory_factory, tmp_path):
    """A function that labels one request; gives its label and the groups that failed."""

    def label(world, *groups, texts=True):
        con = memory_factory()
        if world.corpus is not None and not texts:
            world = World(**{**vars(world), "corpus": dict.fromkeys(world.corpus)})
        request_id = worlds.put(con, 0, World(**{**vars(world), "groups": ()}))
        gold = tmp_path / "gold.jsonl"
        gold.write_text(_gold(groups))
        load_gold(con, gold)
        resolve_quotes(con)
        row = worlds.labels(con)[request_id]
        return row["label"], row

    return label


def _gold(groups):
    return json.dumps({"case_id": "case0", "query": "q", "evidence": groups})


@pytest.mark.parametrize(
    ("corpus", "changes", "expected"),
    [
        pytest.param(PIECES, {}, "pass", id="all pieces are shown"),
        pytest.param(PIECES, {"prompt": ("p1",)}, "assembly.cut", id="one piece was cut"),
        pytest.param(PIECES, {"ranked": ("p1", "x", "p2"), "prompt": ("p1", "x")}, "retrieval.below_k", id="one piece is beyond k"),
        pytest.param(PIECES, {"ranked": ("p1", "x"), "prompt": ("p1", "x")}, "retrieval.not_ranked", id="one piece is not ranked"),
        pytest.param(WHOLE, {"ranked": ("w1",), "prompt": ("w1",)}, "pass", id="whole in one chunk"),
        pytest.param({"p1": PIECES["p1"]}, {}, "source.not_indexed", id="a piece is not indexed"),
        pytest.param({}, {}, "source.not_indexed", id="an empty index"),
        pytest.param(None, {}, "unknown.corpus", id="no snapshot"),
        pytest.param(None, {"ranked": None}, "unknown.corpus", id="no snapshot and no ranking"),
        pytest.param(None, {"ranked": None, "dropped_attributes": True}, "unknown.corpus", id="no snapshot and dropped attributes"),
        pytest.param(None, {"error_stage": "retrieval", "answered": False}, "error.retrieval", id="an error comes first"),
    ],
)  # fmt: skip
def test_evidence_by_quote_is_followed_like_ids(label, corpus, changes, expected):
    assert label(World(corpus=corpus, **(SEEN | changes)), [QUOTE])[0] == expected


def test_a_snapshot_without_texts_makes_the_walk_end_unknown(label):
    assert label(World(corpus=PIECES, **SEEN), [QUOTE], texts=False)[0] == "unknown.corpus"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({"ranked": ("c",), "prompt": ("c",)}, "pass", id="the id is shown"),
        pytest.param({"ranked": ("x", "y", "c"), "prompt": ("x", "y")}, "unknown.corpus", id="the id is ranked low"),
        pytest.param({"ranked": ("x",), "prompt": ("x",)}, "unknown.corpus", id="the id is nowhere"),
    ],
)
def test_without_a_snapshot_an_alternative_by_id_can_clear_a_group_and_not_condemn_it(label, changes, expected):
    assert label(World(corpus=None, **(SEEN | changes)), ["c", QUOTE])[0] == expected


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [(("c",), "pass"), (("p1", "p2"), "pass"), (("p1",), "assembly.cut"), (("p2",), "assembly.cut")],
    ids=["the id", "both pieces", "the first piece", "the second piece"],
)
def test_an_id_or_both_pieces_of_a_quote_are_enough(label, prompt, expected):
    world = World(corpus=PIECES | {"c": "red"}, **(SEEN | {"ranked": ("p1", "p2", "c"), "prompt": prompt, "k": 3}))
    assert label(world, ["c", QUOTE])[0] == expected


def test_nothing_is_claimed_of_a_quote_that_was_not_looked_for(label):
    _, row = label(World(corpus=None, **SEEN), [QUOTE])
    assert (row["retrieved"], row["cited"]) == (None, None)


def test_the_label_names_the_version_of_gold_that_it_used(label, tmp_path):
    _, row = label(World(corpus=WHOLE, **(SEEN | {"ranked": ("w1",), "prompt": ("w1",)})), [QUOTE])
    ((_, case),) = check_gold(tmp_path / "gold.jsonl").cases
    assert row["gold_version"] == case.version
    assert uuid.UUID(str(row["request_id"])).int == 1

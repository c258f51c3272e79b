"""The generated statement against an independent walk in plain Python."""

import dataclasses
import os

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from faults import oracle
from faults.oracle import World
from faults.worlds import clear, labels, put
from otel_ragfault.faults import RULES

IDS = ["g", "h", "i", "x", "y"]
TEXTS = [None, "alpha gamma", "delta", ""]


@st.composite
def worlds(draw):
    whole = draw(st.booleans())  # half of the worlds are recorded well, so that the walk gets far down

    def one_of(*values):
        return draw(st.sampled_from([value for value in values if value is not None or not whole]))

    def ids(size):
        elements = st.lists(st.sampled_from(IDS if whole else [*IDS, None]), max_size=size, unique=True).map(tuple)
        return draw(elements if whole else st.none() | elements)

    def scores(of):
        each = st.sampled_from([0.0, 0.1, 0.5, 3.0] if whole else [0.0, 0.1, 0.5, 3.0, None])
        recorded = st.tuples(*(each for _ in of or ()))
        return None if of is None else draw(recorded if whole else st.none() | recorded)

    ranked, candidates, rerank = ids(5), ids(5), draw(st.booleans())
    chunks = st.dictionaries(st.sampled_from(IDS), st.sampled_from(TEXTS), min_size=3 if whole else 0, max_size=5)
    return World(
        expect=draw(st.sampled_from(["answer"] * 8 + ["refuse", "clarify"])),
        groups=tuple(draw(st.lists(st.sampled_from([("g",), ("h",), ("g", "h"), ("i", "x")]), min_size=1, max_size=3))),
        ranked=ranked,
        scores=scores(ranked),
        complete=one_of(None, True, False),
        kind=one_of(None, "bm25", "similarity", "distance"),
        rerank=rerank,
        candidates=candidates if rerank else None,
        candidate_scores=scores(candidates) if rerank else None,
        k=one_of(None, 1, 2, 3),
        prompt=ids(3),
        answer=one_of(None, "an answer"),
        answered=draw(st.sampled_from([True, True, True, False])),
        error_stage=draw(st.sampled_from([None, None, None, "retrieval", "generation"])),
        dropped_attributes=draw(st.booleans()),
        corpus=draw(chunks if whole else st.none() | chunks),
        refused=one_of(None, True, False, False),
        clarified=one_of(None, True, False),
        correct=one_of(None, True, False),
    )


EXAMPLES = int(os.environ.get("RAGFAULT_ORACLE_EXAMPLES", "60"))  # up to 60 worlds each; `make oracle` runs more


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(worlds(), min_size=1, max_size=60), st.sampled_from([None, 0.3]))
@example([World(groups=(("g",), ("h",)), ranked=("h", "x", "g"), scores=(3.0, 2.0, 1.0), k=2, prompt=("x",))], None)
def test_the_statement_and_an_independent_walk_give_every_request_the_same_one_label(memory, batch, floor):
    clear(memory)
    batch = [dataclasses.replace(world, floor=floor) for world in batch]
    ids = [put(memory, number, world) for number, world in enumerate(batch)]
    found = labels(memory, floor=floor)
    assert set(found) == set(ids)
    for request_id, world in zip(ids, batch, strict=True):
        assert found[request_id]["label"] == oracle.label(world), world


SEPARATED = [
    # a world in which two rules hold: only their order decides
    pytest.param(
        "source.not_indexed",
        "retrieval.not_ranked",
        World(corpus={}, ranked=("x",), scores=(1.0,)),
        id="index before ranking",
    ),
    pytest.param(
        "retrieval.no_overlap",
        "retrieval.below_k",
        World(kind="bm25", ranked=("x", "y", "g"), scores=(2.0, 1.0, 0.0), corpus={"g": "delta"}),
        id="score before rank",
    ),
    pytest.param(
        "retrieval.no_overlap",
        "retrieval.not_ranked",
        World(kind="bm25", complete=True, ranked=("x",), scores=(2.0,), corpus={"g": "delta"}),
        id="overlap before absence",
    ),
    pytest.param(
        "retrieval.below_floor",
        "retrieval.below_k",
        World(kind="similarity", floor=0.3, ranked=("x", "y", "g"), scores=(0.9, 0.8, 0.1)),
        id="floor before rank",
    ),
    pytest.param(
        "rerank.demoted",
        "retrieval.below_k",
        World(
            rerank=True,
            candidates=("g", "x", "y"),
            candidate_scores=(3.0, 2.0, 1.0),
            ranked=("x", "y", "g"),
            scores=(3.0, 2.0, 1.0),
        ),
        id="demotion before rank",
    ),
    pytest.param(
        "retrieval.below_k",
        "assembly.cut",
        World(ranked=("x", "y", "g"), scores=(3.0, 2.0, 1.0)),
        id="rank before prompt",
    ),
    pytest.param(
        "decision.refused_answerable",
        "generation.wrong_answer",
        World(ranked=("g",), scores=(1.0,), prompt=("g",), refused=True, correct=False),
        id="refusal before wrong answer",
    ),
    pytest.param(
        "error.generation",
        "source.not_indexed",
        World(corpus={}, ranked=("x",), scores=(1.0,), error_stage="generation", answered=False, answer=None),
        id="error before evidence",
    ),
]


@pytest.mark.parametrize(("first", "second", "world"), SEPARATED)
def test_two_rules_that_both_hold_are_told_apart_by_their_order_alone(memory, first, second, world):
    clear(memory)
    request_id = put(memory, 0, world)
    assert labels(memory, floor=world.floor)[request_id]["label"] == first == oracle.label(world)
    assert labels(memory, floor=world.floor, rules=swapped(first, second))[request_id]["label"] == second


def swapped(first, second):
    rules = list(RULES)
    a, b = (next(i for i, rule in enumerate(rules) if rule.key == key) for key in (first, second))
    rules[a], rules[b] = rules[b], rules[a]
    return tuple(rules)

"""The generated statement against an independent walk in plain Python."""

import dataclasses
import os
from datetime import datetime

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from faults import oracle
from faults.oracle import World
from faults.worlds import clear, labels, put
from otel_ragfault.faults import RULES

IDS = ["g", "h", "i", "x", "y"]
LONG = " ".join(f"word{number}" for number in range(20))
TEXTS = [None, "alpha gamma", "delta", "", LONG, "the limit is 14 days", "the limit is 30 days"]
PIECES = ["alpha gamma", "delta", LONG, f"Alpha,\n GAMMA! {LONG.title()}", LONG[:90], LONG[90:], "the limit is 14 days"]
ANSWERS = ["an answer", "The limit is 14 days. [1]", "30", "word3 word4 word5"]
DAYS = [datetime(2026, 1, day) for day in (1, 2, 3)]  # noqa: DTZ001 - as the database keeps them
GROUPS = [("g",), ("h",), ("g", "h"), ("i", "x")]


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
    prompt = ids(3)
    chunks = st.dictionaries(st.sampled_from(IDS), st.sampled_from(TEXTS), min_size=3 if whole else 0, max_size=5)
    return World(
        expect=draw(st.sampled_from(["answer"] * 8 + ["refuse", "clarify"])),
        groups=tuple(draw(st.lists(st.sampled_from(GROUPS), min_size=1, max_size=3))),
        ranked=ranked,
        scores=scores(ranked),
        complete=one_of(None, True, False),
        kind=one_of(None, "bm25", "similarity", "distance"),
        rerank=rerank,
        candidates=candidates if rerank else None,
        candidate_scores=scores(candidates) if rerank else None,
        k=one_of(None, 1, 2, 3),
        prompt=prompt,
        answer=one_of(None, *ANSWERS),
        answered=draw(st.sampled_from([True, True, True, False])),
        error_stage=draw(st.sampled_from([None, None, None, "retrieval", "generation"])),
        dropped_attributes=draw(st.booleans()),
        foreign=draw(st.sampled_from([False, False, False, True])),
        corpus=draw(chunks if whole else st.none() | chunks),
        refused=one_of(None, True, False, False),
        clarified=one_of(None, True, False),
        correct=one_of(None, True, False),
        permitted=draw(by_chunk(st.sampled_from([(), ("hr",), ("hr", "law"), ("it",)]))),
        user_groups=one_of(None, (), ("hr",), ("hr", "it")),
        windows=draw(by_chunk(st.tuples(*[st.none() | st.sampled_from(DAYS)] * 2))),
        documents=draw(by_chunk(st.sampled_from(["d", "e"]))),
        started_at=one_of(None, *DAYS),
        as_of=draw(st.none() | st.sampled_from(DAYS)),
        prompt_text=draw(st.none() | st.lists(st.sampled_from(PIECES), max_size=3).map("\n".join)),
        shares=draw(st.none() | st.tuples(*[st.sampled_from([None, 0.3, 0.85, 0.9, 1.0])] * len(prompt or ()))),
        quotes=draw(
            st.dictionaries(st.sampled_from(GROUPS), st.sampled_from(["14 days", "word3 word4", "Delta"]), max_size=1)
        ),
    )


def by_chunk(values):
    """Something of some chunks; half of the worlds have nothing of it."""
    return st.just({}) | st.dictionaries(st.sampled_from(IDS), values, max_size=5)


@st.composite
def shown_worlds(draw):
    """Worlds whose evidence reached the prompt, so that the text of the prompt and the answer decide."""
    corpus = draw(st.dictionaries(st.sampled_from(["g", "h", "x"]), st.sampled_from(TEXTS), min_size=2))
    prompt = draw(st.permutations(["g", "h", "x"])) if draw(st.booleans()) else ["g", "h"]
    return dataclasses.replace(
        draw(worlds()),
        expect="answer",
        error_stage=None,
        groups=draw(st.sampled_from([(("g",),), (("g", "h"),), (("g",), ("h",))])),
        corpus=corpus,
        documents=draw(st.sampled_from([{}, {"g": "d", "h": "d", "x": "d"}, {"g": "d", "x": "d"}])),
        prompt=tuple(prompt),
        shares=draw(st.none() | st.tuples(*[st.sampled_from([None, 0.3, 0.85, 0.9, 1.0])] * len(prompt))),
        refused=draw(st.sampled_from([False, False, True])),
        correct=draw(st.sampled_from([False, False, True, None])),
        answer=draw(st.sampled_from(ANSWERS)),
    )


EXAMPLES = int(os.environ.get("RAGFAULT_ORACLE_EXAMPLES", "60"))  # up to 60 worlds each; `make oracle` runs more


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(worlds() | shown_worlds(), min_size=1, max_size=60), st.sampled_from([None, 0.3]))
@example([World(groups=(("g",), ("h",)), ranked=("h", "x", "g"), scores=(3.0, 2.0, 1.0), k=2, prompt=("x",))], None)
def test_the_statement_and_an_independent_walk_give_every_request_the_same_one_label(memory, batch, floor):
    clear(memory)
    batch = [dataclasses.replace(world, floor=floor) for world in batch]
    ids = [put(memory, number, world) for number, world in enumerate(batch)]
    found = labels(memory, floor=floor)
    assert set(found) == set(ids)
    for request_id, world in zip(ids, batch, strict=True):
        assert found[request_id]["label"] == oracle.label(world), world


OLD = {"windows": {"g": (None, DAYS[0])}, "started_at": DAYS[1]}
REPEATED = {"corpus": {"g": "the limit is 14 days"}, "answer": "The limit is 14 days.", **OLD}

SEPARATED = [
    # a world in which two rules hold: only their order decides
    pytest.param(
        "source.not_indexed",
        "retrieval.not_ranked",
        World(corpus={}, ranked=("x",), scores=(1.0,)),
        id="index before ranking",
    ),
    pytest.param(
        "source.not_permitted",
        "source.stale",
        World(corpus={"g": None}, ranked=("x",), scores=(1.0,), user_groups=(), permitted={"g": ("hr",)}, **OLD),
        id="permission before validity",
    ),
    pytest.param(
        "source.not_permitted",
        "retrieval.not_ranked",
        World(corpus={"g": None}, ranked=("x",), scores=(1.0,), user_groups=("it",), permitted={"g": ("hr",)}),
        id="permission before ranking",
    ),
    pytest.param(
        "source.stale",
        "retrieval.not_ranked",
        World(corpus={"g": None}, ranked=("x",), scores=(1.0,), **OLD),
        id="validity before ranking",
    ),
    pytest.param(
        "source.stale",
        "assembly.cut",
        World(corpus={"g": None}, ranked=("g",), scores=(1.0,), **OLD),
        id="validity before prompt",
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
        "assembly.truncated",
        "decision.refused_answerable",
        World(corpus={"g": LONG}, prompt_text=LONG[:90], prompt=("g",), refused=True, correct=False),
        id="a lost passage before the refusal",
    ),
    pytest.param(
        "assembly.truncated",
        "source.stale, repeated",
        World(prompt=("g",), shares=(0.5,), prompt_text="", refused=False, correct=False, **REPEATED),
        id="a lost passage before a superseded one",
    ),
    pytest.param(
        "decision.refused_answerable",
        "source.stale, repeated",
        World(prompt=("g",), refused=True, correct=False, **REPEATED),
        id="refusal before a superseded passage",
    ),
    pytest.param(
        "source.stale, repeated",
        "generation.wrong_answer",
        World(prompt=("g",), refused=False, correct=False, **REPEATED),
        id="a superseded passage before the generator",
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
    found = labels(memory, floor=world.floor)[request_id]["label"]
    assert found == key_of(first) == oracle.label(world)
    assert labels(memory, floor=world.floor, rules=swapped(first, second))[request_id]["label"] == key_of(second)


def swapped(first, second):
    rules = list(RULES)
    a, b = (next(i for i, rule in enumerate(rules) if is_named(rule, name)) for name in (first, second))
    rules[a], rules[b] = rules[b], rules[a]
    return tuple(rules)


def key_of(name):
    return name.partition(",")[0]


def is_named(rule, name):
    """Two rules give source.stale: the first for evidence on its way, the other for what the answer repeats."""
    return rule.key == key_of(name) and ("outdated" in rule.when) == ("repeated" in name)

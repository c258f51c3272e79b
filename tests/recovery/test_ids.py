"""Hits whose ids are none of the index are told by their texts: which chunk each is, and when nothing is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.recovery import ChunkTexts, tell_ids

CORPUS = [
    ("c1", "d1", "Cabins of long flights."),
    ("c2", "d1", "Taxi bills need receipts."),
    ("c3", "d2", "No gym fees."),
]


def chunks(*rows):
    known = ChunkTexts()
    for row in rows:
        known.add(*row)
    return known


def told(*rankings, corpus=CORPUS):
    found = tell_ids(rankings, chunks(*corpus))
    return None if found is None else [list(ranking) for ranking in found.rankings]


def hits(*names, corpus=CORPUS):
    """Hits with an id that nobody knows and the text of a chunk."""
    texts = {chunk: text for chunk, _, text in corpus}
    return [(f"uuid of {name}", texts[name]) for name in names]


def test_a_foreign_id_is_the_chunk_with_its_text():
    assert told(hits("c3", "c1")) == [["c3", "c1"]]


@pytest.mark.parametrize(
    "written",
    [
        "Taxi  bills\nneed receipts.",
        "Taxi bills need receipts.\n",
        "Taxi\u00a0bills need re\u00adceipts.",
        "Taxi bills\\nneed receipts.",
        "Taxi bills need &#114;eceipts.",
    ],
)
def test_texts_are_compared_as_those_of_prompts_are(written):
    assert told([("x", written)]) == [["c2"]]
    assert told([("x", CORPUS[1][2])], corpus=[("c2", None, written)]) == [["c2"]]


@pytest.mark.parametrize("text", ["taxi bills need receipts.", "Taxi bills need receipts", "", " ", None])
def test_other_texts_tell_nothing(text):
    assert told([("x", text)]) is None


def test_a_hit_without_an_id_is_told_too():
    assert told([(None, CORPUS[1][2]), (None, CORPUS[0][2])]) == [["c2", "c1"]]


def test_an_id_of_the_snapshot_is_never_touched():
    assert told([("c1", CORPUS[1][2]), ("x", CORPUS[2][2])]) == [["c1", "c3"]]


def test_no_rank_is_lost_where_a_hit_is_not_told():
    found = tell_ids([[*hits("c1", "c2"), ("x", "Something else.")]], chunks(*CORPUS))
    assert found.rankings == (("c1", "c2", "x"),)
    assert not found.complete


def test_a_ranking_of_which_no_more_than_half_is_told_stays_as_recorded():
    assert told([*hits("c1"), ("x", "Something else.")]) is None
    assert told([*hits("c1", "c2"), ("x", "Something else.")]) is not None


def test_the_first_stage_and_the_final_ranking_are_told_alike():
    assert told(hits("c1", "c2", "c3"), hits("c3", "c1")) == [["c1", "c2", "c3"], ["c3", "c1"]]


def test_recorded_ids_lead_to_chunks_where_they_mean_one_only():
    found = tell_ids([[("x", CORPUS[0][2]), ("d1", CORPUS[1][2]), ("d1", CORPUS[0][2])]], chunks(*CORPUS))
    assert found.names == {"x": "c1"}


# --- several chunks with one text ------------------------------------------------------------------------------------

TWINS = [("c1", "d1", "Same."), ("c2", "d2", "Same."), ("c3", "d3", "Other.")]


def test_the_document_that_the_id_names_decides():
    assert told([("d2", "Same."), ("d3", "Other.")], corpus=TWINS) == [["c2", "c3"]]


def test_as_many_hits_as_chunks_are_dealt_out_in_order_in_every_ranking():
    first, final = [("x", "Same."), ("y", "Same.")], [("y", "Same."), ("x", "Same.")]
    assert told(first, final, corpus=TWINS) == [["c1", "c2"], ["c2", "c1"]]
    assert told([(None, "Same."), (None, "Same.")], corpus=TWINS) == [["c1", "c2"]]


def test_fewer_hits_than_chunks_are_left_as_recorded():
    assert told([("x", "Same.")], corpus=TWINS) is None
    assert told([("x", "Same."), ("y", "Other."), ("c2", "Same."), (None, "?")], corpus=TWINS) == [
        ["c1", "c3", "c2", None]  # c2 is there by its id, so that the other one is c1
    ]


def test_a_chunk_that_was_indexed_twice_is_ranked_twice():
    assert told([("x", "Other."), ("y", "Other.")], corpus=TWINS) == [["c3", "c3"]]


# --- laws ------------------------------------------------------------------------------------------------------------

TEXTS = st.sampled_from(["a", "b", "c", "d"])
NAMES = st.sampled_from(["k1", "k2", "k3", "u1", "u2", "d1", None])


@given(
    st.lists(st.lists(st.tuples(NAMES, TEXTS | st.none()), max_size=6), min_size=1, max_size=2),
    st.dictionaries(st.sampled_from(["k1", "k2", "k3", "k4"]), st.tuples(st.sampled_from(["d1", "d2"]), TEXTS)),
)
def test_ranks_stay_known_ids_stay_and_what_is_told_has_the_text(rankings, corpus):
    found = tell_ids(rankings, chunks(*((name, *rest) for name, rest in corpus.items())))
    if found is None:
        return
    assert [len(ranking) for ranking in found.rankings] == [len(ranking) for ranking in rankings]
    known = 0
    for ranking, recorded in zip(found.rankings, rankings, strict=True):
        for name, (before, text) in zip(ranking, recorded, strict=True):
            if before in corpus or name not in corpus:
                assert name == before
            else:
                assert corpus[name][1] == text
            known += name in corpus
    assert known * 2 > sum(map(len, rankings))
    assert found.complete == (known == sum(map(len, rankings)))
